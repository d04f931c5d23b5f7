"""joeynmt_speed.py CONFIG.yaml WARM_UP [KEY=VALUE…]: trains as CONFIG says and prints JoeyNMT's speed as JSON.

An update lasts from its start to that of the next one, so that the optimizer and the batch are counted; the first
WARM_UP updates and the last one do not count. KEY=VALUE changes a number: model.encoder.hidden_size=128.
"""
import json
import logging
import pathlib
import resource
import sys
import time

import joeynmt.training
import torch
from joeynmt.config import load_config


def main(config_file, warm_up, changes):
    starts, tokens, sizes = [], [], []
    original = joeynmt.training.TrainManager._train_step

    def timed_step(self, batch):
        sizes[:] = [sum(parameter.numel() for parameter in self.model.parameters())]
        starts.append(time.perf_counter())
        tokens.append(int(batch.ntokens))
        return original(self, batch)

    joeynmt.training.TrainManager._train_step = timed_step
    logging.disable(logging.INFO)
    config = load_config(pathlib.Path(config_file))
    for change in changes:
        path, value = change.split("=")
        *parents, key = path.split(".")
        place = config
        for parent in parents:
            place = place[parent]
        place[key] = int(value)
    pathlib.Path(config["model_dir"]).mkdir(parents=True, exist_ok=True)
    joeynmt.training.train(rank=0, world_size=1, cfg=config, skip_test=True)
    counted = tokens[warm_up:len(tokens) - 1]
    print(json.dumps({
        "parameters": sizes[0],
        "updates": len(counted),
        "target_tokens_per_update": sum(counted) / len(counted),
        "target_tokens_per_second": {"mean": sum(counted) / (starts[-1] - starts[warm_up])},
        "peak_memory_bytes": 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        "environment": {"program": "JoeyNMT " + joeynmt.__version__, "torch": torch.__version__,
                        "threads": torch.get_num_threads()},
    }))


main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
