// Checkpoints: whole or not there, whatever happens.
#include "libtr/io/checkpoint.h"

#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <set>
#include <thread>

#include "libtr/base/files.h"
#include "libtr/io/export/table.h"
#include "tests/support.h"

namespace tr::io {
namespace {

namespace fs = std::filesystem;
using namespace tr::test;

// A checkpoint whose every part names `value`.
Checkpoint checkpoint_of(int64_t value, int64_t size = 6) {
  Checkpoint checkpoint;
  checkpoint.config = {{"seed", value}, {"data", {{"train", "x"}}}};
  checkpoint.model = {{"weight", at::full({size}, double(value))}, {"steps", at::tensor(std::vector<int64_t>{value})}};
  checkpoint.training_state = {{"update", value}, {"loss", 0.1}};
  checkpoint.training_tensors = {{"moment", at::full({size}, 2.0 * double(value))}};
  checkpoint.save_tokenizer = [value](const fs::path& folder) {
    write_file(folder / "joint.model", "tokenizer " + std::to_string(value));
  };
  return checkpoint;
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

// Every part of the checkpoint belongs to one value.
int64_t value_of(const fs::path& folder) {
  const Checkpoint read = load_checkpoint(folder);
  const auto value = read.config["seed"].get<int64_t>();
  CHECK(read.training_state["update"] == value);
  for (const auto& [name, tensor] : read.model) CHECK(at::equal(tensor, at::full_like(tensor, double(value))));
  CHECK(
      at::equal(read.training_tensors[0].tensor, at::full_like(read.training_tensors[0].tensor, 2.0 * double(value))));
  CHECK(read_file(folder / "tokenizer/joint.model") == "tokenizer " + std::to_string(value));
  return value;
}

TEST_CASE("a checkpoint comes back as it was saved, and last points to the newest", "[F28]") {
  const ScratchFolder run;
  CHECK(save_checkpoint(run.path(), 10, checkpoint_of(10)) == checkpoint_folder(run.path(), 10));
  const auto folder = save_checkpoint(run.path(), 20, checkpoint_of(20));
  CHECK(value_of(folder) == 20);
  CHECK(value_of(checkpoint_folder(run.path(), 10)) == 10);
  CHECK(load_checkpoint(folder).config.dump() == checkpoint_of(20).config.dump());
  CHECK(fs::read_symlink(run.path() + "/checkpoints/last") == "update-20");
  CHECK(last_checkpoint(run.path()) == fs::canonical(folder));
  CHECK(update_of(last_checkpoint(run.path())) == 20);
  CHECK(saved_updates(run.path()) == std::vector<int64_t>{10, 20});
  CHECK(names_in(folder) ==
        std::set<std::string>{"model.safetensors", "config.json", "tokenizer", "training_state", "manifest.json"});
  CHECK(load_config(folder)["seed"] == 20);
  CHECK(load_model_tensors(folder).size() == 2);
}

TEST_CASE("saving an update again replaces its checkpoint", "[F27]") {
  const ScratchFolder run;
  save_checkpoint(run.path(), 10, checkpoint_of(1));
  save_checkpoint(run.path(), 10, checkpoint_of(2));  // last points to it
  CHECK(value_of(last_checkpoint(run.path())) == 2);
  save_checkpoint(run.path(), 20, checkpoint_of(3));
  save_checkpoint(run.path(), 10, checkpoint_of(4));  // no link points to it
  CHECK(value_of(last_checkpoint(run.path())) == 4);
  CHECK(names_in(run.path() + "/checkpoints") == std::set<std::string>{"update-10", "update-20", "last"});
}

TEST_CASE("a program killed while it writes a checkpoint leaves the last one whole", "[F28]") {
  const ScratchFolder run;
  save_checkpoint(run.path(), 10, checkpoint_of(10));
  const pid_t child = ::fork();
  if (child == 0) {
    auto checkpoint = checkpoint_of(20);
    checkpoint.save_tokenizer = [](const fs::path&) { ::kill(::getpid(), SIGKILL); };
    save_checkpoint(run.path(), 20, checkpoint);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(WIFSIGNALED(status));
  CHECK(names_in(run.path() + "/checkpoints").size() == 3);  // with what the child left behind
  CHECK(saved_updates(run.path()) == std::vector<int64_t>{10});
  CHECK(value_of(last_checkpoint(run.path())) == 10);
  save_checkpoint(run.path(), 20, checkpoint_of(21));
  CHECK(names_in(run.path() + "/checkpoints") == std::set<std::string>{"update-10", "update-20", "last"});
  CHECK(value_of(last_checkpoint(run.path())) == 21);
}

TEST_CASE("a program killed at any moment leaves last and best whole", "[F28]") {
  const ScratchFolder run;
  save_checkpoint(run.path(), 1, checkpoint_of(1));
  mark_best(run.path(), 1);
  for (int trial = 0; trial < 25; ++trial) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int64_t i = 0;; ++i) {  // the same updates again and again: also links' targets are replaced
        save_checkpoint(run.path(), 2 + i % 3, checkpoint_of(100 * trial + i, 20000));
        if (i % 2 == 0) mark_best(run.path(), 2 + i % 3);
        prune(run.path(), {2});
      }
    }
    ::usleep(3000 + 1700 * static_cast<useconds_t>(trial));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    value_of(last_checkpoint(run.path()));
    value_of(find_checkpoint(run.path()));
  }
  save_checkpoint(run.path(), 9, checkpoint_of(9));
  for (const auto& name : names_in(run.path() + "/checkpoints")) CHECK(name.find(".tmp-") == std::string::npos);
}

TEST_CASE("last and best are there at every moment, also while their checkpoint is replaced", "[F28]") {
  const ScratchFolder run;
  save_checkpoint(run.path(), 1, checkpoint_of(1));
  mark_best(run.path(), 1);
  std::atomic<bool> over = false;
  std::atomic<int64_t> looks = 0, missing = 0;
  std::thread observer([&] {
    while (!over) {
      for (const char* link : {"last", "best"}) {
        missing += ::access((run / ("checkpoints/" + std::string(link) + "/manifest.json")).c_str(), F_OK) != 0;
        ++looks;
      }
    }
  });
  for (int64_t i = 0; i < 40; ++i) save_checkpoint(run.path(), 1, checkpoint_of(i));
  over = true;
  observer.join();
  CHECK(looks > 40);
  CHECK(missing == 0);
}

TEST_CASE("a save that fails says so, and last stays", "[F28]") {
  const ScratchFolder run;
  save_checkpoint(run.path(), 10, checkpoint_of(10));
  auto broken = checkpoint_of(20);
  broken.model.push_back(broken.model[0]);
  CHECK(error_of([&] { save_checkpoint(run.path(), 20, broken); }).ends_with("tensor name weight is taken"));
  CHECK(value_of(last_checkpoint(run.path())) == 10);
  write_file(run / "file", "");
  CHECK(error_of([&] { save_checkpoint(run / "file", 20, checkpoint_of(20)); }) ==
        run.path() + "/file/checkpoints: cannot be written: Not a directory");
}

TEST_CASE("a damaged checkpoint is refused, naming the file and the one before it", "[F28]") {
  const ScratchFolder run;
  const auto older = save_checkpoint(run.path(), 10, checkpoint_of(10));
  save_checkpoint(run.path(), 20, checkpoint_of(20));
  const auto folder = save_checkpoint(run.path(), 30, checkpoint_of(30));
  const auto model = folder / "model.safetensors";
  const std::string whole = read_file(model);
  const std::string offer = "; the checkpoint before it is whole: ";
  const auto refusal = [&] {
    const std::string message = error_of([&] { load_checkpoint(folder); });
    CHECK(error_of([&] { load_model_tensors(folder); }) == message);
    REQUIRE(message.starts_with(folder.string() + ": "));
    return message.substr(folder.string().size() + 2);
  };

  std::string changed = whole;
  changed.back() = char(changed.back() ^ 1);
  write_file(model, changed);
  CHECK(refusal().starts_with("model.safetensors is damaged: sha256 "));
  CHECK(refusal().ends_with(offer + checkpoint_folder(run.path(), 20).string()));
  fs::remove(checkpoint_folder(run.path(), 20) / "config.json");
  CHECK(refusal().ends_with(offer + older.string()));

  write_file(model, whole.substr(0, 100));
  CHECK(refusal().starts_with("model.safetensors is damaged: 100 bytes, expected " + std::to_string(whole.size())));
  fs::remove(model);
  CHECK(refusal().starts_with("model.safetensors is missing"));
  write_file(model, whole);
  CHECK(value_of(folder) == 30);
  write_file(folder / "tokenizer/more", "x");
  CHECK(refusal().starts_with("tokenizer/more is not in the manifest"));
  fs::remove(folder / "tokenizer/more");
  for (const char* content :
       {"{", "{}", R"({"update": 30, "files": []})", R"({"update": 30, "files": {"config.json": 1}})"}) {
    write_file(folder / "manifest.json", content);
    CHECK_FALSE(refusal().empty());
  }
  fs::remove(folder / "manifest.json");
  CHECK(refusal().starts_with("manifest.json is missing"));
  write_file(older / "config.json", "{}");
  CHECK(error_of([&] { load_checkpoint(older); }).find("before it") == std::string::npos);
}

TEST_CASE("pruning keeps what it is told to, the best and the last", "[F30]") {
  const ScratchFolder run;
  for (const int64_t update : {9, 10, 20, 100}) save_checkpoint(run.path(), update, checkpoint_of(update));
  mark_best(run.path(), 10);
  prune(run.path(), {20, 100});
  CHECK(saved_updates(run.path()) == std::vector<int64_t>{10, 20, 100});
  prune(run.path(), {9, 100});
  CHECK(saved_updates(run.path()) == std::vector<int64_t>{10, 100});
  save_checkpoint(run.path(), 50, checkpoint_of(50));  // last, though not the newest by number
  prune(run.path(), {});
  CHECK(saved_updates(run.path()) == std::vector<int64_t>{10, 50});
  CHECK(value_of(find_checkpoint(run.path())) == 10);
  prune(run.path(), {10, 50});
  CHECK(saved_updates(run.path()).size() == 2);
  CHECK(error_of([&] { mark_best(run.path(), 7); }) ==
        checkpoint_folder(run.path(), 7).string() + ": is no checkpoint");
}

TEST_CASE("a run means its best checkpoint, else its last, and a checkpoint itself") {
  const ScratchFolder scratch;
  const fs::path run = scratch / "compare/transformer/seed-1";
  save_checkpoint(run, 10, checkpoint_of(10));
  save_checkpoint(run, 20, checkpoint_of(20));
  CHECK(value_of(find_checkpoint(run)) == 20);
  mark_best(run, 10);
  CHECK(value_of(find_checkpoint(run)) == 10);
  CHECK(find_checkpoint(run) == fs::canonical(checkpoint_folder(run, 10)));
  CHECK(value_of(find_checkpoint(checkpoint_folder(run, 20))) == 20);
  CHECK(find_checkpoint(run / "checkpoints/last") == fs::canonical(checkpoint_folder(run, 20)));
}

TEST_CASE("what is no checkpoint is refused by name") {
  const ScratchFolder scratch;
  const std::string compare = scratch / "compare";
  for (const char* name : {"/transformer/seed-1", "/seq2seq/seed-2"})
    save_checkpoint(compare + name, 1, checkpoint_of(1));
  const auto refusal = [](const fs::path& path) { return error_of([&] { find_checkpoint(path); }); };
  CHECK(refusal(compare) ==
        compare + ": holds several runs, name one: " + compare + "/seq2seq/seed-2, " + compare + "/transformer/seed-1");
  CHECK_THROWS_AS(find_checkpoint(compare), UsageError);
  CHECK(refusal(scratch / "none") == (scratch / "none") + ": does not exist, expected a run or a checkpoint folder");
  CHECK(refusal(scratch.path()) == scratch.path() + ": is neither a run nor a checkpoint folder");
  write_file(scratch / "file", "");
  CHECK(refusal(scratch / "file") == (scratch / "file") + ": is neither a run nor a checkpoint folder");
  fs::create_directories(scratch / "new/checkpoints");
  CHECK(refusal(scratch / "new") == (scratch / "new") + ": is a run without a checkpoint");
  CHECK(error_of([&] { last_checkpoint(scratch / "new"); }) ==
        (scratch / "new") + ": has no checkpoint to resume from");
}

TEST_CASE("averaging takes the mean in double") {
  const ScratchFolder run;
  std::vector<fs::path> folders;
  auto checkpoint = checkpoint_of(0);
  const std::vector<float> values{1, 1e8f, -1e8f};  // in float the 1 would be lost
  for (int64_t i = 0; i < 3; ++i) {
    checkpoint.model = {{"a", at::tensor(std::vector<float>{values[i], float(i)})},
                        {"n", at::tensor(std::vector<int64_t>{i})}};
    folders.push_back(save_checkpoint(run.path(), i, checkpoint));
  }
  const auto mean = average_checkpoints(folders);
  REQUIRE(mean.size() == 2);
  CHECK(mean[0].name == "n");  // in the order of the file
  CHECK(mean[0].tensor.item<int64_t>() == 2);
  CHECK(mean[1].tensor.scalar_type() == torch::kFloat32);
  CHECK(mean[1].tensor[0].item<float>() == float(1.0 / 3));
  CHECK(mean[1].tensor[1].item<float>() == 1);
  checkpoint.model[0].tensor = at::full({3}, 1.0);
  folders.push_back(save_checkpoint(run.path(), 4, checkpoint));
  CHECK(error_of([&] { average_checkpoints(folders); }) ==
        folders[3].string() + ": is of another model than " + folders[0].string());
  CHECK(error_of([&] { average_checkpoints({}); }) == "average: no checkpoint is named");
}

TEST_CASE("an export has weights, configuration and tokenizer, and overwrites nothing", "[F20][F39]") {
  const ScratchFolder scratch;
  const std::string run = scratch / "run", target = scratch / "out/python/";
  const auto folder = save_checkpoint(run, 10, checkpoint_of(10));
  export_checkpoint(run, "safetensors", target);
  CHECK(names_in(target) == std::set<std::string>{"model.safetensors", "config.json", "tokenizer"});
  for (const char* name : {"model.safetensors", "config.json", "tokenizer/joint.model"}) {
    CHECK(read_file(fs::path(target) / name) == read_file(folder / name));
  }
  CHECK(error_of([&] { export_checkpoint(run, "safetensors", target); }) ==
        target + ": exists, expected a new or an empty folder");
  CHECK(error_of([&] { export_checkpoint(run, "safetensor", scratch / "b"); }) ==
        "--to: unknown export format safetensor; did you mean safetensors? known formats: safetensors");
  fs::create_directory(scratch / "empty");
  export_checkpoint(folder, "safetensors", scratch / "empty");
  CHECK(names_in(scratch / "empty").size() == 3);
  fs::remove(folder / "config.json");
  CHECK(error_of([&] { export_checkpoint(run, "safetensors", scratch / "c"); }).ends_with("config.json is missing"));
  CHECK(names_in(scratch.path()) == std::set<std::string>{"run", "out", "empty"});
}

}  // namespace
}  // namespace tr::io
