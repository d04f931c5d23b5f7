"""Writes golden.json beside itself: scores and tokens of sacreBLEU for sentences made up for this project.

    pip install sacrebleu==2.6.0 && python3 tests/metrics/make_golden.py
"""
import itertools
import json
import pathlib

import sacrebleu
from sacrebleu.metrics import BLEU, CHRF

# Hypothesis, then one to three references. What they are to catch stands behind them.
SENTENCES = [
    ("나는 학교에 가는 것을 좋아한다 .", "나는 학교에 가는 것을 좋아한다 .", "학교에 가는 것을 나는 좋아한다."),
    ("비가 오면 우산을 쓴다!", "비가 오면 우산을 씁니다!"),
    ("Der Zug fährt um 10.30 Uhr ab.", "Der Zug fährt um 10.30 Uhr ab ."),  # period inside a number, and behind a word
    ("Es kostet 1.234,50 EUR, also 3-4 % mehr.", "Das kostet 1.234,50 EUR, also 3-4 Prozent mehr.", "Es kostet mehr."),
    ("", "Eine leere Zeile ."),
    ("Eine leere Referenz", ""),
    ("", ""),
    ("Tom &amp; Anna sagten: &quot;2 &lt; 3&quot;", "Tom & Anna sagten: \"2 < 3\"", "Tom &amp; Anna sagten &amp;lt;"),
    ("no\u00a0break\u00a0space here", "no break space here"),
    ("next\u0085line and\u2028separator\u2029end", "next line and separator end", "nextline andseparator end"),
    ("\u3000wide space\u200bzero width \ufeff", "wide space zero width"),
    ("file\x1cseparator\x1funit\x0bvertical", "file separator unit vertical"),
    ("我有3.5部手机,“您好”。", "我有3.5部 手机，“您好”。", "我有三部手机。"),  # quotation marks that zh splits
    ("𠀀𠀁是古字 → ok", "𠀀𠀁 是古字 ok"),  # beyond U+FFFF: not Chinese for zh
    ("ｱｲｳ ＡＢＣ！カタカナ", "アイウ ABC！カタカナ"),
    ("party 🎉👍🏽 time ☃", "party 🎉 👍 time ☃"),
    ("ΟΔΥΣΣΕΥΣ ΣΑΣ İzmir STRASSE ẞ", "οδυσσευς σας i̇zmir straße ß", "Οδυσσεύς σας"),  # final sigma, dotted I
    ("cafe\u0301 caf\u00e9 ﬁn ½ Ⅳ", "café café fin ½ IV"),
    ("(hello) [world] {x} a/b x=y c++ @me #tag $5", "(hello) [ world ] {x} a / b x = y c ++ @me #tag $5"),
    ("it's 1990's, don't... wait .. ,, 5, .5", "it's 1990's , don't ... wait .. , , 5 , .5"),
    ("<skipped>kept § ¿qué? №5 €9 10%", "kept § ¿qué? № 5 €9 10 %", "§ qué"),
    ("the the the the the the the", "the cat is on the mat", "there is a cat on the mat"),
    ("a", "a", "b", "a b"),
    ("ending with return\r", "ending with return", "ending with  return \t"),
]
HYPOTHESES = [sentence[0] for sentence in SENTENCES]
REFERENCES = [list(sentence[1:]) for sentence in SENTENCES]


def streams(references):
    """Per sentence to per file, None where a sentence has fewer."""
    return [list(stream) for stream in itertools.zip_longest(*references)]


def bleu_case(settings, references):
    metric = BLEU(**settings)
    corpus = metric.corpus_score(HYPOTHESES, streams(references))
    case = {"metric": "bleu", "settings": settings, "score": corpus.score, "precisions": corpus.precisions,
            "brevity_penalty": corpus.bp, "lengths": [corpus.sys_len, corpus.ref_len],
            "signature": str(metric.get_signature())}
    case["sentences"] = [metric.sentence_score(h, r).score for h, r in zip(HYPOTHESES, references)]
    return case


def chrf_case(settings, references):
    metric = CHRF(**settings)
    corpus = metric.corpus_score(HYPOTHESES, streams(references))
    case = {"metric": "chrf", "settings": settings, "score": corpus.score, "name": corpus.name,
            "signature": str(metric.get_signature())}
    case["sentences"] = [metric.sentence_score(h, r).score for h, r in zip(HYPOTHESES, references)]
    return case


def bleu_settings():
    default = {"tokenize": "13a", "lowercase": False, "smooth_method": "exp", "smooth_value": None,
               "max_ngram_order": 4, "effective_order": False}
    for tokenizer in ["13a", "none", "char", "intl", "zh"]:
        yield {**default, "tokenize": tokenizer}
        yield {**default, "tokenize": tokenizer, "lowercase": True, "effective_order": True}
    for method, value in [("none", None), ("floor", None), ("floor", 0.5), ("add-k", None), ("add-k", 0.25)]:
        yield {**default, "smooth_method": method, "smooth_value": value}
        yield {**default, "smooth_method": method, "smooth_value": value, "effective_order": True}
    for order in [1, 2, 6]:
        yield {**default, "max_ngram_order": order}


def chrf_settings():
    default = {"char_order": 6, "word_order": 0, "beta": 2, "lowercase": False, "whitespace": False,
               "eps_smoothing": False}
    for change in [{}, {"word_order": 2}, {"lowercase": True}, {"whitespace": True}, {"eps_smoothing": True},
                   {"char_order": 3, "word_order": 1, "beta": 1}, {"word_order": 2, "eps_smoothing": True}]:
        yield {**default, **change}


def main():
    first = [references[:1] for references in REFERENCES]
    cases = []
    for make, all_settings in [(bleu_case, bleu_settings()), (chrf_case, chrf_settings())]:
        for settings in all_settings:
            cases.append({"references": "first", **make(settings, first)})
            cases.append({"references": "all", **make(settings, REFERENCES)})
    tokens = {}
    for name in ["13a", "none", "char", "intl", "zh"]:
        metric = BLEU(tokenize=name)
        tokens[name] = [metric._preprocess_segment(line).split() for line in HYPOTHESES]
    golden = {"made_by": "tests/metrics/make_golden.py", "sacrebleu": sacrebleu.__version__,
              "hypotheses": HYPOTHESES, "references": REFERENCES, "tokens": tokens, "cases": cases}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in golden.items() if key != "cases"]
    lines.append('"cases": [\n' + ",\n".join(json.dumps(case) for case in cases) + "\n]")
    path = pathlib.Path(__file__).with_name("golden.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
