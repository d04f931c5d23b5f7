#include "libtr/report/table.h"

#include "tests/report/made_up_run.h"
#include "tests/support.h"

using namespace tr;

TEST_CASE("the table of a comparison") {
  const test::ScratchFolder folder;
  CHECK(report::table(test::write_comparison(folder.path())) ==
        "model              BLEU        chrF   perplexity  parameters  train seconds    tokens/s\n"
        "-----------  ----------  ----------  -----------  ----------  -------------  ----------\n"
        "seq2seq      61.5 ± 0.7  81.2 ± 0.0  2.25 ± 0.00   1,234,567     58.2 ± 0.0  31,045 ± 0\n"
        "transformer  91.5 ± 0.7  81.2 ± 0.0  2.25 ± 0.00   1,234,567     58.2 ± 0.0  31,045 ± 0\n"
        "mean ± standard deviation over 2 seeds\n"
        "differs: /train/optimizer/learning_rate: seq2seq 0.002, transformer 0.001\n");
}

TEST_CASE("the table of one run has a row for each set") {
  CHECK(report::table(test::made_up_result(1, 70)) ==
        "set    BLEU  chrF  perplexity  tokens\n"
        "-----  ----  ----  ----------  ------\n"
        "valid  70.2  80.5        2.50     900\n"
        "news   70.0  81.2        2.25   1,000\n"
        "held   41.5  52.5        5.12     500\n"
        "1,234,567 parameters, 40 updates, 58.2 train seconds, 31,045 target tokens/s\n");
}

TEST_CASE("one seed has no spread, and a value that is not finite is a dash with a note", "[F42]") {
  const auto result = nlohmann::json::parse(R"({"models": [
    {"name": "a", "parameters": 10, "bleu": {"mean": null, "sd": null, "values": [null]},
     "chrf": {"mean": 9.96, "sd": null, "values": [9.96]}, "perplexity": {"mean": null, "sd": null, "values": [null]},
     "train_seconds": {"mean": 1, "sd": null, "values": [1]}, "runs": [{"target_tokens_per_second": 999}]}]})");
  CHECK(report::table(result) ==
        "model  BLEU  chrF  perplexity  parameters  train seconds  tokens/s\n"
        "-----  ----  ----  ----------  ----------  -------------  --------\n"
        "a         -  10.0           -          10            1.0       999\n"
        "- not measured, or not finite: training diverged\n");
}

TEST_CASE("columns line up for names in wide characters and with combining marks") {
  const auto table = report::table(nlohmann::json::parse(
      "{\"models\": [{\"name\": \"변환기\"}, {\"name\": \"cafe\\u0301\"}, {\"name\": \"plain\"}]}"));
  CHECK(table.find("\n변환기     -") != std::string::npos);
  CHECK(table.find("\ncafe\u0301       -") != std::string::npos);
  CHECK(table.find("\nplain      -") != std::string::npos);
}
