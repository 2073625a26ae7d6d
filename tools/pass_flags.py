"""Passes as flags: `--inplace-pass=strategy=paddle,explain=true`, in the order given and mixed with `-p`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType, ParameterType, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError

from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.universe import PIPELINES


class UsageError(Exception):
    """The command line is wrong."""


def extract_pipeline(argv: Sequence[str], passes: Collection[str]) -> tuple[list[ArgSpec], list[str]]:
    """
    Takes the passes out of a command line: flags named like a pass, `-p`, `--passes` and `--pipeline`.

    Returns:
        the passes in the order given, and the rest of the command line for argparse.

    Raises:
        UsageError: a pipeline cannot be parsed.
    """
    # Before argparse, because it would take the input file for a flag's value, and a later `-p` for the only one.
    specs: list[ArgSpec] = []
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            rest += [word, *words]
        elif word in ("-p", "--passes"):
            text = next(words, None)
            if text is None:
                raise UsageError(f"{word} needs a pipeline")
            specs += parse_passes(text)
        elif name == "--pipeline":
            value = value if equals else next(words, "")
            if value not in PIPELINES:
                raise UsageError(f"no pipeline '{value}'; there are {', '.join(PIPELINES)}")
            specs += parse_passes(PIPELINES[value])
        elif name == "--passes" and equals:
            specs += parse_passes(value)
        elif word.startswith("-p"):
            specs += parse_passes(word[2:])
        elif name.startswith("--") and name[2:] in passes:
            specs.append(ArgSpec(name[2:], parse_options(value)))
        else:
            rest.append(word)
    return specs, rest


def parse_passes(text: str) -> list[ArgSpec]:
    """A pipeline in xDSL's syntax, `a-pass,b-pass{option=1 other=x}`. Raises UsageError."""
    try:
        return list(parse_pipeline(text))
    except ArgSpecParseError as error:
        # The message is followed by the text and a caret, several lines; a usage error is one line.
        lines = [line.strip() for line in str(error).splitlines() if line.strip(" ^")] or ["not a pipeline"]
        raise UsageError(f"cannot parse the pipeline '{text}': {lines[-1]}") from error


def parse_options(text: str) -> dict[str, ParameterListType]:
    """`strategy=optimal,axes=1,2,explain=true`: split at commas followed by `name=`. A bare name is a switch."""
    options: dict[str, ParameterListType] = {}
    for part in re.split(r",(?=[^,=]+=)", text) if text else ():
        name, equals, value = part.partition("=")
        options[name] = tuple(_value(v) for v in value.split(",")) if equals else ()
    return options


def _value(text: str) -> ParameterType:
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"[-+]?[0-9]{1,18}", text):
        return int(text)
    if re.fullmatch(r"[-+]?[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?", text):
        return float(text)
    return text


def build_passes(
    specs: Sequence[ArgSpec], available: Mapping[str, Callable[[], type[ModulePass]]]
) -> tuple[ModulePass, ...]:
    """The passes that `specs` ask for. Raises UsageError if there is no such pass, or it has no such option."""
    built: list[ModulePass] = []
    for spec in specs:
        if spec.name not in available:
            raise UsageError(f"there is no pass '{spec.name}'")
        try:
            built.append(available[spec.name]().from_pass_spec(spec))
        except (ValueError, TypeError, LastuseError) as error:
            raise UsageError(f"{spec.name}: {' '.join(str(error).split())}") from error
    return tuple(built)
