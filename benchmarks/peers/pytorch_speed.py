"""pytorch_speed.py SCRIPT KIND DATA UPDATES: runs a baseline script and prints its speed as JSON.

SCRIPT counts target tokens in `tokens` from its sixth update on, notes their start in `began` and leaves its `model`,
as pytorch_baseline.py of the peers does.
"""
import contextlib
import io
import json
import resource
import runpy
import sys
import time

import torch

script, updates = sys.argv[1], int(sys.argv[4])
sys.argv = sys.argv[1:]
with contextlib.redirect_stdout(io.StringIO()):
    left = runpy.run_path(script, run_name="__main__")
seconds = time.perf_counter() - left["began"]
print(json.dumps({
    "parameters": sum(parameter.numel() for parameter in left["model"].parameters()),
    "updates": updates - 5,
    "target_tokens_per_update": left["tokens"] / (updates - 5),
    "target_tokens_per_second": {"mean": left["tokens"] / seconds},
    "peak_memory_bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    "environment": {"program": "PyTorch " + torch.__version__, "threads": torch.get_num_threads()},
}))
