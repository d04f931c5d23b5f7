"""Trains libtr and other toolkits in turns on the same data and prints a Markdown table of ratios.

Every contestant has the same threads and trains on Multi30k English to German, lower-cased, with a joint vocabulary
of 10,000 byte-pair pieces and batches of about 3,750 real target tokens; those an update are in the table, since the
programs fill their batches differently. Rates are all target tokens, pads excluded, over all seconds
of the counted updates; ratios are taken within a round and their median is shown. Nothing else should run meanwhile.
"""
import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
WARM_UP = 5

# What is trained, libtr's configuration, and what the peers call it.
ROWS = [
    ("Transformer 4+4, d 128", "transformer_128.json", {"JoeyNMT": "transformer", "PyTorch": "transformer"}),
    ("Transformer 3+3, d 256", "transformer_256.json", {}),
    ("Seq2Seq, LSTM 256", "seq2seq_256.json", {"PyTorch": "seq2seq"}),
    ("Seq2Seq, LSTM 256, dot attention", "seq2seq_attention_256.json", {"PyTorch": "seq2seq_attention"}),
    ("Seq2Seq, LSTM 256, Bahdanau, input feeding", "bahdanau_256.json", {"JoeyNMT": "rnn"}),
]
# Limits of a batch with which all train on as many real target tokens an update as the PyTorch script does, whose
# limit of 4,096 is fixed: libtr pads least, JoeyNMT, which does not sort by length, most.
LIBTR_BATCH_TOKENS = 3880
JOEYNMT_BATCH = "training.batch_size=8330"
# The halves of its encoder are as wide as the whole is told to be; libtr's are half as wide.
JOEYNMT_CHANGES = {"rnn": [JOEYNMT_BATCH, "model.encoder.hidden_size=128"], "transformer": [JOEYNMT_BATCH]}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("env", type=pathlib.Path, help="Python environment with the peers")
    parser.add_argument("data", type=pathlib.Path, help="folder of Multi30k")
    parser.add_argument("--peers", type=pathlib.Path, default=ROOT.parent / "shared/peers",
                        help="folder with prepare_multi30k.sh, joeynmt_config.py and pytorch_baseline.py")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--updates", type=int, default=60, help="that are measured, of each contestant in each round")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rows", default="", help="only rows whose name contains this; nothing is written then")
    return parser.parse_args()


class Contest:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
        self.corpus = work / "multi30k"
        self.run("sh", options.peers / "prepare_multi30k.sh", options.data, self.corpus)
        # Trained apart, as the peers' is, so that it counts for no one's memory.
        self.tokenizer = work / "tokenizer"
        self.run(options.programs / "libtr", "tokenizer", "train", "--source", self.corpus / "train.lc.en", "--target",
                 self.corpus / "train.lc.de", "-o", self.tokenizer, "--set", "/tokenizer/vocab_size=10000")

    def run(self, *command):
        """What the command prints; its last words on standard error if it fails."""
        done = subprocess.run([str(part) for part in command], env=self.environment, text=True, capture_output=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout

    def libtr(self, config):
        settings = [f"/train/batch_tokens={LIBTR_BATCH_TOKENS}",
                    f"/tokenizer={json.dumps({'type': 'load', 'from': str(self.tokenizer)})}"]
        for name, split in (("train", "train"), ("valid", "val"), ("test/test_2016_flickr", "test_2016_flickr")):
            settings += [f"/data/{name}/source={self.corpus / split}.lc.en",
                         f"/data/{name}/target={self.corpus / split}.lc.de"]
        overrides = [part for setting in settings for part in ("--set", setting)]
        return self.run(self.options.programs / "train_speed", ROOT / "configs/benchmarks" / config, "--updates",
                        self.options.updates, "--warm-up", WARM_UP, "--threads", self.options.threads, *overrides)

    def pytorch(self, kind):
        return self.run(self.options.env / "bin/python", HERE / "peers/pytorch_speed.py",
                        self.options.peers / "pytorch_baseline.py", kind, self.corpus, self.options.updates + WARM_UP)

    def joeynmt(self, kind):
        python, run = self.options.env / "bin/python", pathlib.Path(tempfile.mkdtemp(dir=self.work)) / "run"
        self.run(python, self.options.peers / "joeynmt_config.py", kind, self.options.updates + WARM_UP + 1,
                 self.corpus, run)
        printed = self.run(python, HERE / "peers/joeynmt_speed.py", f"{run}.yaml", WARM_UP, *JOEYNMT_CHANGES[kind])
        return printed.splitlines()[-1]

    def measure(self, who, what):
        measured = json.loads({"libtr": self.libtr, "PyTorch": self.pytorch, "JoeyNMT": self.joeynmt}[who](what))
        return measured | {"config": what}  # without the folders of this machine


def rate(measured):
    return measured["target_tokens_per_second"]["mean"]


def summary(rounds):
    median = statistics.median
    return {name: {
        "parameters": rounds[0][name]["parameters"],
        "target_tokens_per_second": median(rate(one[name]) for one in rounds),
        "target_tokens_per_update": median(one[name]["target_tokens_per_update"] for one in rounds),
        "peak_memory_bytes": median(one[name]["peak_memory_bytes"] for one in rounds),
        "share_of_product_rate": median(one[name].get("share_of_product_rate", 0) for one in rounds) or None,
        "libtr_times_as_fast": median(rate(one["libtr"]) / rate(one[name]) for one in rounds),
        "libtr_share_of_memory": median(one["libtr"]["peak_memory_bytes"] / one[name]["peak_memory_bytes"]
                                        for one in rounds),
    } for name in sorted(rounds[0])}


def table(results):
    lines = ["| model | program | parameters | target tokens/s | share of products | tokens an update | peak memory | "
             "libtr |", "|---|---|---|---|---|---|---|---|"]
    for model, row in results.items():
        for name, of in row["median"].items():
            share = f"{of['share_of_product_rate']:.2f}" if of["share_of_product_rate"] else ""
            ratio = "" if name == "libtr" else f"{of['libtr_times_as_fast']:.2f} × as fast"
            lines.append(f"| {model} | {name} | {of['parameters']:,} | {of['target_tokens_per_second']:,.0f} | "
                         f"{share} | {of['target_tokens_per_update']:,.0f} | {of['peak_memory_bytes'] / 1e9:.2f} GB | "
                         f"{ratio} |")
    return "\n".join(lines)


def main():
    options = arguments()
    results, file = {}, HERE / "results" / f"{datetime.date.today()}-peers.json"
    with tempfile.TemporaryDirectory() as work:
        contest = Contest(options, pathlib.Path(work))
        for model, config, peers in (row for row in ROWS if options.rows in row[0]):
            contestants = [("libtr", config), *peers.items()]
            rounds = []
            for _ in range(options.rounds):
                rounds.append({who: contest.measure(who, what) for who, what in contestants})
                contestants.append(contestants.pop(0))  # no one is always first
            results[model] = {"median": summary(rounds), "rounds": rounds}
            print(table({model: results[model]}), flush=True)
            if not options.rows:
                file.parent.mkdir(exist_ok=True)
                file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
