# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The picture of the house: a box per layer of src/, and arrows for who includes whom, read from
the sources. An arrow that others imply is left out."""
import re

from svg import Drawing

INCLUDE = re.compile(r'^\s*#\s*include\s*"(\w+)/', re.MULTILINE)
WIDE, HIGH, STEP_X, STEP_Y = 178, 48, 196, 86
# (column, row, what it is for)
DOORS = {
    "DirectML programs": (0, 0, "directml.h, d3d12.h, dxcore.h"),
    "C and C++": (1, 0, "anydml.h, anydml/*.hpp"),
    "Python, PyTorch": (2, 0, "import anydml"),
    "anydml": (3, 0, "run, check, draw, grad"),
}
LAYERS = {
    "directml": (0, 1, "the IDML objects"),
    "c_api": (1.6, 1, "handles, cache, values"),
    "d3d12": (0, 2, "memory, queues, fences"),
    "train": (1.9, 2, "losses, steps, checkpoints"),
    "gradient": (1.8, 3, "reverse accumulation"),
    "model": (3, 3, "JSON models"),
    "graph": (1, 4, "order, memory plan, fusion"),
    "operators": (1.5, 5, "what the pages say"),
    "kernels": (1.15, 6, "one folder per family"),
    "backends": (0.4, 7, "threads, SIMD, CUDA"),
    "schema": (2.5, 7, "what is valid, in tables"),
    "tensor": (1.5, 8, "types, layouts, loops"),
    "base": (1.5, 9, "results, checked arithmetic"),
}
OPENS = [("DirectML programs", "directml"), ("C and C++", "c_api"), ("Python, PyTorch", "c_api"),
         ("anydml", "c_api"), ("anydml", "model")]


def used_layers(root):
    """{layer: layers that its files include}"""
    found = {}
    for layer in LAYERS:
        found[layer] = set()
        for file in (root / "src" / layer).rglob("*"):
            if file.suffix in (".h", ".cpp", ".cu", ".cuh") and not file.name.startswith("test"):
                found[layer] |= set(INCLUDE.findall(file.read_text())) & set(LAYERS)
        found[layer].discard(layer)
    return found


def reachable(used, layer):
    return used[layer].union(*(reachable(used, other) for other in used[layer]), set())


def arrows(used):
    """Without those that lead where another one leads as well."""
    for layer, others in used.items():
        implied = set().union(*(reachable(used, other) for other in others), set())
        for other in sorted(others - implied):
            yield layer, other


def place(box):
    return 20 + box[0] * STEP_X, 66 + box[1] * STEP_Y


def draw_box(drawing, name, box, style):
    x, y = place(box)
    drawing.add(f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{WIDE}" height="{HIGH}" '
                'rx="5"/>')
    drawing.text(x + WIDE / 2, y + 21, name, size=14, anchor="middle", weight="bold")
    drawing.text(x + WIDE / 2, y + 38, box[2], "faint", 11, "middle")


def draw_arrow(drawing, start, end):
    x0, y0 = place(start)
    x1, y1 = place(end)
    drift = max(-60, min(60, (x1 - x0) / 3))        # arrows of one box leave side by side
    x0, y0, x1 = x0 + WIDE / 2 + drift, y0 + HIGH, x1 + WIDE / 2 - drift
    drawing.add(f'<path class="line" d="M{x0:.1f} {y0:.1f}C{x0:.1f} {y0 + 26:.1f} {x1:.1f} '
                f'{y1 - 30:.1f} {x1:.1f} {y1 - 6:.1f}"/>')
    drawing.add(f'<path class="tip" d="M{x1:.1f} {y1:.1f}l-4 -7h8z"/>')


def draw(root):
    folders = {folder.name for folder in (root / "src").iterdir() if folder.is_dir()}
    if folders != set(LAYERS):
        raise SystemExit(f"tools/docs/house.py draws other layers than src/ has: {folders}")
    drawing = Drawing("The layers of src/ and who uses whom", 806, 908)
    drawing.text(20, 30, "Architecture", size=16, weight="bold")
    drawing.text(20, 48, f"Four interfaces, {len(LAYERS)} layers of src/; an arrow says who includes whom, read from "
                 "the sources", "faint")
    boxes = {**DOORS, **LAYERS}
    for start, end in [*OPENS, *arrows(used_layers(root))]:
        draw_arrow(drawing, boxes[start], boxes[end])
    for name, box in DOORS.items():
        draw_box(drawing, name, box, "door")
    for name, box in LAYERS.items():
        draw_box(drawing, name, box, "box")
    return drawing.svg()
