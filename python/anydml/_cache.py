# SPDX-FileCopyrightText: 2026 The AnyDML authors
# SPDX-License-Identifier: MIT
"""Compiled operators by all that they depend on: bounded per function in number, and over all
functions in the bytes of their tables and constants."""
import os
import threading
import weakref

_MAX_KEPT = 32                           # operators of a function: each may pin a hole in the heap
_MAX_TABLE_BYTES = 64 << 20               # of all functions' together, as the library's own cache
_lock = threading.Lock()                   # of all caches
_tables = {}                               # bytes by (weak reference to a Cache, key), oldest first


class Cache:
    """A function with what was compiled for it. One that goes takes its operators along."""

    def __init__(self):
        self.cache = {}

    def _find(self, key):
        try:
            return self.cache.get(key)
        except TypeError:                  # an unhashable device: refused in words later
            return None

    def _keep(self, key, compiled):
        """The oldest leave first. One that has more tables than all may have stays until the next
        one comes."""
        with _lock:
            while len(self.cache) >= _MAX_KEPT:
                self._drop(next(iter(self.cache)))
            self.cache[key] = compiled
            if compiled.table_bytes:
                _tables[weakref.ref(self), key] = compiled.table_bytes
            for entry in [entry for entry in _tables if entry[0]() is None]:
                del _tables[entry]
            while sum(_tables.values()) > _MAX_TABLE_BYTES and len(_tables) > 1:
                owner, oldest = next(iter(_tables))
                _tables.pop((owner, oldest))
                found = owner()
                if found is not None:
                    found.cache.pop(oldest, None)

    def _drop(self, key):
        self.cache.pop(key, None)
        _tables.pop((weakref.ref(self), key), None)


def _renew_lock():
    global _lock
    _lock = threading.Lock()


# A thread that a forked child does not have may hold it.
os.register_at_fork(after_in_child=_renew_lock)
