"""
A stream through Silero VAD: 32 ms of sound at a time, and the state of the model in one array that every run reads and
writes.

    python examples/vad/stream.py       prints the probability of speech in a generated signal, and the memory
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, i32

import lastuse
from lastuse.compiler.driver import context
from lastuse.dialect.ir.flow_graphs import functions_of
from lastuse.dialect.storage import attrs
from lastuse.frontends.bindings import Bindings
from lastuse.frontends.loader import load

RATE, CHUNK, PAST = 16000, 512, 64
"""Samples a second, of a run, and of the sound before it that a run reads again."""
Array = np.ndarray


def program(model: Path) -> lastuse.Program:
    """The model for one stream. Its new state is written to the memory of the old one (`dnn.tied`)."""
    shapes = {"input": (1, PAST + CHUNK), "state": (2, 1, 128)}
    module = load(context(), model, Bindings(shapes=shapes, values={"sr": np.array(RATE)}))
    main = functions_of(module)["main"]
    state = [attrs.source_name(argument) for argument in main.body.blocks[0].args].index("state")
    tied = {attrs.TIED: IntegerAttr(state, i32)}
    results = [attrs.result_attributes(main, index) for index in range(2)]
    main.res_attrs = ArrayAttr([DictionaryAttr(results[0]), DictionaryAttr(results[1] | tied)])
    return lastuse.compile(module, threads=1)


class Stream:
    """Probabilities of speech, chunk by chunk."""

    def __init__(self, model: lastuse.Program) -> None:
        self.model = model
        self.state = np.zeros((2, 1, 128), np.float32)
        self.sound = np.zeros((1, PAST + CHUNK), np.float32)

    def __call__(self, chunk: Array) -> float:
        """The probability of speech in `chunk`, f32 [CHUNK], which follows the one before."""
        self.sound[0, :PAST] = self.sound[0, CHUNK:]
        self.sound[0, PAST:] = chunk
        feeds = {"input": self.sound, "state": self.state, "sr": np.array(RATE)}
        return float(self.model.run(feeds)["output"][0, 0])


def signal(seconds: float) -> Array:
    """A voice-like sound in the middle of silence: pulses of a throat, 120 a second, through three resonances."""
    count = int(seconds * RATE)
    pulses = np.zeros(count)
    pulses[:: RATE // 120] = 1
    sound = pulses
    for frequency, width in ((700, 80), (1200, 90), (2600, 120)):
        sound = _resonance(sound, frequency, width)
    sound *= 0.3 / np.abs(sound).max()
    time = np.arange(count) / count
    sound *= (time > 1 / 3) & (time < 2 / 3)
    return (sound + 1e-4 * np.random.default_rng(0).normal(size=count)).astype(np.float32)


def _resonance(sound: Array, frequency: float, width: float) -> Array:
    """A filter of two poles at that frequency, of that width, in Hz."""
    radius = np.exp(-np.pi * width / RATE)
    first, second = 2 * radius * np.cos(2 * np.pi * frequency / RATE), -(radius**2)
    out = np.zeros(len(sound) + 2)
    for k, value in enumerate(sound):
        out[k + 2] = value + first * out[k + 1] + second * out[k]
    return out[2:]


def chunks(sound: Array) -> Iterator[Array]:
    """Whole chunks, one after the other."""
    yield from sound[: len(sound) // CHUNK * CHUNK].reshape(-1, CHUNK)


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    from fetch import fetch

    stream = Stream(program(fetch()))
    for number, chunk in enumerate(chunks(signal(3))):
        probability = stream(chunk)
        if number % 4 == 0:
            print(f"{number * CHUNK / RATE:5.2f} s  {probability:.3f}  {'#' * round(40 * probability)}")
    memory = stream.model.memory
    print(f"arena {memory.arena_bytes:,} bytes, weights {memory.weight_bytes:,}, packed {memory.packed_bytes:,}")


if __name__ == "__main__":
    main()
