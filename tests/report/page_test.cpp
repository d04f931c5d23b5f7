#include "libtr/report/page.h"

#include <regex>

#include "libtr/report/page_data.h"
#include "libtr/report/page_template.h"
#include "tests/report/made_up_run.h"
#include "tests/support.h"

using namespace tr;
using Json = nlohmann::ordered_json;

namespace {

// What the page's script reads.
Json embedded(const std::string& page) {
  const std::string open = "<script type=\"application/json\" id=\"data\">";
  const size_t begin = page.find(open) + open.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

void write_sample(const std::string& folder, const std::string& hypothesis, const Json& target) {
  const Json sample = {{"source_text", "I like tea ."},
                       {"reference", "나는 차를 좋아한다 ."},
                       {"hypothesis", hypothesis},
                       {"source", {"▁I", "</s>"}},
                       {"target", target},
                       {"attention", Json::object()}};
  test::write_json(folder + "/samples.json", {{"samples", Json::array({sample})}});
}

}  // namespace

TEST_CASE("the page refers to nothing outside of itself", "[F43]") {
  const test::ScratchFolder folder;
  test::write_comparison(folder.path());
  const std::string page = report::page({folder.path()});
  CHECK(page.find("http://") == std::string::npos);
  CHECK(page.find("https://") == std::string::npos);
  CHECK(page.find("<link") == std::string::npos);
  CHECK(page.find("@import") == std::string::npos);
  CHECK_FALSE(std::regex_search(page, std::regex("\\b(src|srcset|action)\\s*=\\s*[\"'a-z]")));
  CHECK_FALSE(std::regex_search(page, std::regex("url\\(|fetch\\(|XMLHttpRequest|import\\(")));
}

TEST_CASE("style sheet and scripts are set into the template") {
  const std::string_view page = report::page_template();
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("function curves(") != std::string_view::npos);
  CHECK(page.find("function compared(") != std::string_view::npos);
  CHECK(page.find("prefers-color-scheme: dark") != std::string_view::npos);
  CHECK(page.find("\nsection('results'") != std::string_view::npos);
}

TEST_CASE("the page holds the data exactly") {
  const test::ScratchFolder folder;
  const Json result = test::write_comparison(folder.path());
  const Json data = embedded(report::page({folder.path()}));
  CHECK(data == report::page_data({folder.path()}));
  CHECK(data["title"] == "made up");
  CHECK(data["comparisons"][0]["differences"] == result["differences"]);
  REQUIRE(data["models"].size() == 2);
  const Json& model = data["models"][1];
  CHECK(model["name"] == "transformer");
  CHECK(model["main_test"] == "news");
  CHECK(model["bleu"] == result["models"][1]["bleu"]);
  CHECK(model["target_tokens_per_second"]["mean"] == 31045.4);
  REQUIRE(model["runs"].size() == 2);
  CHECK(model["runs"][1]["result"] == test::made_up_result(2, 92));
  CHECK(model["runs"][1]["valid"][0]["bleu"] == 70.25);
  CHECK(model["runs"][1]["train"][0]["seconds"] == 1.5);
}

TEST_CASE("text of a sample cannot end the script that holds it, nor fill a place of the template") {
  const test::ScratchFolder folder;
  test::write_run(folder.path(), 1, 70);
  const std::string evil = "</script><script>alert(1)</script><!-- {{data}} {{title}} \xe2\x80\xa8 & \" \\";
  write_sample(folder.path(), evil, Json::array({"</s>"}));
  const std::string page = report::page({folder.path()});
  CHECK(page.find("alert(1)</script>") == std::string::npos);
  CHECK(count(page, "</script>") == count(std::string(report::page_template()), "</script>"));
  CHECK(embedded(page)["models"][0]["runs"][0]["samples"][0]["hypothesis"] == evil);
}

TEST_CASE("a title is text, not markup") {
  const test::ScratchFolder folder;
  Json result = test::write_comparison(folder.path());
  result["experiment"] = "<b>a & b</b>";
  test::write_json(folder / "result.json", result);
  CHECK(report::page({folder.path()}).find("<h1>&lt;b&gt;a &amp; b&lt;/b&gt;</h1>") != std::string::npos);
}

TEST_CASE("an empty translation without attention is a sample like others", "[F40]") {
  const test::ScratchFolder folder;
  test::write_run(folder.path(), 1, 70);
  write_sample(folder.path(), "", Json::array());
  const Json sample = embedded(report::page({folder.path()}))["models"][0]["runs"][0]["samples"][0];
  CHECK(sample["target"].empty());
  CHECK(sample["attention"].empty());
}

TEST_CASE("a single run is a page with one model") {
  const test::ScratchFolder folder;
  test::write_run(folder / "my run", 1, 70);
  const Json data = embedded(report::page({folder / "my run/"}));
  CHECK(data["title"] == "my run");
  CHECK(data["comparisons"].empty());
  REQUIRE(data["models"].size() == 1);
  CHECK(data["models"][0]["name"] == "my run");
  CHECK(data["models"][0]["bleu"] == Json::parse(R"({"mean": 70.0, "sd": null, "values": [70.0]})"));
  CHECK(data["models"][0]["parameters"] == 1234567);
}

TEST_CASE("of several folders each model is called by the ending of its path") {
  const test::ScratchFolder folder;
  test::write_comparison(folder / "a/compare");
  test::write_run(folder / "b/compare", 1, 70);
  const Json data =
      embedded(report::page({folder / "a/compare", folder / "b/compare", folder / "a/compare/seq2seq/seed-2"}));
  CHECK(data["title"] == "a/compare, b/compare, seq2seq/seed-2");
  REQUIRE(data["models"].size() == 4);
  CHECK(data["models"][1]["name"] == "a/compare/transformer");
  CHECK(data["models"][2]["name"] == "b/compare");
  CHECK(data["models"][3]["name"] == "seq2seq/seed-2");
}

TEST_CASE("runs of one name are told apart by their folders") {
  const test::ScratchFolder folder;
  test::write_run(folder / "a/run", 1, 70);
  test::write_run(folder / "b/run", 1, 71);
  CHECK(embedded(report::page({folder / "a/run", folder / "b/run"}))["title"] == "a/run, b/run");
}

TEST_CASE("seeds are in order of their numbers, and result.json alone gives the figures") {
  const test::ScratchFolder folder;
  test::write_comparison(folder.path());
  test::write_run(folder / "seq2seq/seed-10", 10, 61);
  const Json runs = report::page_data({folder.path()})["models"][0]["runs"];
  REQUIRE(runs.size() == 3);
  CHECK(runs[2]["seed"] == 10);
  std::filesystem::remove_all(folder / "seq2seq");
  const Json kept = report::page_data({folder.path()})["models"][0]["runs"];
  REQUIRE(kept.size() == 2);
  CHECK(kept[1]["result"]["test"]["news"]["bleu"] == 62.0);
  CHECK(kept[1]["valid"].empty());
}

TEST_CASE("values of a diverged run stay null", "[F42]") {
  const test::ScratchFolder folder;
  Json result = test::made_up_result(1, 70);
  result["test"]["news"]["bleu"] = nullptr;
  result["diverged"] = true;
  test::write_json(folder / "result.json", result);
  const Json data = embedded(report::page({folder.path()}));
  CHECK(data["models"][0]["bleu"]["mean"].is_null());
  CHECK(data["models"][0]["runs"][0]["result"]["diverged"] == true);
}

TEST_CASE("write_page writes the page") {
  const test::ScratchFolder folder;
  test::write_run(folder / "run", 1, 70);
  report::write_page({folder / "run"}, folder / "report.html");
  CHECK(read_file(folder / "report.html") == report::page({folder / "run"}));
}

TEST_CASE("folders that cannot be reported are named") {
  const test::ScratchFolder folder;
  CHECK(test::error_of([] { report::page({}); }) == "report: no folder of a run is given");
  CHECK(test::error_of([&] { report::page({folder / "none"}); }) ==
        folder / "none" + ": does not exist, expected the folder of a run");
  test::write_comparison(folder / "compare");
  CHECK(test::error_of([&] {
          report::page({folder / "compare", folder / "compare/"});
        }) == "report: the same folder is given twice");
  std::filesystem::remove(folder / "compare/seq2seq/seed-1/result.json");
  CHECK(test::error_of([&] { report::page({folder / "compare"}); }) ==
        folder / "compare/seq2seq/seed-1" + ": has no result.json, expected the folder of a finished train or compare");
  write_file(folder / "compare/result.json", "{\"models\": 3}");
  CHECK(test::error_of([&] { report::page({folder / "compare"}); }) ==
        folder / "compare/result.json" + ": /models is not a list");
  write_file(folder / "compare/result.json", "{\"models\": [{\"name\": 3}]}");
  CHECK(test::error_of([&] { report::page({folder / "compare"}); }) ==
        folder / "compare/result.json" + ": /models holds an entry without a name");
}
