// Runs the program libtr as a user does, and looks at its exit status and both outputs.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "libtr/base/files.h"
#include "tests/support.h"

namespace tr::test {

struct Finished {
  int status = 0;
  std::string output, errors;
};

/// `arguments` as in a shell; `environment` such as "LC_ALL=de_DE.UTF-8" stands before the program.
inline Finished libtr(const std::string& arguments, const std::string& environment = "") {
  const ScratchFolder folder;
  const std::string command =
      environment + " " LIBTR_PROGRAM " " + arguments + " >" + (folder / "out") + " 2>" + (folder / "err");
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(folder / "out"),
          read_file(folder / "err")};
}

/// The program running beside the test, to be sent signals.
class Running {
 public:
  explicit Running(const std::string& arguments) : process_(::fork()) {
    if (process_ != 0) return;
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    const std::string command = "exec " LIBTR_PROGRAM " " + arguments;
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  bool ended() {
    if (!ended_) ended_ = ::waitpid(process_, &status_, WNOHANG) == process_;
    return ended_;
  }
  void send(int signal) const { ::kill(process_, signal); }
  /// Exit status, or 128 + the signal that ended it.
  int wait() {
    if (!ended_) ::waitpid(process_, &status_, 0);
    ended_ = true;
    return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  }

 private:
  pid_t process_;
  int status_ = 0;
  bool ended_ = false;
};

/// The last line of standard error without its line feed: where an error stands.
inline std::string last_line(const std::string& text) {
  std::istringstream lines(text);
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  return last;
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
}

/// Everything below a folder, with the content of files. To be compared as CHECK((a == b)), which prints neither.
inline std::map<std::string, std::string> content_of(const std::string& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    content[entry.path().string()] = entry.is_regular_file() ? read_file(entry.path()) : "";
  }
  return content;
}

/// The built-in corpus as files {train,valid,test}.{en,ko}: 300 pairs to train on, the first 20 of the others.
inline void write_toy_files(const std::string& folder) {
  REQUIRE(libtr("corpus toy --quiet --pairs 300 -o " + folder).status == 0);
  for (const std::string file : {"valid.en", "valid.ko", "test.en", "test.ko"}) {
    std::istringstream lines(read_file(folder + "/" + file));
    std::string first, line;
    for (int i = 0; i < 20 && std::getline(lines, line); ++i) first += line + "\n";
    write_text(folder + "/" + file, first);
  }
}

/// A configuration that trains in a second or two: a tiny model on a few sentences of the built-in corpus.
inline std::string tiny_config(const std::string& model = R"({"type": "transformer", "d_model": 16, "encoder_layers": 1,
    "decoder_layers": 1, "heads": 2, "d_hidden": 32, "dropout": 0.3})") {
  return R"({"threads": 2, "data": {
      "train": {"type": "toy", "pairs": 300}, "valid": {"type": "toy", "split": "valid", "pairs": 20},
    "test": {"test": {"type": "toy", "split": "test", "pairs": 20}}},
    "tokenizer": {"type": "unigram", "vocab_size": 300},
    "train": {"batch_tokens": 400, "accumulation": 2, "budget": {"updates": 24},
      "valid_every": 8, "checkpoint_every": 4, "log_every": 4},
    "decode": {"beam": 2}, "model": )" +
         model + "}";
}

}  // namespace tr::test
