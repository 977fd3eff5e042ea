#!/usr/bin/env python3
"""Prints deeply nested input.

    nested.py modules N      N nested modules
    nested.py tuples N       a type of N nested tuples
    nested.py editor         messages to the language server, some of which nest deeply; for -lit-test
"""

import json
import sys


def modules(count):
    return "module {\n" * count + "}\n" * count


def tuples(count):
    return f"func.func private @f({'tuple<' * count}{'>' * count})\n"


def opened(name, text):
    document = {"uri": f"test:///{name}.mlir", "languageId": "mlir", "version": 1, "text": text}
    return json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}})


def editor():
    initialize = {"processId": 1, "rootPath": "mlir", "capabilities": {}, "trace": "off"}
    start, end = {"line": 0, "character": 0}, {"line": 0, "character": 6}
    change = {
        "textDocument": {"uri": "test:///modules.mlir", "version": 2},
        "contentChanges": [{"range": {"start": start, "end": end}, "text": "modul"}],
    }
    messages = [
        json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": initialize}),
        '{"jsonrpc": "2.0", "method": "deep", "params": ' + "[" * 200_000 + "]" * 200_000 + "}",
        opened("modules", modules(2_000)),
        opened("tuples", tuples(50_000)),
        json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": change}),
        opened("right", "module {}\n"),
        json.dumps({"jsonrpc": "2.0", "id": 3, "method": "shutdown"}),
        json.dumps({"jsonrpc": "2.0", "method": "exit"}),
    ]
    return "\n// -----\n".join(messages) + "\n"


def main():
    kind, *count = sys.argv[1:]
    made = {"modules": modules, "tuples": tuples}
    print(editor() if kind == "editor" else made[kind](int(count[0])), end="")


if __name__ == "__main__":
    main()
