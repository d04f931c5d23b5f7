"""A folder includes only folders above it: reads every #include "libtr/…" and holds it against the order of the layers.

Usage: check.py SOURCES   (exit status 1 and a line for each fault)
"""
import pathlib
import re
import sys

LAYERS = ["base", "config", "metrics", "tokenizer", "data", "kernels", "nn", "models", "decode", "io", "train", "report",
          "experiment"]
TORCH_FREE = set(LAYERS[:LAYERS.index("kernels") + 1])
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
TORCH = re.compile(r"^(torch|ATen|c10)/")
ONLY_IN = {"fmt/": "libtr/base/format.h", "sentencepiece": "libtr/tokenizer/sentencepiece.cpp"}


def faults(root):
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


found = list(faults(pathlib.Path(sys.argv[1])))
print("\n".join(found) or "the layers hold")
sys.exit(bool(found))
