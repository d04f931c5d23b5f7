"""Writes the bytes that safetensors_test.cpp calls golden: python make_golden.py FILE

By torch 2.13 and safetensors 0.8.0.
"""
import sys

import torch
from safetensors.torch import save_file

save_file({
    "weight": torch.arange(6, dtype=torch.float32).reshape(2, 3) / 4,
    "bias": torch.tensor([1.5, -2.0]),
    "steps": torch.tensor([7, 8, 9]),
    "big": torch.tensor([1], dtype=torch.uint64),
    "double": torch.tensor([0.1], dtype=torch.float64),
    "half": torch.tensor([0.5, 1, 2], dtype=torch.float16),
    "brain": torch.tensor([0.5, -3], dtype=torch.bfloat16),
    "flags": torch.tensor([True, False, True]),
    "byte": torch.tensor([200], dtype=torch.uint8),
    "small": torch.tensor([-3], dtype=torch.int8),
    "short": torch.tensor([-300], dtype=torch.int16),
    "ushort": torch.tensor([60000], dtype=torch.uint16),
    "int": torch.tensor([-70000], dtype=torch.int32),
    "uint": torch.tensor([4000000000], dtype=torch.uint32),
    "complex": torch.tensor([1 + 2j], dtype=torch.complex64),
    "scalar": torch.tensor(2.5),
    "none": torch.zeros(0, 4),
}, sys.argv[1], metadata={"format": "pt"})
