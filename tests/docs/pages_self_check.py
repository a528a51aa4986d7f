#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The checks of links and of generated pages can fail, and the generator reads what it should.

    python3 pages_self_check.py ROOT
"""
import sys

sys.dont_write_bytecode = True

import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "tools/docs"))

import half_precision
import house
import links_test
import make_pages
import make_site
import misses_test


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)


class Links(InAFolder):
    def broken(self, text):
        self.write("README.md", text)
        return list(links_test.broken(self.root))

    def test_a_file_that_is_not_there(self):
        self.assertEqual(self.broken("[a](docs/a.md)"), ["README.md: docs/a.md is not there"])
        self.write("docs/a.md", "")
        self.assertEqual(self.broken("[a](docs/a.md)"), [])

    def test_a_picture_that_is_not_there(self):
        self.assertEqual(self.broken("![a](a.svg)"), ["README.md: a.svg is not there"])

    def test_a_heading_that_is_not_there(self):
        self.write("docs/a.md", "# A, `b` and C\n")
        self.assertEqual(self.broken("[a](docs/a.md#a-b-and-c)"), [])
        self.assertEqual(self.broken("[a](docs/a.md#b)"),
                         ["README.md: docs/a.md#b names no heading of its page"])

    def test_what_is_code_is_no_link(self):
        self.assertEqual(self.broken("`a[i](b)`\n```cpp\nf[0](x);\n```\n"), [])

    def test_other_sites_are_left_alone(self):
        self.assertEqual(self.broken("[a](https://example.org/a)"), [])


class Pages(InAFolder):
    def test_tells_a_page_that_changed_and_one_that_is_missing(self):
        self.write("docs/operators/a.md", "old")
        told = list(make_pages.stale(self.root, {"docs/operators/a.md": "new",
                                                 "docs/pictures/b.svg": "b"}))
        self.assertEqual([line.split()[0] for line in told],
                         ["docs/operators/a.md", "docs/pictures/b.svg"])

    def test_tells_a_page_that_nothing_makes(self):
        self.write("docs/operators/a.md", "a")
        self.assertEqual(len(list(make_pages.stale(self.root, {}))), 1)

    def rule(self, schema):
        self.write("src/operators/a/schema.h", schema)
        operators = make_pages.Operators.__new__(make_pages.Operators)
        operators.root = self.root
        return operators.rule({"name": "A", "folder": "a"})

    def test_a_rule_has_its_words_from_the_schema(self):
        other = '.name = "A1",\n    // Rule: another.\n    .rule = Check1,\n};\n'
        own = '.name = "A",\n    // Rule: one\n    // sentence.\n    .rule = Check,\n};\n'
        self.assertEqual(self.rule(other + own), "one sentence.")
        self.assertIsNone(self.rule('.name = "A",\n    .in_place = {},\n};\n' + other))

    def test_a_rule_without_words_is_told(self):
        with self.assertRaises(SystemExit):
            self.rule('.name = "A",\n    // In place (B23).\n    .rule = Check,\n};\n')

    def test_microsofts_pages_lie_in_two_places(self):
        """As the links of Microsoft's own pages say."""
        at = "https://learn.microsoft.com/windows/"
        for name, level, page in (
                ("ELEMENT_WISE_CLIP1", "5_0",
                 "win32/api/directml/ns-directml-dml_element_wise_clip1_operator_desc"),
                ("RESAMPLE2", "5_1", "ai/directml/api/ns-directml-dml_resample2_operator_desc")):
            self.assertEqual(make_pages.microsofts_page({"name": name, "level": level}), at + page)

    def test_levels_are_compared_as_numbers_and_by_the_first_tensor(self):
        op = {"tensors": [{"name": "x"}, {"name": "i"}],
              "support": [{"level": "10_0", "tensors": ["x"], "data_types": ["INT8"]},
                          {"level": "2_1", "tensors": ["x"], "data_types": ["INT8"]},
                          {"level": "1_0", "tensors": ["i"], "data_types": ["INT8"]}]}
        self.assertEqual(make_pages.level_of(op, "INT8"), "2_1")
        self.assertEqual(make_pages.level_of(op, "INT64"), "")


class Misses(unittest.TestCase):
    HEAD = "## What misses\n\n| rows | target |\n|---|---|\n"
    THREADS = "| 1 of the 2 that are asked for it <!-- */threads 90% --> | t |\n"
    OWN = "| a in b <!-- A/a*/FLOAT32/b/floor 2x --> | floor 2x |\n"
    RESULTS = [{"operator": "A", "case": "a_1", "type": "FLOAT32", "layout": "b",
                "targets": ["floor 2x", "threads 90%"], "missed": ["floor 2x", "threads 90%"]},
               {"operator": "A", "case": "a_2", "type": "FLOAT32", "layout": "b",
                "targets": ["threads 90%"], "missed": []}]

    def told(self, rows):
        return list(misses_test.problems(f"{self.HEAD}{rows}\n## Next\n", self.RESULTS))

    def test_a_table_that_speaks_of_all_passes(self):
        self.assertEqual(self.told(self.THREADS + self.OWN), [])

    def test_a_miss_that_no_row_speaks_of_is_told(self):
        self.assertEqual(self.told(self.THREADS),
                         ["no row of 'What misses' speaks of A/a_1/FLOAT32/b/floor 2x"])

    def test_a_row_that_speaks_of_nothing_is_told(self):
        other = "| c <!-- A/a_2/FLOAT32/b/* --> | floor 2x |\n"
        self.assertEqual(self.told(self.THREADS + self.OWN + other),
                         ["'c' speaks of A/a_2/FLOAT32/b/*, which was not missed"])
        self.assertEqual(self.told(self.THREADS + self.OWN + "| d | floor 2x |\n"),
                         ["'d' speaks of no row, which was not missed"])

    def test_a_count_that_is_old_is_told(self):
        self.assertEqual(self.told(self.THREADS.replace("1 of", "3 of") + self.OWN),
                         ["threads 90% was missed by 1 of the 2 rows that are asked for it"])


class Site(InAFolder):
    def test_pages_lie_where_they_lie_in_the_tree(self):
        self.assertEqual([make_site.html_path(path) for path in
                          ("README.md", "docs/a.md", "src/x/README.md")],
                         ["index.html", "docs/a.html", "src/x/index.html"])

    def test_anchors_are_those_that_the_links_test_knows(self):
        self.write("a.md", "## B10. Whose offsets are \"input\" in a `gradient`?\n")
        self.assertEqual({make_site.slug("B10. Whose offsets are &quot;input&quot; in a "
                                         "<code>gradient</code>?")},
                         links_test.anchors(self.root / "a.md"))

    def test_a_description_is_the_first_paragraph(self):
        body = '<h1>A</h1>\n<p><img src="a.svg"></p>\n<p>One <b>word</b>\nand "two".</p><p>More</p>'
        self.assertEqual(make_site.description(body), "One word and &quot;two&quot;.")
        self.assertEqual(make_site.description("<h1>A</h1>"), "")

    def test_a_heading_breaks_at_underscores_and_keeps_its_anchor(self):
        self.assertEqual(make_site.HEADING.sub(make_site.heading, "<h2>MAX_POOLING</h2>"),
                         '<h2 id="max_pooling">MAX_<wbr>POOLING</h2>')

    def test_long_names_break_between_words_and_options_do_not(self):
        for words, broken in (("src/tensor/term_pattern.cpp",
                               "src/<wbr>tensor/<wbr>term_<wbr>pattern.cpp"),
                              ("Relu.PassesNanOnAndOn",
                               "Relu<wbr>.Passes<wbr>Nan<wbr>On<wbr>And<wbr>On"),
                              ("a_b --feature-level 3.0", "a_b <span>--feature-level</span> 3.0")):
            self.assertEqual(make_site.CODE.sub(make_site.code, f"<code>{words}</code>"),
                             f"<code>{broken}</code>")
        block = "<pre><code>a --option of_a_command_that_is_long</code></pre>"
        self.assertEqual(make_site.CODE.sub(make_site.code, block), block)

    def test_tables_of_sentences_are_told_from_tables_of_figures(self):
        for words, kind in ("short", "table"), ("word " * 30, "table sentences"):
            row = f"<table><tr><td>{words}</td></tr></table>"
            self.assertEqual(make_site.TABLE.sub(make_site.table, row),
                             f'<div class="{kind}">{row}</div>')

    def test_pictures_fit_a_narrow_page_unless_they_are_wide(self):
        for width, kind in (640, ""), (641, ' class="wide"'):
            self.write("a.svg", f'<svg xmlns="x" width="{width}" height="9">')
            self.assertEqual(make_site.PICTURE.sub(lambda m: make_site.picture(self.root, m),
                                                   '<img src="a.svg" alt="a" />'),
                             f'<img{kind} src="a.svg" alt="a" />')

    def test_a_link_that_leads_nowhere_is_told(self):
        self.write("a.html", '<a href="b.html">b</a><a href="#c">c</a><p id="d"></p><a href="#d">')
        self.assertEqual(list(make_site.broken(self.root)),
                         ["a.html: b.html is not there", "a.html: #c names no heading"])


class Pictures(unittest.TestCase):
    def test_half_sums_stop_where_one_is_half_a_unit(self):
        # 11 and 8 significant bits.
        counts = [256, 2048, 16384]
        self.assertEqual(half_precision.sums(half_precision.to_float16, counts),
                         [256, 2048, 2048])
        self.assertEqual(half_precision.sums(half_precision.to_bfloat16, counts), [256] * 3)

    def test_the_house_has_no_arrow_that_others_imply(self):
        used = {"a": {"b", "c"}, "b": {"c"}, "c": set()}
        self.assertEqual(list(house.arrows(used)), [("a", "b"), ("b", "c")])


if __name__ == "__main__":
    unittest.main()
