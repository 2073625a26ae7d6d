"""Programs whose memref forms have everything that a mistake can be made in; their arguments are those of
`memref_fuzz.drawn_arguments`: tensors a, b, u, m and r, the indices i, j, n and k, an i64 and an i1."""

from __future__ import annotations

A, N, M, R = "tensor<12xi64>", "tensor<?xi64>", "tensor<3x4xi64>", "tensor<4xi64>"
MAP = "affine_map<(d0) -> (d0)>"


def program(body: str, results: str, kept: str = "", before: str = "") -> str:
    """A module with @main; arguments that `kept` names may not be written."""
    types = zip("abumr", (A, A, N, M, R), strict=True)
    given = ", ".join(f"%{name}: {type_}{' {dnn.donated}' * (name not in kept)}" for name, type_ in types)
    constants = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in (0, 1, 3, 4, 8, 12))
    head = f"func.func @main({given}, %i: index, %j: index, %n: index, %k: index, %v: i64, %c: i1) -> ({results}) {{"
    return f"{before}{head}\n{constants}{body}\n}}\n"


def sub(result: str, one: str, into: str, type_: str) -> str:
    """The elements of `one` less those of `into`, which is its destination."""
    return f"""{result} = linalg.generic {{indexing_maps = [{MAP}, {MAP}], iterator_types = ["parallel"]}}
      ins({one} : {type_}) outs({into} : {type_}) {{
    ^bb0(%one: i64, %two: i64):
      %less = arith.subi %one, %two : i64
      linalg.yield %less : i64
    }} -> {type_}"""


CALLEES = f"""func.func private @writes(%p: {A} {{dnn.donated}}, %q: {A}, %at: index) -> {A} {{
  %e = tensor.extract %q[%at] : {A}
  %t = tensor.insert %e into %p[%at] : {A}
  func.return %t : {A}
}}
"""

PROGRAMS = {
    "copies": program(
        f"""  %w = tensor.insert %v into %a[%i] : {A}
  %e = tensor.extract %a[%j] : {A}
  %x = tensor.insert %e into %b[%j] : {A}
  {sub("%s", "%b", "%w", A)}
  func.return %s, %x : {A}, {A}""",
        f"{A}, {A}",
        kept="a",
    ),
    "slices": program(
        f"""  %s = tensor.extract_slice %a[%i] [4] [1] : {A} to {R}
  {sub("%f", "%r", "%s", R)}
  %y = tensor.insert_slice %f into %a[%i] [4] [1] : {R} into {A}
  %t = tensor.extract_slice %m[1, 0] [1, 4] [1, 1] : {M} to {R}
  {sub("%g", "%f", "%t", R)}
  %z = tensor.insert_slice %g into %m[1, 0] [1, 4] [1, 1] : {R} into {M}
  %q = tensor.extract_slice %b[0] [4] [1] : {A} to {R}
  %h = tensor.insert_slice %q into %y[8] [4] [1] : {R} into {A}
  func.return %h, %z : {A}, {M}""",
        f"{A}, {M}",
        kept="r",
    ),
    "unknown sizes": program(
        f"""  %s = tensor.extract_slice %u[%j] [%k] [1] : {N} to {N}
  %e = tensor.empty(%k) : {N}
  %f = linalg.fill ins(%v : i64) outs(%e : {N}) -> {N}
  {sub("%g", "%s", "%f", N)}
  %y = tensor.insert_slice %g into %u[%j] [%k] [1] : {N} into {N}
  {sub("%h", "%u", "%y", N)}
  func.return %h, %g : {N}, {N}""",
        f"{N}, {N}",
    ),
    "parts of turns": program(
        f"""  %o = tensor.empty() : {A}
  %f = linalg.fill ins(%v : i64) outs(%o : {A}) -> {A}
  %l = scf.for %t = %c0 to %c3 step %c1 iter_args(%p = %a) -> ({A}) {{
    %s = tensor.extract_slice %m[%t, 0] [1, 4] [1, 1] : {M} to {R}
    %w = tensor.insert_slice %s into %f[2] [4] [1] : {R} into {A}
    {sub("%g", "%w", "%p", A)}
    scf.yield %g : {A}
  }}
  func.return %l : {A}""",
        A,
    ),
    "swaps": program(
        f"""  %l:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%p = %a, %q = %b) -> ({A}, {A}) {{
    {sub("%s", "%p", "%q", A)}
    %w = tensor.insert %v into %s[%t] : {A}
    scf.yield %w, %p : {A}, {A}
  }}
  func.return %l#0, %l#1 : {A}, {A}""",
        f"{A}, {A}",
    ),
    "tiles": program(
        f"""  %l = scf.for %t = %c0 to %c12 step %c4 iter_args(%p = %a) -> ({A}) {{
    %s = tensor.extract_slice %p[%t] [4] [1] : {A} to {R}
    %o = tensor.extract_slice %b[%t] [4] [1] : {A} to {R}
    {sub("%f", "%o", "%s", R)}
    %y = tensor.insert_slice %f into %p[%t] [4] [1] : {R} into {A}
    scf.yield %y : {A}
  }}
  {sub("%d", "%b", "%l", A)}
  func.return %d : {A}""",
        A,
        kept="b",
    ),
    "branches": program(
        f"""  %z:2 = scf.if %c -> ({A}, {A}) {{
    %w = tensor.insert %v into %a[%i] : {A}
    scf.yield %w, %b : {A}, {A}
  }} else {{
    {sub("%s", "%a", "%b", A)}
    scf.yield %s, %a : {A}, {A}
  }}
  %o = arith.select %c, %z#0, %z#1 : {A}
  %e = tensor.extract %z#1[%j] : {A}
  %t = tensor.insert %e into %o[%i] : {A}
  func.return %t : {A}""",
        A,
    ),
    "calls": program(
        f"""  %p = func.call @writes(%a, %b, %i) : ({A}, {A}, index) -> {A}
  %q = func.call @writes(%p, %p, %j) : ({A}, {A}, index) -> {A}
  {sub("%s", "%p", "%q", A)}
  %t = func.call @writes(%b, %s, %j) : ({A}, {A}, index) -> {A}
  func.return %s, %t : {A}, {A}""",
        f"{A}, {A}",
        before=CALLEES,
    ),
    "blocks": program(
        f"""  cf.br ^head(%a, %b, %c0 : {A}, {A}, index)
^head(%s: {A}, %t: {A}, %p: index):
  %w = tensor.insert %v into %s[%p] : {A}
  %q = arith.addi %p, %c1 : index
  %more = arith.cmpi slt, %q, %c3 : index
  cf.cond_br %more, ^head(%t, %w, %q : {A}, {A}, index), ^done
^done:
  cf.cond_br %c, ^join(%w : {A}), ^join(%t : {A})
^join(%y: {A}):
  %e = tensor.extract %y[%i] : {A}
  func.return %w, %e : {A}, i64""",
        f"{A}, i64",
    ),
    "choices": program(
        f"""  %w = tensor.insert %v into %b[%i] : {A}
  %r1 = scf.if %c -> ({A}) {{
    scf.yield %w : {A}
  }} else {{
    scf.yield %a : {A}
  }}
  %e = tensor.extract %b[%j] : {A}
  func.return %r1, %e : {A}, i64""",
        f"{A}, i64",
    ),
    "switches": program(
        f"""  %flag = arith.index_cast %k : index to i64
  cf.switch %flag : i64, [
    default: ^end(%a : {A}),
    1: ^one(%b : {A}),
    2: ^end(%b : {A})
  ]
^one(%s: {A}):
  %w = tensor.insert %v into %s[%i] : {A}
  cf.br ^end(%w : {A})
^end(%y: {A}):
  %e = tensor.extract %y[%j] : {A}
  func.return %y, %e : {A}, i64""",
        f"{A}, i64",
    ),
    "turns": program(
        f"""  %l:2 = scf.while (%p = %a, %t = %c0) : ({A}, index) -> ({A}, index) {{
    %more = arith.cmpi slt, %t, %c3 : index
    scf.condition(%more) %p, %t : {A}, index
  }} do {{
  ^bb0(%p: {A}, %t: index):
    %e = tensor.extract %b[%t] : {A}
    %w = tensor.insert %e into %p[%i] : {A}
    {sub("%s", "%b", "%w", A)}
    %q = arith.addi %t, %c1 : index
    scf.yield %s, %q : {A}, index
  }}
  func.return %l#0 : {A}""",
        A,
        kept="b",
    ),
    "shapes": program(
        f"""  %x = tensor.expand_shape %a [[0, 1]] output_shape [3, 4] : {A} into {M}
  %e = tensor.empty() : {M}
  %s = linalg.sub ins(%x, %m : {M}, {M}) outs(%e : {M}) -> {M}
  %w = tensor.insert %v into %m[%c1, %c3] : {M}
  %f = tensor.collapse_shape %w [[0, 1]] : {M} into {A}
  %k0 = arith.constant dense<[1, 2, 3, 4]> : {R}
  %p = tensor.insert_slice %k0 into %f[4] [4] [1] : {R} into {A}
  %o = tensor.concat dim(0) %r, %k0, %r : ({R}, {R}, {R}) -> {A}
  {sub("%z", "%p", "%o", A)}
  func.return %s, %z : {M}, {A}""",
        f"{M}, {A}",
        kept="am",
    ),
    "growing": program(
        f"""  %l = scf.for %t = %c0 to %c3 step %c1 iter_args(%p = %u) -> ({N}) {{
    %d = tensor.dim %p, %c0 : {N}
    %more = arith.addi %d, %c1 : index
    %e = tensor.empty(%more) : {N}
    %f = linalg.fill ins(%v : i64) outs(%e : {N}) -> {N}
    %s = tensor.insert_slice %p into %f[0] [%d] [1] : {N} into {N}
    scf.yield %s : {N}
  }}
  %x = tensor.extract %l[%n] : {N}
  %y = tensor.extract %u[%i] : {N}
  %z = arith.addi %x, %y : i64
  func.return %z : i64""",
        "i64",
        kept="u",
    ),
    "growing in turns": program(
        f"""  %l:2 = scf.for %t = %c0 to %c3 step %c1 iter_args(%p = %u, %q = %u) -> ({N}, {N}) {{
    %d = tensor.dim %q, %c0 : {N}
    %more = arith.addi %d, %c1 : index
    %e = tensor.empty(%more) : {N}
    %f = linalg.fill ins(%v : i64) outs(%e : {N}) -> {N}
    %less = tensor.dim %p, %c0 : {N}
    %s = tensor.insert_slice %p into %f[0] [%less] [1] : {N} into {N}
    %g = scf.if %c -> ({N}) {{
      scf.yield %s : {N}
    }} else {{
      scf.yield %q : {N}
    }}
    scf.yield %q, %g : {N}, {N}
  }}
  func.return %l#0, %l#1 : {N}, {N}""",
        f"{N}, {N}",
        kept="u",
    ),
    "shrinking": program(
        f"""  %l:3 = scf.while (%p = %a, %q = %u, %t = %c0) : ({A}, {N}, index) -> ({A}, {N}, index) {{
    %more = arith.cmpi slt, %t, %j : index
    scf.condition(%more) %p, %q, %t : {A}, {N}, index
  }} do {{
  ^bb0(%p: {A}, %q: {N}, %t: index):
    %d = tensor.dim %q, %c0 : {N}
    %size = arith.subi %d, %c1 : index
    %e = tensor.empty(%size) : {N}
    %f = linalg.fill ins(%v : i64) outs(%e : {N}) -> {N}
    %o = tensor.extract_slice %q[1] [%size] [1] : {N} to {N}
    {sub("%s", "%o", "%f", N)}
    %next = arith.addi %t, %c1 : index
    %w = tensor.insert %v into %p[%t] : {A}
    scf.yield %w, %s, %next : {A}, {N}, index
  }}
  func.return %l#0, %l#1 : {A}, {N}""",
        f"{A}, {N}",
        kept="u",
    ),
}
