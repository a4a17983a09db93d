#!/usr/bin/env python3
"""A host in Python: plays fool's mate before the arbiter and prints what it rules.

    python3 arbiter-plugin/examples/host.py target/release/libarbiter_plugin.so
"""
import ctypes
import json
import sys

ABI_VERSION = 1


class Arbiter:
    """An arbiter behind the C interface of include/arbiter.h."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        for name in ("version", "observe", "state", "can_mate"):
            # Not c_char_p: the pointer itself is needed to give the text back.
            getattr(self.library, f"arbiter_{name}").restype = ctypes.c_void_p
        self.library.arbiter_create.restype = ctypes.c_void_p
        self.library.arbiter_observe.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.library.arbiter_state.argtypes = [ctypes.c_void_p]
        self.library.arbiter_can_mate.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        self.library.arbiter_free.argtypes = [ctypes.c_void_p]
        self.library.arbiter_string_free.argtypes = [ctypes.c_void_p]
        if self.library.arbiter_abi_version() != ABI_VERSION:
            raise RuntimeError("the library has another version than this program")
        self.handle = self.library.arbiter_create()

    def take(self, pointer):
        text = ctypes.string_at(pointer).decode()
        self.library.arbiter_string_free(pointer)
        return text

    def version(self):
        return self.take(self.library.arbiter_version())

    def observe(self, **event):
        pointer = self.library.arbiter_observe(self.handle, json.dumps(event).encode())
        return json.loads(self.take(pointer))

    def state(self):
        return json.loads(self.take(self.library.arbiter_state(self.handle)))

    def can_mate(self, fen, side):
        pointer = self.library.arbiter_can_mate(fen.encode(), side.encode())
        return json.loads(self.take(pointer))

    def close(self):
        self.library.arbiter_free(self.handle)
        self.handle = None


def main():
    arbiter = Arbiter(sys.argv[1])
    print(arbiter.version())
    arbiter.observe(type="game_started", edition="2018")
    arbiter.observe(type="moves_played", uci=["f2f3", "e7e5", "g2g4"])
    answer = arbiter.observe(type="move_made", by="b", t=4000, uci="d8h4")
    for ruling in answer["rulings"]:
        print(ruling["text"])
    print(arbiter.state()["moves"][-1]["san"])
    print(arbiter.can_mate("4k3/8/8/8/8/8/8/4K2N w - - 0 1", "w"))
    over = arbiter.state()["outcome"]
    arbiter.close()
    return 0 if over["result"] == "0-1" and over["reason"] == "checkmate" else 1


if __name__ == "__main__":
    sys.exit(main())
