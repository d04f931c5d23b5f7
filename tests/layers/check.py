"""What no compiler checks. A folder includes only folders above it: every #include "libtr/…" is held against the order
of the layers. A subcommand is a file of 60 lines at most, and no line of C++ or Python is longer than 120 columns.

Usage: check.py SOURCES   (exit status 1 and a line for each fault)
"""
import pathlib
import re
import sys
import unicodedata

LAYERS = ["base", "config", "metrics", "tokenizer", "data", "kernels", "nn", "models", "decode", "io", "train",
          "report", "experiment"]
TORCH_FREE = set(LAYERS[:LAYERS.index("kernels") + 1])
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
TORCH = re.compile(r"^(torch|ATen|c10)/")
ONLY_IN = {"fmt/": "libtr/base/format.h", "sentencepiece": "libtr/tokenizer/sentencepiece.cpp"}
SOURCES = ["libtr", "apps", "tests", "experiments", "benchmarks", "scripts", "third_party"]
LINES_OF_COMMAND, COLUMNS = 60, 120


def faults_of_includes(root):
    for path in sorted((root / "libtr").glob("**/*.[ch]*")):
        name = path.relative_to(root).as_posix()
        parts = name.split("/")
        if path.suffix not in (".h", ".cpp") or len(parts) < 3:
            continue
        layer = parts[1]
        if layer not in LAYERS:
            yield f"{name}: the folder {layer} is not a layer"
            continue
        for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if included.startswith("libtr/"):
                other = included.split("/")[1]
                if other not in LAYERS[:LAYERS.index(layer) + 1]:
                    yield f"{name}: includes {included}, but {layer} stands before {other}"
            elif layer in TORCH_FREE and TORCH.match(included):
                yield f"{name}: includes {included}, but {layer} has no tensors"
            for prefix, place in ONLY_IN.items():
                if included.startswith(prefix) and name != place:
                    yield f"{name}: includes {included}, which belongs into {place} alone"


def columns(line):
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def faults_of_size(root):
    for path in sorted(path for folder in SOURCES for path in (root / folder).glob("**/*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in (".h", ".cpp", ".py") or name.startswith("tests/layers/fault/"):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        if name.startswith("apps/") and path.suffix == ".cpp" and len(lines) > LINES_OF_COMMAND:
            yield f"{name}: {len(lines)} lines, expected at most {LINES_OF_COMMAND}"
        for number, line in enumerate(lines, 1):
            if columns(line) > COLUMNS:
                yield f"{name}:{number}: {columns(line)} columns, expected at most {COLUMNS}"


root = pathlib.Path(sys.argv[1])
found = [*faults_of_includes(root), *faults_of_size(root)]
print("\n".join(found) or "the layers hold")
sys.exit(bool(found))
