#!/usr/bin/env python3
"""Writes the kernels of docs/web, or runs a page in a headless browser and prints the result.

    web.py kernels TILE-TRANSLATE              prints kernels.js
    web.py run BROWSER DOCS/WEB SIZES          scans: one line per kernel and size; exit status 1 if one is wrong
    web.py copies BROWSER FOLDER               the same for copies.html in a folder with the files of docs/web
    web.py layouts BROWSER PAGES TILE-LAYOUT   fills in the forms of layouts.html, and compares the answers with the tool's
    web.py playground BROWSER PAGES TILE-RUN   runs the examples of playground.html, and compares the answers with the tool's
"""

import functools
import http.server
import json
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

# Attributes of the scan, under the names that scan.js knows.
KERNELS = {
    "decoupled_fallback": "counters",
    "skip_post": "skip_post = 1, counters",
    "hold": "hold = 7, counters",
    "reverse": "reverse, counters",
    "lookback": 'strategy = "decoupled_lookback", order = "block_id", reverse, poll_cap = 1000, counters',
    "reduce_then_scan": 'strategy = "reduce_then_scan"',
}

SCAN = """func.func @host(%x: memref<?xi32>, %y: memref<?xi32>, %w: memref<?xi8>, %epoch: i32) {{
  tile.scan @kernels::@scan inclusive add %x to %y workspace(%w) epoch(%epoch) {{{}}}
    : memref<?xi32> to memref<?xi32>, memref<?xi8>
  return
}}"""

# SwiftShader runs WebGPU on any CPU; the sandbox needs a user other than root.
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan",
    "--no-first-run",
    "--disable-extensions",
]
SECONDS = 200

# Forms of layouts.html that are filled in: the mode, and the fields that are not left as they are.
FORMS = [
    ("layout", {}),
    ("layout", {"layout": "#tile.fragment<mma.m16n8k16.c>", "shape": "16x8", "bits": "32", "chunk": ""}),
    ("layout", {"layout": "(256, 256) : (256, 1)", "chunk": ""}),
    ("layout", {"layout": "(8, 64 : (64, 1)"}),
    ("banks", {}),
    ("banks", {"layout": "(32, 32) : (33, 1)", "lanes": "(32, 1) : (1@laneid, 1)", "bytes": "4", "access": "write"}),
    ("copy", {}),
    ("copy", {"destination": "(16, 32) : (1, 16)", "chunk": "", "arrows": "16", "chip": "sm_80"}),
    ("copy", {"async": "on"}),
    ("copy", {"layout": "(16, 16) : (16, 1)", "destination": "#tile.fragment<mma.m16n8k16.a>", "from": "shared",
              "to": "local", "chunk": ""}),
    ("copy", {"chip": "sm_1"}),
    ("convert", {"to": "triton"}),
    ("algebra", {}),
    ("algebra", {"operation": "compare", "layout": "(4, 8) : (8, 1)", "other": "(4, 8) : (1, 4)"}),
    ("algebra", {"operation": "complement", "layout": "(2,2):(1,6)", "other": "24"}),
]


def kernels(translate):
    """The text of kernels.js."""
    lines = ["// What `tile-translate --tile-to-wgsl` writes; test/tools/web.py makes this file.", "const KERNELS = {"]
    for name, attributes in KERNELS.items():
        text = SCAN.format(attributes)
        command = [translate, "--tile-to-wgsl"]
        wgsl = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        source = "\n".join(line.strip() for line in wgsl.splitlines() if line.strip())
        lines.append(f"  {name}: {json.dumps(source)},")
    return "\n".join([*lines, "};", ""])


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the page, and receives its report."""

    def __init__(self, *arguments, reports, **named):
        self.reports = reports
        super().__init__(*arguments, **named)

    def do_GET(self):
        if self.path != "/cases.json":
            super().do_GET()
            return
        body = json.dumps([{"mode": mode, "given": given} for mode, given in FORMS]).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(204)
        self.end_headers()
        self.reports.put(json.loads(body))

    def log_message(self, *arguments):
        pass


def report(browser, folder, page):
    """The report of a page."""
    reports = queue.Queue()
    handler = functools.partial(Handler, reports=reports, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page = f"http://127.0.0.1:{server.server_port}/{page}"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, *FLAGS, f"--user-data-dir={profile}", page]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return reports.get(timeout=SECONDS)
        except queue.Empty:
            sys.exit(f"the page did not report within {SECONDS} seconds")
        finally:
            process.kill()
            process.wait()


def layouts(browser, pages, tool):
    """Prints a line for each form of layouts.html; whether all answers are those of the tool."""
    good = True
    for form in report(browser, str(pages), "layouts.html?report")["results"]:
        said = []
        for answer in form["answers"]:
            native = subprocess.run([tool, *answer["words"]], capture_output=True, text=True, check=False)
            same = (answer["text"], answer["status"]) == (native.stdout + native.stderr, native.returncode)
            said.append(f"{answer['words'][0]} {answer['status']} {'same' if same else 'different'}")
            good = good and same
        shown = next(iter(form["shown"].splitlines()), "")
        print(f"{form['mode']}: {', '.join(said)}; {form['cells']} cells; {shown}")
    return good


def playground(browser, pages, tool):
    """Prints the status of each example of playground.html; whether all answers are those of the tool for the same PTX."""
    good = True
    for example in report(browser, str(pages), "playground.html?report")["results"]:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / example["name"]).write_text(example["ptx"])
            command = [tool, *example["words"]]
            native = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        same = (example["text"], example["status"]) == (native.stdout, native.returncode)
        good = good and same
        print(f"{example['name']}: {example['status']}, {'same' if same else 'different'}")
        if not same:
            print(example["text"], native.stdout, sep="---\n")
    return good


def main():
    match sys.argv[1:]:
        case ["kernels", translate]:
            sys.stdout.write(kernels(translate))
        case ["run", browser, folder, sizes]:
            found = report(browser, str(Path(folder)), f"scan.html?sizes={sizes}")
            print(found.get("error") or found["device"])
            for one in found["results"]:
                sums = "gave up" if one["gaveUp"] else "right" if one["wrong"] < 0 else f"wrong at {one['wrong']}"
                counts = f"{one['polls']} polls, {one['fallbacks']} fallbacks, {one['published']} published"
                print(f"{one['name']}: {one['size']} elements {sums}, {counts}, {one['milliseconds']:.1f} ms")
            sys.exit(0 if found["good"] else 1)
        case ["copies", browser, folder]:
            found = report(browser, str(Path(folder)), "copies.html?report")
            print(found.get("error") or found["device"])
            for one in found["results"]:
                print(f"{one['name']}: {', '.join(one['wrong']) or 'same bits'}")
            sys.exit(0 if found["good"] else 1)
        case ["layouts", browser, pages, tool]:
            sys.exit(0 if layouts(browser, Path(pages), tool) else 1)
        case ["playground", browser, pages, tool]:
            sys.exit(0 if playground(browser, Path(pages), tool) else 1)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
