"""smoke_test.py PROGRAMS SOURCES: the speed programs measure a run of a few updates, and name what is wrong."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

programs, sources = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SMALL = ["--set", "/data/train/pairs=300", "--set", "/data/valid/pairs=5", "--set", "/data/test/test/pairs=5",
         "--set", "/data/test/compositional/pairs=5", "--set", "/tokenizer/vocab_size=300"]


def run(scratch, program, *arguments, status=0):
    environment = dict(os.environ, TMPDIR=str(scratch / "tmp"))
    done = subprocess.run([programs / program, *map(str, arguments)], env=environment, text=True, capture_output=True)
    assert done.returncode == status, (program, arguments, done.returncode, done.stderr)
    return done.stdout if status == 0 else done.stderr


def check_training(scratch, config):
    measured = json.loads(run(scratch, "train_speed", config, "--updates", 10, "--warm-up", 2, "--threads", 1, *SMALL))
    rates, shares = measured["target_tokens_per_second"], measured["shares_of_time"]
    assert 0 < rates["least"] <= rates["median"] <= rates["most"], rates
    assert measured["updates"] == 10 and 0 < measured["target_tokens_per_update"] <= 512, measured
    # Kernels may be faster than the product that they are held against.
    assert 0 < measured["share_of_product_rate"] < 10 and measured["peak_memory_bytes"] > 1e7, measured
    assert all(share > 0 for share in shares.values()), shares
    assert measured["environment"]["threads"] == 1, measured


def check_decoding(scratch, config):
    run(scratch, "libtr", "train", config, "--run", scratch / "run", "--quiet", *SMALL,
        "--set", "/train/budget/updates=3")
    (scratch / "text.en").write_text("a cat sleeps .\nthe dog runs .\n", encoding="utf-8")
    measured = json.loads(run(scratch, "decode_speed", scratch / "run", scratch / "text.en", "--beam", 1, 3,
                              "--times", 2))
    assert measured["sentences"] == 2 and [beam["beam"] for beam in measured["beams"]] == [1, 3], measured
    assert all(beam["sentences_per_second"]["least"] > 0 for beam in measured["beams"]), measured


def check_kernels(scratch):
    printed = run(scratch, "kernels", "--benchmark_filter=rows:20/|tokens:20/|batch:1/",
                  "--benchmark_min_time=0.001", "--benchmark_format=json")
    times = {row["name"]: row["real_time"] for row in json.loads(printed)["benchmarks"]}
    assert all(seconds > 0 for seconds in times.values()), times
    for name in ("linear_kernel", "linear_libtorch", "loss_kernel", "loss_plain", "attention_kernel"):
        assert any(row.startswith(name + "/") for row in times), (name, times)
    run(scratch, "kernels", "--wrong", status=2)


def check_errors(scratch, config):
    error = run(scratch, "train_speed", sources / "configs/missing.json", status=2)
    assert error.startswith("error: ") and "missing.json" in error and error.count("\n") == 1, error
    assert "--updates" in run(scratch, "train_speed", config, "--updates", 0, status=2)
    assert "--times" in run(scratch, "decode_speed", scratch / "run", scratch / "text.en", "--times", 0, status=2)
    # A rate at which any model diverges.
    error = run(scratch, "train_speed", config, *SMALL, "--updates", 10, "--set",
                "/train/optimizer/learning_rate=1e30", "--set", "/train/schedule/warmup=0", status=1)
    assert "gradient norm" in error, error


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "tmp").mkdir()
    transformer = sources / "configs/compare/transformer.json"
    check_training(folder, transformer)
    check_decoding(folder, transformer)
    check_kernels(folder)
    check_errors(folder, transformer)
    assert not list((folder / "tmp").iterdir()), "a scratch folder was left"
