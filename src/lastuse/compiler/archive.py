"""The file of a saved program: a zip archive whose members are not compressed, and lie at multiples of 64 bytes, so
that arrays are used where the file is mapped.

The comment of the archive has the version of the form and the SHA-256 of the first member, the header. The header has
the SHA-256 of every other member. All of them are compared when a file is opened; those of large members on a thread,
while the program is prepared, and before it runs.
"""

from __future__ import annotations

import json
import mmap
import re
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from threading import Thread
from typing import IO, Any

import numpy as np

from lastuse.dialect.ir.diagnostics import LastuseError, Location
from lastuse.dialect.ir.files import write_whole
from lastuse.dialect.storage.layout import ALIGNMENT, aligned

FORM = 1
"""Version of the form. A file of a later one is refused."""
HEADER = "header.json"
COMMENT = re.compile(rb"lastuse program (\d{1,9}) ([0-9a-f]{64})")
LARGE = 1 << 20
"""Members of so many bytes are compared on a thread."""
_LOCAL = struct.Struct("<4s22xHH")
"""The header before a member's bytes: its magic number, and the lengths of the name and of the extra field."""
_MAGIC = b"PK\3\4"
_PADDING = struct.Struct("<HH")
_PADDING_ID = 0xD935
"""The extra field that aligns, as Android's tools name it."""
_ZIP64_BYTES = 20
_ENCRYPTED = 1
_DAMAGED = (zipfile.BadZipFile, NotImplementedError, struct.error, ValueError, EOFError, OverflowError, RecursionError)
"""What reading the directory raises where the file is damaged."""

Part = bytes | memoryview
Parts = Mapping[str, Part]


def write_archive(path: str | Path, header: Mapping[str, Any], parts: Parts) -> None:
    """
    Writes a file of these members, whole or not at all.

    Args:
        header: JSON values; the hashes of the parts are added.
        parts: contiguous bytes by name.

    Raises:
        LastuseError: the file cannot be written.
    """
    hashes = {name: _sha256(part) for name, part in parts.items()}
    first = json.dumps({**header, "parts": hashes}, separators=(",", ":")).encode()

    def write(file: IO[bytes]) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            archive.comment = f"lastuse program {FORM} {_sha256(first)}".encode()
            for name, part in {HEADER: first, **parts}.items():
                info = zipfile.ZipInfo(name)
                info.external_attr = 0o644 << 16
                begin = file.tell() + _LOCAL.size + len(name.encode()) + _PADDING.size
                begin += _ZIP64_BYTES if memoryview(part).nbytes * 1.05 > zipfile.ZIP64_LIMIT else 0
                padding = aligned(begin) - begin
                info.extra = _PADDING.pack(_PADDING_ID, padding) + bytes(padding)
                archive.writestr(info, part)

    write_whole(path, write)


class Archive:
    """A file that `write_archive` made, mapped read-only.

    Attributes:
        header: the JSON values.
    """

    def __init__(self, path: str | Path) -> None:
        """
        Raises:
            LastuseError: the file cannot be read, is none of a saved program, of a later form, or damaged.
        """
        self._at = Location(str(path))
        try:
            with open(path, "rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                self._members = self._directory(file)
        except OSError as error:
            raise LastuseError(f"cannot be read: {error.strerror or error}", self._at) from error
        except _DAMAGED as error:
            reason = " ".join(str(error).split())
            raise LastuseError(f"is no whole file of a saved program: {reason}", self._at) from error
        self.header = self._header()
        self._hashes = {str(name): str(hash_) for name, hash_ in self.header.get("parts", {}).items()}
        self._large = [name for name in self._hashes if len(self.member(name)) >= LARGE]
        for name in self._hashes.keys() - set(self._large):
            self._compare(name)
        self._differing: str | None = None
        self._compared = not self._large
        self._thread = Thread(target=self._compare_large, name="lastuse: hashes of a saved program", daemon=True)
        if self._large:
            self._thread.start()

    def _directory(self, file: IO[bytes]) -> dict[str, zipfile.ZipInfo]:
        with zipfile.ZipFile(file) as archive:
            form = COMMENT.fullmatch(archive.comment)
            if form is None:
                raise LastuseError("is no file of a saved program, or a damaged one", self._at)
            if int(form[1]) > FORM:
                newer = f"was saved by a later lastuse, in form {int(form[1])}; this one reads forms up to {FORM}"
                raise LastuseError(newer, self._at)
            self._header_hash = form[2].decode()
            return {info.filename: info for info in archive.infolist()}

    def _header(self) -> dict[str, Any]:
        data = self.member(HEADER)
        if _sha256(data) != self._header_hash:
            raise self._damage(HEADER)
        header = json.loads(bytes(data))
        if not isinstance(header, dict) or not isinstance(header.get("parts"), dict):  # pyright: ignore
            raise LastuseError("has a header that is none of a saved program", self._at)
        return header  # pyright: ignore[reportUnknownVariableType]

    def member(self, name: str) -> memoryview:
        """The bytes of a member, read-only, where the file is mapped."""
        info = self._members.get(name)
        if info is None or info.compress_type != zipfile.ZIP_STORED or info.flag_bits & _ENCRYPTED:
            raise self._damage(name)
        local = info.header_offset, info.header_offset + _LOCAL.size
        if info.compress_size != info.file_size or local[0] < 0 or local[1] > len(self._map):
            raise self._damage(name)
        magic, name_bytes, extra_bytes = _LOCAL.unpack(self._map[local[0] : local[1]])
        begin = local[1] + name_bytes + extra_bytes
        if magic != _MAGIC or begin + info.file_size > len(self._map):
            raise self._damage(name)
        return memoryview(self._map)[begin : begin + info.file_size]

    def array(self, name: str, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
        """A member as an array that is not copied. Raises LastuseError where it has other bytes."""
        data = self.member(name)
        count = 1
        for size in shape:
            count *= size
        if len(data) != count * dtype.itemsize or min(shape, default=0) < 0:
            raise self._damage(name)
        array = np.frombuffer(data, dtype) if count else np.empty(0, dtype)
        if array.ctypes.data % ALIGNMENT and count:
            raise self._damage(name)
        array.flags.writeable = False
        return array.reshape(shape)

    def json(self, name: str) -> Any:
        """A member as JSON values."""
        if name not in self._hashes:
            raise self._damage(name)
        try:
            return json.loads(bytes(self.member(name)))
        except (ValueError, RecursionError) as error:
            raise self._damage(name) from error

    def compare(self) -> None:
        """Waits until all members have been compared with their hashes. Raises LastuseError where one differs."""
        if not self._compared:
            self._thread.join()
            if not self._compared:  # a child of a fork has no such thread
                self._compare_large()
        if self._differing is not None:
            raise self._damage(self._differing)

    def _compare_large(self) -> None:
        differing = next((name for name in self._large if not self._is_same(name)), None)
        self._differing, self._compared = differing, True

    def _compare(self, name: str) -> None:
        if not self._is_same(name):
            raise self._damage(name)

    def _is_same(self, name: str) -> bool:
        return _sha256(self.member(name)) == self._hashes[name]

    def _damage(self, name: str) -> LastuseError:
        return LastuseError(f"is damaged: {name} is not what was saved", self._at)


def _sha256(data: bytes | memoryview) -> str:
    import hashlib  # which few programs need

    return hashlib.sha256(data).hexdigest()
