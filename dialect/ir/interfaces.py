"""What an op class may say of itself to the rest of the compiler, whatever its dialect; how the classes are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from inspect import isabstract
from pkgutil import walk_packages
from types import GenericAlias

from xdsl.ir import Operation, SSAValue

from lastuse.dialect.ir.tensor_types import TensorInfo


class InfersShapes(ABC):
    """An op class that tells the types of its results from those of its operands.

    Nothing but attributes and types decides what its verifier says, and no op of the class reads floating-point
    numbers as bits.
    """

    @abstractmethod
    def infer(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        """Shapes and element types of the results; a size that cannot be told is None.

        Raises:
            ValueError: the operands do not fit the op.
        """

    def infer_with_contents(self, operands: Sequence[TensorInfo]) -> tuple[TensorInfo, ...]:
        """As `infer`, for operands whose contents may be known, with the contents of results where they follow."""
        return self.infer([info if info.content is None else info._replace(content=None) for info in operands])

    def size_divisors(self) -> Collection[int]:
        """Numbers by whose remainders of sizes the op does something else, which no shape of a result says: pads of a
        window that moves in such steps."""
        return ()


class HasTensorForm(ABC):
    """An op class that takes or writes a part of operand 0, at offsets that operands of one integer hold: ops of
    `tensor` say the same, once the offsets are numbers."""

    @abstractmethod
    def start_values(self) -> Sequence[SSAValue]:
        """The operand that holds the first element of the part, for each axis, before it is clamped."""

    @abstractmethod
    def part_of_operand(self) -> SSAValue:
        """The value that has the sizes of the part: a result, or an operand."""

    @abstractmethod
    def tensor_form(self, offsets: Sequence[SSAValue | int], sizes: Sequence[SSAValue | int]) -> Operation:
        """The op of `tensor`, not yet in a block, with the results and the decisions of this one.

        Args:
            offsets: the first element of the part along each axis, which lies inside: numbers, or values of type
                `index`.
            sizes: of the part, likewise.
        """


def operations_below(package: str, path: Iterable[str]) -> list[type[Operation]]:
    """Every op class that a file of the package or of a package in it defines: files by name, classes as written."""
    return [
        item
        for file in walk_packages(path, f"{package}.")
        for item in vars(import_module(file.name)).values()
        if isinstance(item, type)
        and item.__module__ == file.name  # asked first: what follows takes long for each class that a file imports
        and not isinstance(item, GenericAlias)  # Python 3.10 takes an alias like list[int] for a class
        and issubclass(item, Operation)
        and "name" in vars(item)
        and not isabstract(item)
    ]
