# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Plots of element-wise functions and their derivatives, from runs of the command."""
import math
import re

from svg import Drawing

POINTS = 320                  # of a curve
RANGE = (-4.0, 4.0)           # of x and, at most, of y
PANEL_WIDTH, PANEL_HEIGHT, LEFT, TOP, GAP_X, GAP_Y = 196, 150, 44, 84, 54, 66
COLUMNS = 3


def grid(low, high):
    return [low + (i + 0.5) * (high - low) / POINTS for i in range(POINTS)]     # no round numbers


def domain(element):
    """Where the function is a number, with something around it."""
    low, high = RANGE
    xs = grid(low, high)
    y, _ = element.values([xs])
    inside = [x for x, v in zip(xs, y) if math.isfinite(v)]
    if len(inside) > 0.7 * len(xs):
        return RANGE
    low, high = min(inside), max(inside)
    margin = 0.08 * (high - low)
    return (low if low < RANGE[0] + 0.1 else low - margin,
            high if high > RANGE[1] - 0.1 else high + margin)


def extent(curves):
    """What is drawn of y: all, but no more than of x."""
    values = [v for curve in curves for v in curve if math.isfinite(v)]
    low, high = max(RANGE[0], min(values + [0])), min(RANGE[1], max(values + [0]))
    margin = 0.08 * (high - low)
    return low - margin, high + margin


def ticks(low, high):
    step = next(s for s in (0.1, 0.2, 0.5, 1, 2, 5) if (high - low) / s <= 6)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def pieces(points, low, high):
    """Parts of the curve between which it jumps, or is not finite."""
    parts = [[]]
    steps = [abs(b[1] - a[1]) for a, b in zip(points, points[1:])] + [0]
    for i, (x, y) in enumerate(points):
        if math.isfinite(y):
            parts[-1].append((x, y))
        near = max(steps[i - 1] if i > 0 else 0, steps[i + 1] if i + 1 < len(steps) else 0)
        jumps = steps[i] > 0.01 * (high - low) and not steps[i] <= 6 * near
        following = points[i + 1][1] if i + 1 < len(points) else y
        passes_a_pole = min(y, following) < low and max(y, following) > high
        if (jumps or passes_a_pole or not math.isfinite(y)) and parts[-1]:
            parts.append([])
    return [part for part in parts if len(part) > 1]


def thinned(part, tolerance=0.12):
    """The points (in pixels) that a line through them needs, by Douglas and Peucker."""
    (x0, y0), (x1, y1) = part[0], part[-1]
    distances = [abs(y0 + (x - x0) / (x1 - x0) * (y1 - y0) - y) for x, y in part]
    farthest = max(range(len(part)), key=distances.__getitem__)
    if distances[farthest] <= tolerance:
        return [part[0], part[-1]]
    return thinned(part[:farthest + 1])[:-1] + thinned(part[farthest:])


def style_of(tick):
    return "line" if tick == 0 else "grid"


class Panel:
    """One function, its derivative, and axes."""

    def __init__(self, drawing, number_, element, title):
        self.drawing, self.number = drawing, number_
        self.left = LEFT + number_ % COLUMNS * (PANEL_WIDTH + GAP_X)
        self.top = TOP + number_ // COLUMNS * (PANEL_HEIGHT + GAP_Y)
        self.x = domain(element)
        xs = grid(*self.x)
        y, gradients = element.values([xs])
        self.curves = [("ours", xs, y)] + [
            ("other", xs, [d if math.isfinite(v) else math.nan for d, v in zip(g, y)])
            for g in gradients.values()]
        self.y = extent([curve[2] for curve in self.curves])
        self.draw(title, element.parameters())

    def place(self, x, y):
        return (self.left + (x - self.x[0]) / (self.x[1] - self.x[0]) * PANEL_WIDTH,
                self.top + PANEL_HEIGHT - (y - self.y[0]) / (self.y[1] - self.y[0]) * PANEL_HEIGHT)

    def draw(self, title, parameters):
        drawing, right, bottom = self.drawing, self.left + PANEL_WIDTH, self.top + PANEL_HEIGHT
        drawing.text(self.left, self.top - (22 if parameters else 8), title, weight="bold")
        if parameters:
            drawing.text(self.left, self.top - 8, parameters, "faint", 10)
        drawing.add(f'<clipPath id="c{self.number}"><rect x="{self.left}" y="{self.top}" '
                    f'width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}"/></clipPath>')
        for x in ticks(*self.x):
            at = self.place(x, 0)[0]
            drawing.add(f'<path class="{style_of(x)}" d="M{at:.1f} {self.top}V{bottom}"/>')
            drawing.text(at, bottom + 14, f"{x:.6g}", "faint", 10, "middle")
        for y in ticks(*self.y):
            at = self.place(0, y)[1]
            drawing.add(f'<path class="{style_of(y)}" d="M{self.left} {at:.1f}H{right}"/>')
            drawing.text(self.left - 6, at + 3.5, f"{y:.6g}", "faint", 10, "end")
        for style, xs, values in self.curves:
            self.draw_curve(style, xs, values)

    def draw_curve(self, style, xs, values):
        # Far outside of the panel all is one.
        height = self.y[1] - self.y[0]
        bounded = [v if math.isnan(v) else
                   min(max(v, self.y[0] - 5 * height), self.y[1] + 5 * height) for v in values]
        parts = pieces(list(zip(xs, bounded)), *self.y)
        path = "".join("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in
                                      thinned([self.place(*point) for point in part]))
                       for part in parts)
        dash = ' stroke-dasharray="6 3"' if style == "other" else ""
        self.drawing.add(f'<path class="curve {style}" style="fill:none;stroke-width:2" '
                         f'clip-path="url(#c{self.number})"{dash} d="{path}"/>')


def titles(elements):
    """Names without their family, but for those that two families have."""
    names = [element.op["name"] for element in elements]
    short = [re.sub("^(ELEMENT_WISE|ACTIVATION)_", "", name) for name in names]
    return [name if short.count(s) > 1 else s for name, s in zip(names, short)]


def draw(elements):
    """The functions of a page, side by side."""
    columns = min(COLUMNS, len(elements))
    rows = -(-len(elements) // COLUMNS)
    width = max(LEFT + columns * (PANEL_WIDTH + GAP_X) - GAP_X + 20, 320)
    drawing = Drawing("Functions and their derivatives", width,
                      TOP + rows * (PANEL_HEIGHT + GAP_Y) - GAP_Y + 32)
    for x, style, words, dash in ((LEFT, "ours", "y", ""),
                                  (LEFT + 64, "other", "dy/dx", ' stroke-dasharray="6 3"')):
        drawing.add(f'<path class="curve {style}" style="stroke-width:2"{dash} d="M{x} 28h28"/>')
        drawing.text(x + 34, 32, words)
    for number_, (element, title) in enumerate(zip(elements, titles(elements))):
        Panel(drawing, number_, element, title)
    return drawing.svg()
