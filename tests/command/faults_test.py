# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""The command without memory, threads or disk, and ended by signals: a sentence or the signal's own
end, never an abort, and no file that is not whole.

ANYDML_PRELOAD is a library that makes calls of the C library fail (tests/faults/failing_preload.cpp);
with a sanitizer there is none.
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import unittest
import xml.etree.ElementTree as xml

from command import COMMAND, MODELS, CommandTest, anydml, identity, writing

PRELOAD = os.environ.get("ANYDML_PRELOAD", "")
MODEL = MODELS / "max_pooling_grad.json"
# On one thread: with more, TBB starts, and there is one moment in which glibc 2.36 does not survive
# that without memory (docs/reliability.md).
TINY = ("--filter", "RELU_GRAD,2_to_the_10", "--type", "FLOAT32", "--seconds", "0.001", "--threads",
        "1")


def failing(*arguments, **variables):
    environment = {**os.environ, "LD_PRELOAD": PRELOAD, **{k: str(v) for k, v in variables.items()}}
    return anydml(*arguments, env=environment)


def steps(most):
    """Every number at first, then those at steps of an eighth."""
    number = 1
    while number < most:
        yield number
        number += max(1, number // 8)


def words_of_rows(text):
    """What `bench` prints, without its times and what follows from them."""
    return [line.split()[:5] for line in text.splitlines()[:-1]]


@unittest.skipIf(not PRELOAD, "a sanitizer has the place of malloc")
class NoMemory(CommandTest):
    def fails_at(self, number, arguments, same, expected):
        """False where the command had all that it wanted, and does what it always does."""
        result = failing(*arguments, ANYDML_TEST_FAIL_ALLOCATION=number)
        if (result.returncode, result.stderr) == (0, "") and same(result.stdout) == expected:
            return False
        with self.subTest(number):
            self.assertEqual(result.returncode, 1, result)
            self.assertTrue(result.stderr.startswith("anydml: "), result)
        return True

    def fail_everywhere(self, *arguments, most=1000000, same=str, finely=0):
        """How many numbers were tried until none failed any more. Of the last step, which is long and
        where the work itself is done, `finely` more are tried."""
        whole = anydml(*arguments)
        self.assertEqual(whole.returncode, 0, whole.stderr)
        last = 1
        for count, number in enumerate(steps(most)):
            if not self.fails_at(number, arguments, same, same(whole.stdout)):
                for i in range(finely):
                    between = last + (number - last) * i // finely
                    self.fails_at(between, arguments, same, same(whole.stdout))
                return count + finely
            last = number
        self.fail("the number of allocations has no end")
        return 0

    def test_is_told_by_every_command(self):
        for arguments in (["run", MODEL], ["check", MODEL], ["explain", MODEL], ["devices"],
                          ["ops", "SLICE_GRAD"], ["bench", "--list"]):
            with self.subTest(arguments):
                self.assertGreater(self.fail_everywhere(*arguments), 20)

    def test_is_told_by_the_picture_and_the_benchmark(self):
        self.assertGreater(self.fail_everywhere("draw", MODEL, finely=40), 60)
        self.assertGreater(self.fail_everywhere("bench", *TINY, same=words_of_rows, finely=80), 100)

    def test_leaves_no_picture_and_no_rows_that_are_not_whole(self):
        for name, read, arguments in (("picture.svg", xml.fromstring, ("draw", MODEL, "-o")),
                                      ("rows.json", json.loads, ("bench", *TINY, "--json"))):
            path = self.folder / name
            for number in steps(100000):
                result = failing(*arguments, path, ANYDML_TEST_FAIL_ALLOCATION=number)
                self.assertIn(self.names(), ([], [name]))
                if self.names():
                    read(path.read_text())
                if result.returncode == 0:
                    break
                self.assertEqual(result.returncode, 1, result)
                self.assertTrue(result.stderr.startswith("anydml: "), result)
            self.assertEqual(self.names(), [name])
            path.unlink()

    def test_leaves_no_file_that_is_not_whole(self):
        path = self.save(writing("out.npy"))
        out = self.folder / "out"
        for number in steps(100000):
            out.mkdir()
            result = failing("run", path, "--output-path", out, ANYDML_TEST_FAIL_ALLOCATION=number)
            names = self.names(out)
            self.assertIn(names, ([], ["out.npy"]))
            if names:
                self.assertEqual((out / "out.npy").stat().st_size, 128 + 16)
            if result.returncode == 0:
                break
            shutil.rmtree(out)

    def test_says_nothing_of_the_model(self):
        def at_most_600_megabytes():
            resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))
        model = identity()
        model["resources"]["input"]["initialValues"] = {"valueCount": 1 << 28, "value": 1}
        self.assert_fails(anydml("check", self.save(model), preexec_fn=at_most_600_megabytes),
                          "valueCount: needs 1073741824 bytes, which this machine does not have")


@unittest.skipIf(not PRELOAD, "a sanitizer has the place of pthread_create")
class NoThreads(CommandTest):
    def test_the_work_is_done_by_one(self):
        expected = MODEL.with_suffix(".expected").read_text()
        for number in (1, 2, 3):
            result = failing("run", MODEL, ANYDML_TEST_FAIL_THREAD=number)
            self.assert_prints(result, expected)
        for number in (1, 2, 3):
            result = failing("run", MODEL, "--iterations", 3, ANYDML_TEST_FAIL_THREAD=number)
            self.assertEqual((result.stderr, result.returncode), ("", 0))


class Signals(CommandTest):
    """The command stops itself just before its file gets its name; the signal comes then."""

    def setUp(self):
        super().setUp()
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))

    def stop_and_send(self, number, target="out.npy", **options):
        environment = {**os.environ, "LD_PRELOAD": PRELOAD, "ANYDML_TEST_STOP_AT_RENAME": "1"}
        out = self.folder / "out"
        out.mkdir()
        path = self.save(writing(target))
        process = subprocess.Popen([COMMAND, "run", path, "--output-path", out], env=environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        self.addCleanup(process.kill)
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status))
        part, = self.names(out)
        self.assertRegex(part, r"\.[0-9]+\.part$")
        self.assertNotIn(f".{process.pid}.", part)       # the same in two containers
        part.encode()              # whole characters: some file systems take no others
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=60)
        names = self.names(out)
        shutil.rmtree(out)
        return process.returncode, names

    @unittest.skipIf(not PRELOAD, "a sanitizer does not go with other libraries before it")
    def test_leave_no_partial_file_and_end_the_command_as_they_do(self):
        stay = {signal.SIGCHLD, signal.SIGCONT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
                signal.SIGURG, signal.SIGWINCH, signal.SIGXFSZ}
        for number in signal.valid_signals() - stay - {signal.SIGKILL, signal.SIGSTOP}:
            with self.subTest(number):
                self.assertEqual(self.stop_and_send(number, restore_signals=True), (-number, []))

    @unittest.skipIf(not PRELOAD, "a sanitizer does not go with other libraries before it")
    def test_leave_no_partial_file_of_a_long_name(self):
        for shift in ("a", "aa"):
            name = shift + "\u00e4" * 120 + ".npy"
            self.assertEqual(self.stop_and_send(signal.SIGINT, name), (-signal.SIGINT, []))

    @unittest.skipIf(not PRELOAD, "a sanitizer does not go with other libraries before it")
    def test_that_the_caller_turned_off_stay_so(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.assertEqual(self.stop_and_send(signal.SIGHUP, preexec_fn=ignore), (0, ["out.npy"]))

    def test_a_reader_that_goes_away_leaves_whole_files_alone(self):
        out = self.folder / "out"
        out.mkdir()
        path = self.save(writing("out.npy"))
        subprocess.run(["bash", "-c", '"$@" | head -0', "bash", COMMAND, "run", path,
                        "--output-path", out], check=True)
        self.assertIn(self.names(out), ([], ["out.npy"]))


@unittest.skipIf(not PRELOAD, "a sanitizer does not go with other libraries before it")
class OtherFolders(CommandTest):
    """The folder of a file becomes a link to one outside while the file is written."""

    def exchange(self, stop, number):
        """What the folder that was meant and the one outside hold afterwards, and the exit code."""
        folder = self.folder / f"{stop}_{number}"
        real, moved, outside = folder / "out/real", folder / "out/moved", folder / "outside"
        real.mkdir(parents=True)
        outside.mkdir()
        path = self.save(writing("real/out.bin"))
        environment = {**os.environ, "LD_PRELOAD": PRELOAD, f"ANYDML_TEST_STOP_AT_{stop}": "1"}
        with subprocess.Popen([COMMAND, "run", path, "--output-path", folder / "out"],
                              env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            self.assertTrue(os.WIFSTOPPED(status))
            real.rename(moved)
            real.symlink_to(outside)
            process.send_signal(number)
            process.send_signal(signal.SIGCONT)
        return self.names(moved), self.names(outside), process.returncode

    def test_get_no_file(self):
        for stop in ("ENTROPY", "WRITE", "RENAME"):
            with self.subTest(stop):
                self.assertEqual(self.exchange(stop, signal.SIGCONT), (["out.bin"], [], 0))

    def test_keep_no_partial_file_from_being_removed(self):
        for stop in ("WRITE", "RENAME"):
            with self.subTest(stop):
                self.assertEqual(self.exchange(stop, signal.SIGTERM), ([], [], -signal.SIGTERM))


class FullDisk(CommandTest):
    @unittest.skipIf(not PRELOAD, "a sanitizer does not go with other libraries before it")
    def test_that_fails_at_last_keeps_the_old_file(self):
        """Disks across a network tell only then."""
        (self.folder / "out.npy").write_text("old")
        path = self.save(writing("out.npy"))
        result = failing("run", path, "--output-path", self.folder, ANYDML_TEST_FAIL_FSYNC=1)
        self.assert_fails(result, "/out.npy' could not be written: Input/output error")
        self.assertEqual(self.names(), ["model.json", "out.npy"])
        self.assertEqual((self.folder / "out.npy").read_text(), "old")

    @unittest.skipIf(os.geteuid() != 0, "only root may mount a small disk")
    def test_is_told_and_leaves_nothing(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest(f"no small disk: {mounted.stderr}")
        try:
            (disk / "other").write_bytes(bytes(8192))
            model = writing("out.npy", resource="large")
            model["resources"]["large"] = {"initialValuesDataType": "FLOAT32", "initialValues": {
                "valueCount": 10000, "value": 1}}
            result = self.run_model(model, "--output-path", disk)
            self.assert_fails(result, "/out.npy' could not be written: No space left on device")
            self.assertEqual(self.names(disk), ["other"])
        finally:
            subprocess.run(["umount", disk], check=True)


if __name__ == "__main__":
    unittest.main()
