#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Bar charts of the benchmark's results.

    python3 draw_results.py RESULTS.json... [--folder FOLDER] [--processor NAME]

writes overview.svg (the gradients in FLOAT32 on packed tensors) and one chart per operator. A bar
is a time as a multiple of the copy of the same bytes in the same run; the copy's own bar is 1.
A bar that is longer than the picture has a gap near its end, and its number. Peers that were
shown and not raced are left to the table.
"""
import argparse
import html
import json
import pathlib

MOST = 8.0                      # bars end here, with a gap where more was left out
LABELS, PLOT, NUMBERS = 330, 420, 150
BAR, GAP, MARGIN, HEAD = 11, 13, 20, 74
SERIES = (("ours", "AnyDML"), ("onednn", "oneDNN"), ("torch", "PyTorch"),
          ("floor", "copy of the same bytes"))
STYLE = """
  .page { fill: #ffffff; } .text { fill: #1f2328; } .faint { fill: #59636e; }
  .grid { stroke: #d1d9e0; stroke-width: 1; } .line { stroke: #59636e; stroke-width: 1; }
  .ours { fill: #1f6feb; } .onednn { fill: #1a9988; }
  .torch { fill: #e16f24; } .floor { fill: #8c959f; }
  .number { stroke: #ffffff; stroke-width: 3; stroke-linejoin: round; paint-order: stroke; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } .text { fill: #e6edf3; } .faint { fill: #9198a1; }
    .grid { stroke: #30363d; } .line { stroke: #9198a1; }
    .ours { fill: #58a6ff; } .onednn { fill: #3fc8b4; }
    .torch { fill: #ff9a5c; } .floor { fill: #6e7681; } .number { stroke: #0d1117; }
  }
  text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
"""


def milliseconds(ms):
    return f"{ms * 1e3:.3g} us" if ms < 0.1 else f"{ms:.3g} ms"


def times_of(row):
    """(series, milliseconds) of a row's bars, ours first, the copy last."""
    best = {}
    for name in row["raced"]:
        series = "torch" if name.startswith("torch") else "onednn"
        best[series] = min(best.get(series, row["peers"][name]), row["peers"][name])
    bars = [("ours", row["ours_ms"])] + [(s, best[s]) for s, _ in SERIES if s in best]
    return bars + [("floor", row["floor_ms"])]


def label_of(row, with_operator):
    case = row["case"].replace("_to_the_", "^").replace("_", " ")
    details = f"{row['type']}, {row['layout'].replace('_', ' ')}, {row['strategy']}"
    return (f"{row['operator']}: {case}" if with_operator else case), details


def height_of(row):
    """The label alone is as high as three bars."""
    return max(len(times_of(row)), 3) * BAR + GAP


class Drawing:
    """Lines of SVG, from top to bottom."""

    def __init__(self, title, subtitle, rows):
        self.width = MARGIN * 2 + LABELS + PLOT + NUMBERS
        self.bottom = HEAD + sum(height_of(row) for row in rows)
        height = self.bottom + 34
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{height}" '
            f'viewBox="0 0 {self.width} {height}" role="img">',
            f"<title>{html.escape(title)}</title>", f"<style>{STYLE}</style>",
            f'<rect class="page" width="{self.width}" height="{height}" rx="6"/>']
        self.text(MARGIN, 26, title, size=16, weight="bold")
        self.text(MARGIN, 44, subtitle, "faint")
        self.legend()
        self.grid()

    def text(self, x, y, words, style="text", size=11, anchor="start", weight="normal"):
        self.lines.append(f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" '
                          f'text-anchor="{anchor}" font-weight="{weight}">'
                          f"{html.escape(words)}</text>")

    def x_of(self, ratio):
        return MARGIN + LABELS + min(ratio, MOST) / MOST * PLOT

    def legend(self):
        x = MARGIN
        for series, name in SERIES:
            self.lines.append(f'<rect class="{series}" x="{x}" y="54" width="10" height="10"/>')
            self.text(x + 15, 63, name)
            x += 35 + 7 * len(name)

    def grid(self):
        for ratio in range(int(MOST) + 1):
            x = self.x_of(ratio)
            style = "line" if ratio in (0, 1) else "grid"
            self.lines.append(f'<line class="{style}" x1="{x:.1f}" y1="{HEAD}" x2="{x:.1f}" '
                              f'y2="{self.bottom}"/>')
            self.text(x, self.bottom + 16, f"{ratio}x", "faint", anchor="middle")

    def bar(self, series, y, ratio, ms):
        x = self.x_of(0)
        self.lines.append(f'<rect class="{series}" x="{x:.1f}" y="{y}" '
                          f'width="{self.x_of(ratio) - x:.1f}" height="{BAR - 1}"/>')
        if ratio > MOST:
            end = self.x_of(MOST)
            self.lines.append(f'<path class="page" d="M{end - 16:.1f} {y + BAR - 1} l4 {1 - BAR} '
                              f'h5 l-4 {BAR - 1} z"/>')
        self.text(self.x_of(ratio) + 5, y + BAR - 2, f" {ratio:.2f}x ({milliseconds(ms)})",
                  "text number" if series == "ours" else "faint number", size=9)

    def rows(self, rows, with_operator):
        y = HEAD + GAP / 2
        for row in rows:
            case, details = label_of(row, with_operator)
            self.text(MARGIN + LABELS - 8, y + 9, case, anchor="end", size=10)
            self.text(MARGIN + LABELS - 8, y + 21, details, "faint", size=9, anchor="end")
            for i, (series, ms) in enumerate(times_of(row)):
                self.bar(series, y + i * BAR, ms / row["floor_ms"], ms)
            y += height_of(row)

    def svg(self):
        return "\n".join(self.lines + ["</svg>"]) + "\n"


def draw(title, rows, processor="", with_operator=False):
    threads = ", ".join(str(count) for count in sorted({row["threads"] for row in rows}))
    where = f", {processor}" if processor else ""
    subtitle = (f"Time as a multiple of a copy of the same bytes, {threads} threads{where}; "
                "shorter is better. Peers that need saved indices: forward + backward.")
    drawing = Drawing(title, subtitle, rows)
    drawing.rows(rows, with_operator)
    return drawing.svg()


def is_in_overview(row):
    packed = row["layout"] in ("packed", "NCHW", "NCDHW")
    small = row["case"].startswith(("elements_", "image_", "eight_"))
    shown = not small or row["case"] == "elements_2_to_the_26"
    return "_GRAD" in row["operator"] and row["type"] == "FLOAT32" and packed and shown


def charts(rows, processor=""):
    """Names of files and their SVG."""
    overview = [row for row in rows if is_in_overview(row)]
    if overview:
        title = "The gradients, FLOAT32, packed tensors"
        yield "overview.svg", draw(title, overview, processor, with_operator=True)
    for operator in dict.fromkeys(row["operator"] for row in rows):
        own = [row for row in rows if row["operator"] == operator]
        yield f"{operator.lower()}.svg", draw(operator, own, processor)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results", nargs="+", type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--processor", default="", help="what the results were measured on")
    arguments = parser.parse_args()
    rows = [row for path in arguments.results for row in json.loads(path.read_text())]
    for name, svg in charts(rows, arguments.processor):
        (arguments.folder / name).write_text(svg)
        print(arguments.folder / name)


if __name__ == "__main__":
    main()
