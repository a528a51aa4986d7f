# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Forked children, whatever their parent was doing: results or a sentence, never a hang."""
import concurrent.futures
import multiprocessing
import os
import signal
import threading

import numpy

import anydml

RIGHT, REFUSED_IN_WORDS, WRONG = 0, 2, 3
SECONDS_TO_HANG = 30


def in_child(function):
    """What function() gives in a forked child; None if it had to be killed."""
    child = os.fork()
    if child == 0:
        result = WRONG
        try:
            signal.alarm(SECONDS_TO_HANG)
            result = function()
        finally:
            os._exit(result)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else None


def relu_of(size):
    try:
        return RIGHT if anydml.relu(numpy.full(size, 3, "float32")).sum() == 3 * size else WRONG
    except anydml.Unsupported as error:
        return REFUSED_IN_WORDS if "forked" in str(error) else WRONG


def test_a_child_works_with_what_its_parent_has_compiled():
    assert relu_of(1 << 20) == RIGHT
    assert in_child(lambda: relu_of(1 << 20)) == RIGHT
    assert in_child(lambda: relu_of(12345)) == RIGHT
    assert in_child(lambda: in_child(lambda: relu_of(1 << 20))) == RIGHT


def test_a_pool_of_forked_workers():
    relu_of(1 << 20)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(relu_of, [1 << 20, 5, 7, 9]) == [RIGHT] * 4


def test_children_of_a_busy_process():
    """Threads create and execute operators while others fork: a lock that one of them holds is
    never opened in the child."""
    stop = threading.Event()

    def work(seed):
        random = numpy.random.default_rng(seed)
        while not stop.is_set():
            anydml.relu.cache.clear()
            relu_of(int(random.integers(1, 4000)))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        threads = [pool.submit(work, seed) for seed in range(4)]
        try:
            results = {in_child(lambda: relu_of(100 + i)) for i in range(150)}
        finally:
            stop.set()
        for thread in threads:
            thread.result()
    assert results <= {RIGHT, REFUSED_IN_WORDS}
