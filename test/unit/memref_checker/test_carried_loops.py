"""Memref forms of loops, of tensors that change their size and of others: proved, and refused once changed."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import ModuleOp

from lastuse.compiler.driver import context
from lastuse.dialect.ir.diagnostics import LastuseError
from lastuse.dialect.ir.flow_graphs import functions_of, topological_order
from lastuse.frontends.text.mlir_parser import parse
from lastuse.passes.bufferize import BufferizePass
from lastuse.passes.memref_checker import check

N = "tensor<?xf32>"


def loop(body: str, carried: str = "%a = %x", results: str = N, after: str = "func.return %r : tensor<?xf32>") -> str:
    """A function with a loop; `body` is behind the size of %a, `%size`."""
    return f"""func.func @main(%x: {N}, %n: index, %v: f32, %c: i1) -> {after.rpartition(" : ")[2]} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r{":2" if "," in results else ""} = scf.for %k = %c0 to %n step %c1 iter_args({carried}) -> ({results}) {{
    %size = tensor.dim %a, %c0 : {N}
    %more = arith.addi %size, %c1 : index
{body}
  }}
  {after}
}}"""


GROW = f"""%e = tensor.empty(%more) : {N}
    %f = linalg.fill ins(%v : f32) outs(%e : {N}) -> {N}
    %g = tensor.insert_slice %a into %f[0] [%size] [1] : {N} into {N}"""
PROGRAMS = {
    "grows": loop(f"{GROW}\n scf.yield %g : {N}"),
    "read behind": loop(
        f"{GROW}\n scf.yield %g : {N}", after=f"%s = tensor.extract %r[%c0] : {N}\n func.return %s : f32"
    ),
    "own memory before": loop(f"{GROW}\n scf.yield %g : {N}")
    .replace("iter_args(%a = %x)", "iter_args(%a = %y)")
    .replace(
        "  %r =",
        f"  %y0 = tensor.empty(%n) : {N}\n  %y = linalg.fill ins(%v : f32) outs(%y0 : {N}) -> {N}\n  %r =",
    ),
    "grows where a flag says": loop(
        f"""%z = scf.if %c -> ({N}) {{
      {GROW}
      scf.yield %g : {N}
    }} else {{
      scf.yield %a : {N}
    }}
    scf.yield %z : {N}"""
    ),
    "the last two": loop(f"{GROW}\n scf.yield %g, %a : {N}, {N}", "%a = %x, %b = %x", f"{N}, {N}")
    .replace("-> tensor<?xf32> {\n  %c0", "-> (tensor<?xf32>, tensor<?xf32>) {\n  %c0")
    .replace(f"func.return %r : {N}", f"func.return %r#0, %r#1 : {N}, {N}"),
    "a loop in a loop": loop(
        f"""%q = scf.for %l = %c0 to %n step %c1 iter_args(%b = %a) -> ({N}) {{
      %d = tensor.dim %b, %c0 : {N}
      %m = arith.addi %d, %c1 : index
      %e = tensor.empty(%m) : {N}
      %f = linalg.fill ins(%v : f32) outs(%e : {N}) -> {N}
      %g = tensor.insert_slice %b into %f[1] [%d] [1] : {N} into {N}
      scf.yield %g : {N}
    }}
    scf.yield %q : {N}"""
    ),
    "two of one size": loop(
        f"""{GROW}
    %h = linalg.fill ins(%v : f32) outs(%f : {N}) -> {N}
    %p = tensor.insert_slice %b into %h[0] [%size] [1] : {N} into {N}
    %s = linalg.add ins(%g, %p : {N}, {N}) outs(%p : {N}) -> {N}
    scf.yield %g, %s : {N}, {N}""",
        "%a = %x, %b = %x",
        f"{N}, {N}",
    )
    .replace("-> tensor<?xf32> {\n  %c0", "-> (tensor<?xf32>, tensor<?xf32>) {\n  %c0")
    .replace(f"func.return %r : {N}", f"func.return %r#0, %r#1 : {N}, {N}"),
    "every other element": """func.func @main(%x: tensor<16xf32> {dnn.donated}) -> tensor<16xf32> {
  %a = tensor.extract_slice %x[0] [8] [2] : tensor<16xf32> to tensor<8xf32>
  %b = tensor.extract_slice %x[1] [8] [2] : tensor<16xf32> to tensor<8xf32>
  %p = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %y = tensor.insert_slice %p into %x[0] [8] [2] : tensor<8xf32> into tensor<16xf32>
  %q = linalg.mul ins(%p, %b : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %z = tensor.insert_slice %q into %y[1] [8] [2] : tensor<8xf32> into tensor<16xf32>
  func.return %z : tensor<16xf32>
}""",
    "a scan": """func.func @main(%x: tensor<16xf32>) -> (tensor<16xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %r:2 = scf.for %k = %c0 to %c16 step %c1 iter_args(%a = %e, %s = %z) -> (tensor<16xf32>, f32) {
    %p = tensor.extract %x[%k] : tensor<16xf32>
    %q = arith.addf %p, %s : f32
    %y = tensor.insert %q into %a[%k] : tensor<16xf32>
    scf.yield %y, %q : tensor<16xf32>, f32
  }
  func.return %r#0, %r#1 : tensor<16xf32>, f32
}""",
}
DEALLOC = r"scf\.if %\w+ \{\s*(memref\.dealloc [^\n]*)\n\s*\}"
CHANGES = {
    "an argument is given back": ("grows", DEALLOC, r"\1"),
    "memory is given back early": ("grows", r"(    %e = memref\.alloc)", r"    memref.dealloc %a : TYPE\n\1"),
    "what was given back is passed on": ("grows", r"scf\.yield %\w+ :", "scf.yield %a :"),
    "what was made is given back": ("grows", r"memref\.dealloc %a : ", "memref.dealloc %e : "),
    "the next one is shorter": ("grows", r"memref\.alloc\(%more\)", "memref.alloc(%n)"),
    "what is read behind was given back": (
        "read behind",
        r"(%s = memref\.load[^\n]*)\n((?:.|\n)*memref\.dealloc %r[^\n]*\n\s*\})",
        r"\2\n\1",
    ),
    "own memory is given back twice": ("own memory before", r"(memref\.dealloc %a[^\n]*)", r"\1\n\1"),
    "memory that the loop was handed is read": (
        "own memory before",
        r"func\.return %r : [^\n]*",
        r"%t = memref.load %y0[%c0] : memref<?xf32>\n memref.store %t, %r[%c0] : memref<?xf32>\n\g<0>",
    ),
    "what a turn took is not given back": ("grows", DEALLOC, ""),
    "what is left behind the loop is not given back": ("read behind", r"memref\.dealloc %r[^\n]*", ""),
    "own memory is not given back": ("own memory before", r"memref\.dealloc %a[^\n]*", ""),
    "an arm does not give back what it passes on no more": ("grows where a flag says", DEALLOC, ""),
    "the inner loop does not give back what it was given": ("a loop in a loop", r"memref\.dealloc %b : [^\n]*", ""),
    "an arm gives back what it passes on": (
        "grows where a flag says",
        r"scf\.yield %a :",
        r"memref.dealloc %a : TYPE\n scf.yield %a :",
    ),
    "what both may be is given back": ("the last two", DEALLOC, r"\1"),
    "the wrong one is given back": ("the last two", r"memref\.dealloc %b : ", "memref.dealloc %a : "),
    "the outer one is given back in the inner loop": (
        "a loop in a loop",
        r"memref\.dealloc %b : ",
        "memref.dealloc %a : ",
    ),
    "other elements": ("every other element", r"subview %x\[1\]", "subview %x[2]"),
    "the sum of others": ("a scan", r"memref\.load %x\[%k\]", "memref.load %x[%c0]"),
}


def formed(name: str) -> tuple[ModuleOp, ModuleOp]:
    """A program with decisions, and its form."""
    ctx, way = context(), BufferizePass(arena="none", layouts="identity")
    source = parse(ctx, PROGRAMS[name], "loops.mlir")
    way.decide(ctx, source, topological_order(functions_of(source)))
    form = source.clone()
    way.apply(ctx, form)
    return source, form


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("layouts", ["strided", "identity"])
@pytest.mark.parametrize("arguments", ["declared", "writable"])
def test_forms_are_proved(name: str, layouts: str, arguments: str) -> None:
    ctx = context()
    module = parse(ctx, PROGRAMS[name], "loops.mlir")
    BufferizePass(layouts=layouts, arguments=arguments, unproved="error").apply(ctx, module)


@pytest.mark.parametrize("what", CHANGES)
def test_changed_forms_are_not_proved(what: str) -> None:
    name, pattern, new = CHANGES[what]
    source, form = formed(name)
    text = str(form)
    changed = re.sub(pattern, new.replace("TYPE", "memref<?xf32>"), text)
    assert changed != text, text
    try:
        assert check([*functions_of(source).values()], parse(context(), changed, "form.mlir")), changed
    except LastuseError as error:
        assert "the memref form is wrong" in str(error)
