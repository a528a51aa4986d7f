# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Who may read, run and replace the files that are written: nobody more than before.

ANYDML_PRELOAD is as in faults_test.py.
"""
import os
import signal
import stat
import struct
import subprocess
import unittest

from command import COMMAND, CommandTest, anydml, writing

PRELOAD = os.environ.get("ANYDML_PRELOAD", "")
NOBODY, NOGROUP = 65534, 65533

only_root = unittest.skipIf(os.geteuid() != 0, "only root may give files away")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


class OutputTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.folder.chmod(0o755)
        self.out = self.folder / "out"
        self.out.mkdir()
        self.file = self.out / "out.bin"


class Access(OutputTest):
    def replace(self, old_mode, owner=None, **options):
        """The file with that mode and owner before, and what it is afterwards."""
        self.file.write_bytes(b"old")
        if owner is not None:
            os.chown(self.file, *owner)
        self.file.chmod(old_mode)
        result = self.run_model(writing("out.bin"), "--output-path", self.out, **options)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(self.file.stat().st_size, 16)
        return mode(self.file)

    def owner(self):
        return self.file.stat().st_uid, self.file.stat().st_gid

    def test_a_replaced_file_keeps_its_mode(self):
        for old in (0o600, 0o640, 0o666, 0o755):
            with self.subTest(oct(old)):
                self.assertEqual(self.replace(old), old)

    def test_the_right_to_be_another_user_is_not_kept(self):
        for old in (0o4755, 0o2755, 0o1644):
            with self.subTest(oct(old)):
                self.assertEqual(self.replace(old), old & 0o777)

    @only_root
    def test_the_owner_stays(self):
        self.assertEqual(self.replace(0o4755, (NOBODY, NOGROUP)), 0o755)
        self.assertEqual(self.owner(), (NOBODY, NOGROUP))

    @only_root
    def test_where_the_owner_cannot_stay_nobody_gets_more(self):
        os.chown(self.out, NOBODY, NOGROUP)
        for old, new in ((0o4757, 0o755), (0o642, 0o600), (0o606, 0o600), (0o646, 0o644)):
            with self.subTest(oct(old)):
                self.assertEqual(self.replace(old, (0, 0), user=NOBODY, group=NOGROUP,
                                              extra_groups=[]), new)
                self.assertEqual(self.owner(), (NOBODY, NOGROUP))

    def test_a_new_file_has_the_mode_that_the_user_gives_new_files(self):
        result = self.run_model(writing("out.bin"), "--output-path", self.out, umask=0o027)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual(mode(self.file), 0o640)

    @unittest.skipIf(not PRELOAD, "a sanitizer does not go with other libraries before it")
    def test_nobody_else_reads_a_secret_file_while_it_is_written(self):
        self.file.write_bytes(b"old")
        self.file.chmod(0o600)
        environment = {**os.environ, "LD_PRELOAD": PRELOAD, "ANYDML_TEST_STOP_AT_WRITE": "1"}
        path = self.save(writing("out.bin"))
        with subprocess.Popen([COMMAND, "run", path, "--output-path", self.out], env=environment,
                              stdout=subprocess.DEVNULL, umask=0) as process:
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            self.assertTrue(os.WIFSTOPPED(status))
            part, = set(self.names(self.out)) - {"out.bin"}
            mode_of_part = mode(self.out / part)
            process.send_signal(signal.SIGCONT)
        self.assertEqual((process.returncode, mode_of_part), (0, 0o600))
        self.assertEqual(self.names(self.out), ["out.bin"])
        self.assertEqual(mode(self.file), 0o600)

    def test_pictures_and_rows_too(self):
        for name, arguments in (
                ("a.svg", ("draw", self.save(writing("x.bin")), "-o")),
                ("a.json", ("bench", "--filter", "RELU_GRAD,2_to_the_10", "--type", "FLOAT32",
                            "--seconds", "0.001", "--json"))):
            path = self.out / name
            path.write_bytes(b"old")
            path.chmod(0o4600)
            result = anydml(*arguments, path)
            self.assertEqual((result.stderr, result.returncode), ("", 0))
            self.assertEqual(mode(path), 0o600)


# A list of users as the system keeps it: a version, then tag, rights and user of each entry.
ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
OWNER, USER, GROUP, MASK, OTHER = 0x01, 0x02, 0x04, 0x10, 0x20
NO_USER = 0xFFFFFFFF


def access_list(*entries):
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


# Another user may read and write, the group may read, and nobody else anything.
ONE_MORE_USER = access_list((OWNER, 6, NO_USER), (USER, 6, 12345), (GROUP, 4, NO_USER),
                            (MASK, 6, NO_USER), (OTHER, 0, NO_USER))


class Lists(OutputTest):
    """What lists of users (ACLs) allow, beside the mode."""

    def set_list(self, path, name):
        try:
            os.setxattr(path, name, ONE_MORE_USER)
        except OSError as error:
            self.skipTest(f"no lists of users on this file system: {error.strerror}")

    def lists(self):
        return [name for name in os.listxattr(self.file) if name in (ACCESS, DEFAULT)]

    def test_nobody_gets_more_where_a_list_is_not_kept(self):
        self.file.write_bytes(b"old")
        self.set_list(self.file, ACCESS)
        self.assertEqual(mode(self.file), 0o660)  # the mask stands in the place of the group
        result = self.run_model(writing("out.bin"), "--output-path", self.out)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual((self.file.stat().st_size, self.lists()), (16, []))
        self.assertEqual(mode(self.file), 0o600)  # what all had is nothing

    def test_a_list_of_the_folder_does_not_open_a_replaced_file(self):
        self.file.write_bytes(b"old")
        self.set_list(self.out, DEFAULT)
        for old in (0o600, 0o640, 0o644):
            with self.subTest(oct(old)):
                self.file.chmod(old)
                result = self.run_model(writing("out.bin"), "--output-path", self.out)
                self.assertEqual((result.stderr, result.returncode), ("", 0))
                self.assertEqual((mode(self.file), self.lists()), (old, []))

    def test_a_new_file_gets_the_list_of_the_folder(self):
        self.set_list(self.out, DEFAULT)
        result = self.run_model(writing("out.bin"), "--output-path", self.out)
        self.assertEqual((result.stderr, result.returncode), ("", 0))
        self.assertEqual((mode(self.file), self.lists()), (0o660, [ACCESS]))


class Targets(CommandTest):
    """What a model may write into: told by `check` as by `run`, before anything is done."""

    HIDDEN = "has a name that begins with a dot: such files are written only into a folder that " \
             "--output-path names"
    EXECUTABLE = "is there and executable: such files are replaced only in a folder that " \
                 "--output-path names"
    PROTECTED = "is there and write-protected: make it writable or remove it first"

    def refuse(self, target, sentence, *arguments):
        path = self.save(writing(target))
        sentence = f'commands[2]: targetPath = "{target}" {sentence}'
        for command in ("run", "check"):
            result = anydml(command, path, *arguments, cwd=self.folder)
            lines = result.stderr.splitlines()
            self.assertEqual((result.returncode, result.stdout), (1, ""), result)
            self.assertIn(sentence, lines[0])
            # Nothing is wrong with the levels, but the model is not valid at one either.
            self.assertEqual(lines[1:], [] if command == "run" else
                             [f"anydml: {path}: valid at no feature level"])

    def take(self, target, *arguments):
        path = self.save(writing(target))
        checked = anydml("check", path, *arguments, cwd=self.folder)
        self.assertEqual((checked.stderr, checked.returncode), ("", 0))
        result = anydml("run", path, *arguments, cwd=self.folder)
        self.assert_prints(result, "Resource 'output': 1, 2, 3, 4\n")
        self.assertEqual((self.folder / target).stat().st_size, 16)

    def test_hidden_files_need_a_folder_that_the_user_names(self):
        (self.folder / ".ssh").mkdir()
        (self.folder / "link").symlink_to(".ssh")
        for target in (".bashrc", ".ssh/authorized_keys", "./.a", "link/b", "...", "none/.x/y"):
            with self.subTest(target):
                self.refuse(target, self.HIDDEN)
        self.assertEqual(self.names(), [".ssh", "link", "model.json"])
        self.take(".ssh/authorized_keys", "--output-path", ".")

    def test_executables_need_a_folder_that_the_user_names(self):
        (self.folder / "bin").mkdir()
        tool = self.folder / "bin/tool"
        (self.folder / "link").symlink_to("bin/tool")
        for mode_of_tool in (0o755, 0o700, 0o610, 0o601):
            tool.write_text("old")
            tool.chmod(mode_of_tool)
            self.refuse("bin/tool", self.EXECUTABLE)
            self.refuse("link", self.EXECUTABLE)
            self.assertEqual(tool.read_text(), "old")
        self.take("bin/tool", "--output-path", self.folder)

    def test_write_protected_files_stay(self):
        """Everywhere, as for `cp`: whoever means it takes the protection away."""
        file = self.folder / "thesis.txt"
        (self.folder / "link").symlink_to("thesis.txt")
        for mode_of_file in (0o444, 0o400, 0o000):
            for folder in ((), ("--output-path", "."), ("--output-path", self.folder)):
                file.write_text("old")
                file.chmod(mode_of_file)
                self.refuse("thesis.txt", self.PROTECTED, *folder)
                self.refuse("link", self.PROTECTED, *folder)
                file.chmod(0o644)
                self.assertEqual(file.read_text(), "old")
        self.take("thesis.txt")

    @only_root
    def test_files_that_only_others_may_write_stay(self):
        out = self.folder / "out"
        out.mkdir()
        os.chown(out, NOBODY, NOGROUP)
        self.folder.chmod(0o755)
        file = out / "out.bin"
        file.write_text("old")
        file.chmod(0o644)
        result = self.run_model(writing("out.bin"), "--output-path", out, user=NOBODY,
                                group=NOGROUP, extra_groups=[])
        self.assert_fails(result, self.PROTECTED)
        self.assertEqual(file.read_text(), "old")

    def test_a_model_replaces_its_own_file(self):
        for _ in range(2):
            self.take("out.bin")

    def test_folders_above_may_be_hidden(self):
        self.folder = self.folder / ".cache"
        self.folder.mkdir()
        self.take("out.bin")

    def test_ways_out_are_told_before_the_first_command(self):
        (self.folder / "in").mkdir()
        (self.folder / "in/link").symlink_to("..")
        (self.folder / "in/none").symlink_to("../none")
        for target in ("link/out.bin", "none"):
            self.refuse(target, "must stay inside the folder", "--output-path", "in")
        os.mkfifo(self.folder / "pipe")
        self.refuse("pipe", "is there and no file")
        self.assertEqual(self.names(), ["in", "model.json", "pipe"])

    def test_places_for_no_file_are_told_before_the_first_command(self):
        """What the commands before would have written is not there."""
        (self.folder / "folder").mkdir()
        (self.folder / "file").write_text("old")
        (self.folder / "to_folder").symlink_to("folder")
        for target, sentence in (
                ("none/out.bin", "must lie in a folder that is there: a model makes none"),
                ("file/out.bin", "must lie in a folder that is there: a model makes none"),
                ("folder", "is a folder: a model writes files alone"),
                ("to_folder", "is a folder: a model writes files alone")):
            model = writing(target)
            model["commands"].insert(2, {"type": "writeFile", "resource": "output",
                                         "targetPath": "early.bin"})
            path = self.save(model)
            for command in ("run", "check"):
                for folder in ((), ("--output-path", "."), ("--output-path", self.folder)):
                    with self.subTest((command, target, folder)):
                        result = anydml(command, path, *folder, cwd=self.folder)
                        self.assertEqual((result.returncode, result.stdout), (1, ""))
                        self.assertIn(f'commands[3]: targetPath = "{target}" {sentence}',
                                      result.stderr)
        self.assertEqual(self.names(), ["file", "folder", "model.json", "to_folder"])
        self.take("to_folder/out.bin")
        self.refuse("out.bin", "must lie in a folder that is there", "--output-path", "none")


if __name__ == "__main__":
    unittest.main()
