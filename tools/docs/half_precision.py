# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The picture of half-precision sums: AnyDML's by runs of models/half_precision_resize_gradient.json
at growing sizes, the others by adding one after the other in that precision, here."""
import json
import math
import pathlib
import re
import struct
import tempfile

from svg import Drawing

SIZES = [2 ** i for i in range(8)]      # 1 to 128: 1 to 16384 gradients
LEFT, TOP, WIDTH, HEIGHT = 70, 76, 420, 280


def to_float16(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def to_bfloat16(value):
    """To nearest even, of a value that is far from infinity."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    bits += 0x7FFF + (bits >> 16 & 1)
    return struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0]


def sums(rounded, counts):
    """Of as many ones, rounded after every addition."""
    found, total = {}, 0.0
    for i in range(1, max(counts) + 1):
        total = rounded(total + 1.0)
        found[i] = total
    return [found[count] for count in counts]


def anydml_sums(run, root):
    text = (root / "models/half_precision_resize_gradient.json").read_text()
    model = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            model["resources"]["inputGradient"]["initialValues"]["valueCount"] = size * size
            desc = model["dispatchables"]["op"]["desc"]
            desc["InputGradientTensor"]["Sizes"] = desc["Scales"] = [1, 1, size, size]
            path = pathlib.Path(folder) / "model.json"
            path.write_text(json.dumps(model))
            found.append(float(run("run", path).split(": ")[1]))
    return found


def x_of(count):
    return LEFT + math.log2(count) / 14 * WIDTH


def y_of(total):
    return TOP + HEIGHT - math.log2(total) / 14 * HEIGHT


def draw(run, root):
    counts = [2 ** i for i in range(15)]
    drawn = [size * size for size in SIZES]
    drawing = Drawing("Sums of half-precision gradients", 720, 420)
    drawing.text(20, 30, "One FLOAT16 pixel was enlarged: its gradient is the sum of all that come "
                 "back", size=15, weight="bold")
    drawing.text(20, 50, "LINEAR RESAMPLE_GRAD1, n x n gradients of 1; both axes are logarithmic",
                 "faint")
    for power in range(0, 15, 2):
        x, y = x_of(2 ** power), y_of(2 ** power)
        drawing.add(f'<path class="grid" d="M{LEFT} {y:.1f}H{LEFT + WIDTH}M{x:.1f} {TOP}'
                    f'V{TOP + HEIGHT}"/>')
        drawing.text(LEFT - 8, y + 4, str(2 ** power), "faint", 11, "end")
        drawing.text(x, TOP + HEIGHT + 18, str(2 ** power), "faint", 11, "middle")
    drawing.text(LEFT + WIDTH / 2, TOP + HEIGHT + 40, "gradients that are added", "faint",
                 anchor="middle")
    for style, name, xs, totals in (
            ("third", "sums in bfloat16", counts, sums(to_bfloat16, counts)),
            ("other", "sums in FLOAT16", counts, sums(to_float16, counts)),
            ("ours", "AnyDML, and exact", drawn, anydml_sums(run, root))):
        points = [(x_of(count), y_of(total)) for count, total in zip(xs, totals)]
        drawing.add(f'<path class="curve {style}" style="fill:none" d="M'
                    + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + '"/>')
        for count, (x, y) in zip(xs, points):
            if count not in drawn:      # a dot where AnyDML has one, lest one line look broken
                continue
            drawing.add(f'<circle class="{style}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
        drawing.text(points[-1][0] + 12, points[-1][1] + 4, f"{totals[-1]:.0f}", size=13,
                     weight="bold")
        drawing.text(points[-1][0] + 62, points[-1][1] + 4, name, "faint")
    return drawing.svg()
