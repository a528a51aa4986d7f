# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""bench/draw_results.py on made-up results."""
import pathlib
import sys
import unittest
import xml.etree.ElementTree as xml

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))

import draw_results

SVG = "{http://www.w3.org/2000/svg}"


def row(**members):
    return {"operator": "SLICE_GRAD", "case": "whole_8x8", "type": "FLOAT32", "layout": "NCHW",
            "threads": 2, "strategy": "packed_rows", "ours_ms": 1.2, "floor_ms": 1.0, "bytes": 512,
            "peers": {"torch": 3.0, "torch backward only": 0.5, "oneDNN": 40.0},
            "raced": ["torch", "oneDNN"], "targets": [], "missed": [], "notes": [], **members}


class Draw(unittest.TestCase):
    def bars(self, svg):
        """Classes and widths of the bars, as multiples of the floor's."""
        drawn = [r for r in xml.fromstring(svg).iter(SVG + "rect")
                 if r.get("class") != "page" and r.get("width") != "10"]
        one = [float(r.get("width")) for r in drawn if r.get("class") == "floor"][0]
        return [(r.get("class"), round(float(r.get("width")) / one, 1)) for r in drawn]

    def test_a_bar_is_a_multiple_of_the_copy_and_only_raced_peers_have_one(self):
        self.assertEqual(self.bars(draw_results.draw("title", [row()])),
                         [("ours", 1.2), ("onednn", 8.0), ("torch", 3.0), ("floor", 1.0)])

    def test_a_bar_that_ends_early_has_a_gap_and_keeps_its_number(self):
        svg = draw_results.draw("title", [row()])
        self.assertIn(" 40.00x (40 ms)", svg)
        self.assertEqual(len(list(xml.fromstring(svg).iter(SVG + "path"))), 1)
        whole = draw_results.draw("title", [row(raced=["torch"])])
        self.assertEqual(list(xml.fromstring(whole).iter(SVG + "path")), [])

    def test_says_on_which_processor(self):
        self.assertIn("2 threads, Some CPU;", draw_results.draw("title", [row()], "Some CPU"))
        self.assertIn("2 threads;", draw_results.draw("title", [row()]))

    def test_every_operator_has_a_chart_and_the_gradients_an_overview(self):
        rows = [row(), row(operator="SLICE1"), row(operator="RESAMPLE_GRAD1")]
        names = [name for name, _ in draw_results.charts(rows)]
        self.assertEqual(names, ["overview.svg", "slice_grad.svg", "slice1.svg",
                                 "resample_grad1.svg"])

    def test_the_overview_has_one_type_one_layout_and_the_largest_of_sizes(self):
        shown = draw_results.is_in_overview
        self.assertTrue(shown(row()))
        self.assertFalse(shown(row(type="FLOAT16")))
        self.assertFalse(shown(row(layout="NHWC")))
        self.assertFalse(shown(row(operator="SLICE1")))
        self.assertTrue(shown(row(case="elements_2_to_the_26", layout="packed")))
        self.assertFalse(shown(row(case="elements_2_to_the_20", layout="packed")))

    def test_text_is_escaped(self):
        xml.fromstring(draw_results.draw("a < b", [row(case="x<y&z")]))


if __name__ == "__main__":
    unittest.main()
