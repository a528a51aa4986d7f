# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""What the drawn pictures share: one look, for light and dark pages."""
import html

STYLE = """
  .page { fill: #ffffff; } .text { fill: #1f2328; } .faint { fill: #59636e; }
  .grid { stroke: #d1d9e0; } .line { stroke: #59636e; fill: none; stroke-width: 1.3; }
  .tip { fill: #59636e; } .box { fill: #f6f8fa; stroke: #b7c0ca; }
  .ours { stroke: #2f7fed; fill: #2f7fed; } .other { stroke: #e16f24; fill: #e16f24; }
  .third { stroke: #a257d6; fill: #a257d6; } .curve { fill: none; stroke-width: 2.5; }
  .door { fill: #2f7fed; fill-opacity: 0.12; stroke: #2f7fed; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } .text { fill: #e6edf3; } .faint { fill: #9198a1; }
    .grid { stroke: #30363d; } .line { stroke: #9198a1; } .tip { fill: #9198a1; }
    .box { fill: #161b22; stroke: #444c56; }
  }
  text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
"""


class Drawing:
    """Lines of SVG, from back to front."""

    def __init__(self, title, width, height):
        self.lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img">', f"<title>{html.escape(title)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="page" width="{width}" height="{height}" rx="6"/>']

    def text(self, x, y, words, style="text", size=12, anchor="start", weight="normal"):
        self.lines.append(f'<text class="{style}" x="{x:.1f}" y="{y:.1f}" font-size="{size}" '
                          f'text-anchor="{anchor}" font-weight="{weight}">'
                          f"{html.escape(words)}</text>")

    def add(self, line):
        self.lines.append(line)

    def svg(self):
        return "\n".join([*self.lines, "</svg>", ""])
