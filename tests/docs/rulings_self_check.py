#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Proves that rulings_test.py can fail: a small tree passes, and each way to spoil it is told."""
import sys

sys.dont_write_bytecode = True     # leave no __pycache__ beside the sources

import pathlib
import tempfile
import unittest

import rulings_test

PARTS = "- Pages: p\n- Here: h\n- Why: w\n- Tests: `Relu.Works`\n"


def ruling(number):
    return f"## {number}. Title\n{PARTS}\n"


def row(number):
    return f"| {number} | what | `Relu.Works` |\n"


def pages():
    owed = rulings_test.owed
    return {"docs/rulings.md": "# `Suite.Name`\n" + "".join(map(ruling, sorted(owed("BO")))),
            "docs/rules.md": "".join(f"## {n}. T\n" for n in sorted(owed("A")))
                             + "".join(map(row, sorted(owed("TRCESPD"))))}


GOOD_TREE = {"README.md": "", "CONTRIBUTING.md": "", **pages(),
             "src/a.h": "// C99, RS-P77, D3D12, 0xB77 and B16c\nint T77;\n",
             "tests/a.cpp": "TEST(Relu,\n     Works) {}\nTEST_P(Other, Works) {}\n"}


def problems(changes):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in {**GOOD_TREE, **changes}.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        return rulings_test.problems(root)


def spoilt(page, old, new):
    assert old in GOOD_TREE[page]
    return {page: GOOD_TREE[page].replace(old, new)}


class RulingsSelfCheck(unittest.TestCase):
    def expect(self, changes, *sentences):
        self.assertEqual(problems(changes), list(sentences))

    def test_a_good_tree_passes(self):
        self.expect({})

    def test_a_missing_ruling_is_told(self):
        self.expect(spoilt("docs/rulings.md", ruling("B26"), ""), "docs/rulings.md: B26 is missing")

    def test_a_missing_rule_is_told(self):
        self.expect(spoilt("docs/rules.md", row("P0"), ""), "docs/rules.md: P0 is missing")

    def test_a_number_that_is_not_owed_is_told(self):
        self.expect(spoilt("docs/rules.md", row("T13"), row("T13") + row("T14")),
                    "docs/rules.md: T14 is not in the list of this test",
                    "docs/rules.md: cites T14, which no page has")

    def test_a_number_that_is_there_twice_is_told(self):
        self.expect(spoilt("docs/rulings.md", ruling("O1"), ruling("O1") * 2),
                    "docs/rulings.md: O1 is there twice")

    def test_a_missing_part_is_told(self):
        self.expect(spoilt("docs/rulings.md", ruling("B1"), ruling("B1").replace("Why", "But")),
                    "docs/rulings.md: B1 does not say 'Why'")

    def test_a_number_without_a_test_is_told(self):
        self.expect(spoilt("docs/rulings.md", ruling("B1"), ruling("B1").replace("`", "")),
                    "B1 names no test")
        self.expect(spoilt("docs/rules.md", row("S8"), row("S8").replace("`", "")),
                    "S8 names no test")

    def test_a_test_that_does_not_exist_is_told(self):
        self.expect(spoilt("docs/rules.md", row("S8"), row("S8").replace("Works", "Sleeps")),
                    "docs/rules.md: there is no test Relu.Sleeps")
        self.expect({"tests/a.cpp": "// TEST(Relu, Works)\n"},
                    "docs/rules.md: there is no test Relu.Works",
                    "docs/rulings.md: there is no test Relu.Works")

    def test_other_pages_name_tests_and_suites_that_exist(self):
        self.expect({"docs/other.md": "`Relu.Works`, `Relu.*`, `Docs.AreRead`",
                     "tests/CMakeLists.txt": "add_test(NAME Docs.AreRead COMMAND true)\n"})
        self.expect({"docs/other.md": "`Relu.Sleeps`, `Lama.*`"},
                    "docs/other.md: there is no test Relu.Sleeps",
                    "docs/other.md: there is no suite Lama")

    def test_tests_of_a_layer_are_looked_for_once_it_is_there(self):
        changes = spoilt("docs/rules.md", row("D1"), row("D1").replace("Relu", "BindingTest"))
        self.expect(changes)
        self.expect({**changes, "src/directml/a.h": ""},
                    "docs/rules.md: there is no test BindingTest.Works")

    def test_a_cited_number_that_does_not_exist_is_told(self):
        self.expect({"src/a.h": "int x;  // B27 and P12\n"},
                    "src/a.h: cites B27, which no page has", "src/a.h: cites P12, which no page has")
        unknown = "O12"
        self.expect({"tests/a.py": f"x = 1     # {unknown}\n"},
                    f"tests/a.py: cites {unknown}, which no page has")
        self.expect({"src/README.md": "see S9"}, "src/README.md: cites S9, which no page has")


if __name__ == "__main__":
    unittest.main()
