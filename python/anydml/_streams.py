# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Where work on a GPU goes: torch's current stream if a tensor of torch is among the arrays, CUDA's
default stream otherwise.

If all arrays are torch's, a call returns as soon as its work is on the stream: torch's allocator
gives memory of a stream out again for work on the same stream alone, so that nothing need be kept.
Arrays of other kinds are given back to people who know nothing of the stream: the call waits.
"""


def current(kinds, arrays):
    """The stream on which memory of these arrays will be used, as CUDA numbers it."""
    for kind, array in zip(kinds, arrays):
        if kind.has_streams and kind.on_gpu(array):
            return kind.stream(array.device.index)
    return 0


class Launcher:
    """Runs one compiled operator on its GPU."""

    def __init__(self, operator, device, kinds):
        self.operator = operator
        self.number = int(device.partition(":")[2])
        self.kind = next((kind for kind in kinds if kind.has_streams), None)
        self.waits = not all(kind.has_streams for kind in kinds)
        self.temporary_bytes = operator.temporary_bytes()

    def __call__(self, inputs, outputs):
        stream = self.kind.stream(self.number) if self.kind else 0
        if self.waits:
            self.operator.run(inputs, outputs, stream)
        elif self.temporary_bytes:
            temporary = self.kind.temporary(self.temporary_bytes, self.number)
            self.operator.start(inputs, outputs, temporary.data_ptr(), stream)
        else:
            self.operator.start(inputs, outputs, None, stream)
