# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Files that models read and write: .npy and raw, whole or not at all, inside their folders."""
import ast
import os
import pathlib
import resource
import shutil
import signal
import struct
import tempfile
import unittest

from command import CommandTest, anydml, identity, needs_long_names, writing

try:
    import numpy
except ImportError:
    numpy = None

MAGIC = b"\x93NUMPY\x01\x00"
ONE_TO_FOUR = struct.pack("<4f", 1, 2, 3, 4)


def npy(data, descr="<f4", shape="(4,)", fortran_order=False):
    """A .npy file after NumPy's description of the format, version 1.0."""
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran_order}, 'shape': {shape}, }}"
    header += " " * (-(len(MAGIC) + 2 + len(header) + 1) % 64) + "\n"
    return MAGIC + struct.pack("<H", len(header)) + header.encode() + data


def parse_npy(file):
    """(descr, fortran_order, shape, data)"""
    assert file[:8] == MAGIC, file[:8]
    size, = struct.unpack("<H", file[8:10])
    assert (10 + size) % 64 == 0, size
    header = ast.literal_eval(file[10:10 + size].decode())
    return header["descr"], header["fortran_order"], header["shape"], file[10 + size:]


def at_most_64_bytes():
    """For a child: a disk that is full after 64 bytes of a file. Python ignores the signal, and a child
    would inherit that: the command must see to it itself."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


class Reading(CommandTest):
    def from_file(self, name, data, **members):
        (self.folder / name).write_bytes(data)
        model = identity()
        model["resources"]["input"] = {"initialValues": {"sourcePath": name}, **members}
        return model

    def refuse(self, sentence, data, name="in.npy", **members):
        self.assert_refuses(self.from_file(name, data, **members),
                            f'resources.input.initialValues.sourcePath = "{name}" {sentence}')

    def test_npy_brings_its_type(self):
        self.assert_prints(self.run_model(self.from_file("in.npy", npy(ONE_TO_FOUR))),
                           "Resource 'output': 1, 2, 3, 4\n")

    def test_raw_bytes_take_the_given_type(self):
        model = self.from_file("in.dat", ONE_TO_FOUR, initialValuesDataType="FLOAT32")
        self.assert_prints(self.run_model(model), "Resource 'output': 1, 2, 3, 4\n")

    def test_npy_of_another_type_is_refused(self):
        self.refuse("holds FLOAT64 and must hold initialValuesDataType = FLOAT32",
                    npy(bytes(32), descr="<f8"), initialValuesDataType="FLOAT32")

    def test_npy_in_fortran_order_is_refused(self):
        self.refuse("is in Fortran order and must be in C order",
                    npy(ONE_TO_FOUR, shape="(2, 2)", fortran_order=True))

    def test_npy_with_other_bytes_than_its_shape_says_is_refused(self):
        for data in (ONE_TO_FOUR[:-1], ONE_TO_FOUR[:4], b""):
            with self.subTest(len(data)):
                self.refuse(f"has {len(data)} bytes of data, and its header's shape and type "
                            "need 16", npy(data))

    def test_npy_without_elements_is_no_value(self):
        for shape in ("(0,)", "(3, 0)", f"({2**62}, 0)", f"(0, {2**62})"):
            with self.subTest(shape):
                self.assert_refuses(self.from_file("in.npy", npy(b"", shape=shape)),
                                    "resources.input.initialValues: must hold at least one value")

    def test_npy_cut_anywhere_is_refused(self):
        whole = npy(ONE_TO_FOUR)
        for size in (0, 5, 8, 9, 10, 60, 127):
            with self.subTest(size):
                self.refuse("", whole[:size])

    def test_raw_bytes_that_are_no_whole_elements_are_refused(self):
        self.refuse("has 15 bytes and must have a multiple of 4, the size of FLOAT32",
                    ONE_TO_FOUR[:-1], name="in.dat", initialValuesDataType="FLOAT32")

    def test_an_archive_of_arrays_is_refused(self):
        for name in ("in.npz", "IN.NPZ"):
            self.refuse("is not supported: archives are not read; save one array as .npy",
                        b"PK\x03\x04" + bytes(12), name=name, initialValuesDataType="FLOAT32")

    def test_arrays_of_other_names_are_no_raw_bytes(self):
        for data, sentence in ((npy(ONE_TO_FOUR), "is a NumPy file: its name must end with .npy"),
                               (b"PK\x03\x04" + bytes(12), "is an archive (.npz or .zip): save one")):
            self.refuse(sentence, data, name="in.bin", initialValuesDataType="FLOAT32")
        self.refuse("is not supported: archives", ONE_TO_FOUR, name="in.npz.gz",
                    initialValuesDataType="FLOAT32")

    def test_a_missing_file_is_told(self):
        model = self.from_file("in.npy", b"")
        (self.folder / "in.npy").unlink()
        self.assert_refuses(model, 'sourcePath = "in.npy" does not exist')

    def test_files_are_sought_beside_the_model_or_in_the_input_path(self):
        model = self.from_file("in.npy", npy(ONE_TO_FOUR))
        path = self.save(model)
        self.assert_prints(anydml("run", path, cwd="/"), "Resource 'output': 1, 2, 3, 4\n")
        other = self.folder / "other"
        other.mkdir()
        self.assert_fails(anydml("run", path, "--input-path", other), "does not exist")
        (self.folder / "in.npy").rename(other / "in.npy")
        for command in ("run", "check", "explain"):
            result = anydml(command, path, "--input-path", other)
            self.assertEqual((result.stderr, result.returncode), ("", 0))

    def test_no_file_outside_the_folder_is_read(self):
        for path, sentence in (("../in.npy", "must stay inside"), ("/etc/passwd", "must be relat")):
            model = identity()
            model["resources"]["input"]["initialValues"] = {"sourcePath": path}
            self.assert_refuses(model, sentence)

    def test_no_link_that_leads_out_is_followed(self):
        """By `check` neither, which reads what a model reads."""
        other = pathlib.Path(tempfile.mkdtemp(prefix="anydml_command_"))
        self.addCleanup(shutil.rmtree, other)
        (other / "in.npy").write_bytes(npy(ONE_TO_FOUR))
        (self.folder / "file.npy").symlink_to(other / "in.npy")
        (self.folder / "folder").symlink_to(other)
        (self.folder / "inner").mkdir()
        (self.folder / "inner/up.npy").symlink_to("../file.npy")
        (self.folder / "none.npy").symlink_to(other / "none.npy")
        for path in ("file.npy", "folder/in.npy", "inner/up.npy", "none.npy"):
            with self.subTest(path):
                model = identity()
                model["resources"]["input"]["initialValues"] = {"sourcePath": path}
                self.assert_refuses(model, f'sourcePath = "{path}" must stay inside the folder')

    def test_a_link_inside_the_folder_is_followed(self):
        model = self.from_file("in.npy", npy(ONE_TO_FOUR))
        (self.folder / "in.npy").rename(self.folder / "behind.npy")
        (self.folder / "in.npy").symlink_to("behind.npy")
        self.assert_prints(self.run_model(model), "Resource 'output': 1, 2, 3, 4\n")
        checked = anydml("check", self.folder / "model.json")
        self.assertEqual((checked.stderr, checked.returncode), ("", 0))


class Writing(CommandTest):
    def write(self, *arguments, **members):
        """The bytes of the one file that a model writes."""
        result = self.run_model(writing(**members), "--output-path", self.folder, *arguments)
        self.assert_prints(result, "Resource 'output': 1, 2, 3, 4\n")
        self.assertEqual(self.names(), sorted([members["target_path"], "model.json"]))
        return (self.folder / members["target_path"]).read_bytes()

    def test_npy_has_one_dimension_unless_told_otherwise(self):
        self.assertEqual(parse_npy(self.write(target_path="out.npy")),
                         ("<f4", False, (4,), ONE_TO_FOUR))

    def test_npy_takes_the_dimensions_given(self):
        self.assertEqual(parse_npy(self.write(target_path="out.npy", dimensions=[2, 1, 2])),
                         ("<f4", False, (2, 1, 2), ONE_TO_FOUR))

    def test_dimensions_are_those_of_all_values_and_of_no_more(self):
        for dimensions in ([2], [0], [2, 0], [5], [2**32 - 1] * 3, [2**32 - 1] * 3 + [0]):
            for name in ("out.npy", "out.dat"):
                with self.subTest((dimensions, name)):
                    text = ", ".join(map(str, dimensions))
                    self.assert_refuses(writing(name, dimensions=dimensions),
                                        f"commands[2].dimensions: the product of {{{text}}} must be "
                                        '4, the number of values of "output"')

    def test_a_file_is_not_replaced_by_fewer_values(self):
        (self.folder / "out.npy").write_bytes(b"before")
        result = self.run_model(writing("out.npy", dimensions=[0]), "--output-path", self.folder)
        self.assert_fails(result, "the product of {0} must be 4")
        self.assertEqual((self.folder / "out.npy").read_bytes(), b"before")

    def test_what_a_buffer_has_beyond_its_values_is_no_element(self):
        model = writing("out.npy", resource="input", dimensions=[6])
        model["resources"]["input"]["sizeInBytes"] = 24
        self.assert_refuses(model, "the product of {6} must be 4")

    @unittest.skipIf(numpy is None, "NumPy is not here")
    def test_numpy_reads_what_is_written_and_writes_what_is_read(self):
        self.write(target_path="out.npy", dimensions=[2, 2])
        numpy.testing.assert_array_equal(numpy.load(self.folder / "out.npy"),
                                         numpy.array([[1, 2], [3, 4]], numpy.float32))
        numpy.save(self.folder / "in.npy", numpy.array([9, 8, 7, 6], numpy.float32))
        model = identity(initialValues={"sourcePath": "in.npy"})
        self.assert_prints(self.run_model(model), "Resource 'output': 9, 8, 7, 6\n")

    def test_an_archive_of_arrays_is_not_written(self):
        self.assert_refuses(writing("out.npz"), 'targetPath = "out.npz" is not supported: archives '
                                                "are not written; .npy files are")

    def test_any_other_name_gets_the_bytes_as_they_are(self):
        self.assertEqual(self.write(target_path="out.dat"), ONE_TO_FOUR)

    def test_what_is_written_can_be_read_again(self):
        self.write(target_path="out.npy")
        model = identity()
        model["resources"]["input"] = {"initialValues": {"sourcePath": "out.npy"}}
        self.assert_prints(self.run_model(model), "Resource 'output': 1, 2, 3, 4\n")

    def test_the_output_path_is_the_current_folder_unless_given(self):
        self.assertEqual(self.run_model(writing("out.dat"), cwd=self.folder).returncode, 0)
        self.assertEqual((self.folder / "out.dat").read_bytes(), ONE_TO_FOUR)

    def test_an_older_file_is_replaced(self):
        (self.folder / "out.dat").write_bytes(b"older and longer than what comes")
        self.assertEqual(self.write(target_path="out.dat"), ONE_TO_FOUR)

    @needs_long_names
    def test_the_longest_name(self):
        for name in ("a" * 251 + ".npy", "a" + "\u00e4" * 125 + ".npy"):
            with self.subTest(name):
                self.assertEqual(parse_npy(self.write(target_path=name))[3], ONE_TO_FOUR)
                (self.folder / name).unlink()


class NotWriting(CommandTest):
    """Failures leave the folder as it was."""

    def refuse(self, target, sentence, **options):
        before = self.names(self.out)
        path = self.save(writing(target))
        self.assert_fails(anydml("run", path, "--output-path", self.out, **options), sentence)
        self.assertEqual(self.names(self.out), before)

    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.out.mkdir()

    def test_a_pipe_stays_one(self):
        os.mkfifo(self.out / "out.dat")
        self.refuse("out.dat", 'targetPath = "out.dat" is there and no file: a model writes files')
        self.assertTrue((self.out / "out.dat").is_fifo())

    def test_a_full_disk(self):
        self.refuse("out.npy", "/out.npy' could not be written: ", preexec_fn=at_most_64_bytes)

    def test_a_full_disk_keeps_the_older_file(self):
        (self.out / "out.npy").write_bytes(b"older")
        self.refuse("out.npy", "/out.npy' could not be written: ", preexec_fn=at_most_64_bytes)
        self.assertEqual((self.out / "out.npy").read_bytes(), b"older")

    def test_a_folder_that_is_not_there(self):
        self.refuse("absent/out.npy", 'targetPath = "absent/out.npy" must lie in a folder that is')

    @unittest.skipIf(os.geteuid() == 0, "root writes everywhere")
    def test_a_folder_that_may_not_be_written(self):
        self.out.chmod(0o500)
        self.refuse("out.npy", "/out.npy' could not be created: Permission denied")

    def test_a_folder_that_nobody_can_write(self):
        result = self.run_model(writing("out.npy"), "--output-path", "/proc")
        self.assert_fails(result, "'/proc/out.npy' could not be created: ")

    def test_a_folder_in_the_place_of_the_file(self):
        (self.out / "out.npy").mkdir()
        self.refuse("out.npy", 'targetPath = "out.npy" is a folder: a model writes files alone')

    def test_an_output_path_that_is_a_file(self):
        self.save(writing("out.npy"))
        result = self.run_model(writing("a.npy"), "--output-path", self.folder / "model.json")
        self.assert_fails(result, 'targetPath = "a.npy" must lie in a folder that is there')

    def test_paths_that_leave_the_output_path(self):
        for target in ("../out.npy", "a/../../out.npy", "..", f"{self.folder}/out.npy", "", "."):
            with self.subTest(target):
                self.assert_refuses(writing(target), f'commands[2].targetPath = "{target}" must ')
        self.assertEqual(self.names(), ["model.json", "out"])

    def test_the_file_that_the_model_is_read_from(self):
        for target in ("model.json", "link", "twin"):
            path = self.save(writing(target))
            text = path.read_text()
            if target == "link":
                (self.folder / "link").symlink_to(path)
            elif target == "twin":
                (self.folder / "twin").hardlink_to(path)
            for command in ("run", "check"):
                with self.subTest((target, command)):
                    result = anydml(command, path, cwd=self.folder)
                    self.assertIn(f'commands[2]: targetPath = "{target}" would replace \'', result.stderr)
                    self.assertIn("/model.json', which is read: name another file", result.stderr)
                    self.assertEqual((result.stdout, result.returncode), ("", 1))
            self.assertEqual(path.read_text(), text)

    def test_data_may_be_written_anew(self):
        source = self.folder / "in.bin"
        source.write_bytes(ONE_TO_FOUR)
        model = writing("in.bin")
        model["resources"]["input"]["initialValues"] = {"sourcePath": "in.bin"}
        model["dispatchables"]["op"]["desc"]["ScaleBias"] = {"Scale": 2, "Bias": 0}
        for _ in range(2):
            self.assertEqual(anydml("run", self.save(model), cwd=self.folder).returncode, 0)
        self.assertEqual(source.read_bytes(), struct.pack("<4f", 4, 8, 12, 16))

    def test_links_that_leave_the_output_path(self):
        (self.out / "link").symlink_to(self.folder)
        self.refuse("link/out.npy", 'commands[2]: targetPath = "link/out.npy" must stay inside')
        (self.out / "dangling").symlink_to(self.folder / "made.npy")
        self.refuse("dangling", 'commands[2]: targetPath = "dangling" must stay inside')
        self.assertEqual(self.names(), ["model.json", "out"])

    def test_names_of_two_lines(self):
        self.refuse("none/a\n\x1b[2Jb.npy", 'none/a\\x0a\\x1b[2Jb.npy" must lie in a folder')
        self.refuse("a\n\x1b[2Jb.npy", "/a\\x0a\\x1b[2Jb.npy' could not be written",
                    preexec_fn=at_most_64_bytes)

    def test_images(self):
        for name in ("out.png", "out.jpg", "out.jpeg"):
            self.assert_refuses(writing(name), f'targetPath = "{name}" is not supported')


if __name__ == "__main__":
    unittest.main()
