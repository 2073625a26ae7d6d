"""Text to tokens: xDSL's lexer, faster, and with bounds on what hostile text can cost."""

from __future__ import annotations

import re

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span, Token
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

MAX_DIGITS = 4000
"""Longest number, in characters; reading one takes quadratic time."""

_COMMON_TOKEN = re.compile(
    r"[ \n\t]*(?:(%(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*))|(->|[:,()}\[\]<>=]|\{(?!-#))|([a-zA-Z_][a-zA-Z0-9_$.]*))"
)
_PUNCTUATION = {
    spelling: MLIRTokenKind.get_punctuation_kind_from_name(spelling)
    for spelling in ("->", ":", ",", "(", ")", "{", "}", "[", "]", "<", ">", "=")
}


class SourceLexer(MLIRLexer):
    """
    xDSL's lexer, with the common tokens found by one regular expression, and with a string literal that takes linear
    time: the one it has tries every way to cut an unterminated string into pieces, 2^n of them.
    """

    _unescaped_characters_regex = re.compile(r'"[^"\\\n\v\f]*(?:\\(?:["nt\\]|[0-9A-Fa-f]{2})[^"\\\n\v\f]*)*"')

    def lex(self) -> Token[MLIRTokenKind]:
        match = _COMMON_TOKEN.match(self.input.content, self.pos)
        if match is None or match.lastindex is None:
            return super().lex()
        start, end = match.span(match.lastindex)
        self.pos = end
        span = Span(start, end, self.input)
        if match.lastindex == 1:
            return Token(MLIRTokenKind.PERCENT_IDENT, span)
        if match.lastindex == 2:
            return Token(_PUNCTUATION[match[2]], span)
        return Token(MLIRTokenKind.BARE_IDENT, span)

    def _lex_number(self, start_pos: int) -> Token[MLIRTokenKind]:
        token = super()._lex_number(start_pos)
        if token.span.len > MAX_DIGITS:
            raise ParseError(Span(start_pos, start_pos + 1, self.input), f"number of more than {MAX_DIGITS} digits")
        return token
