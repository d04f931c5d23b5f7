// Where the time of training goes: every operation of LibTorch and every kernel of libtr by its own time.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tr::train {

/// What operations took while a Section was alive, on all threads, in wall seconds: of workers that ran at the same
/// time the mean, as PhaseTimes. Together they are no more than the sections took.
class OperatorProfile {
 public:
  struct Entry {
    std::string name;
    int64_t calls = 0;
    double seconds = 0;  ///< without the operations that it called
  };

  /// Records while it lives; nothing if `profile` is null. One section of one profile at a time.
  class Section {
   public:
    explicit Section(OperatorProfile* profile);
    ~Section();
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

   private:
    std::optional<uint64_t> callback_;
  };

  /// Most seconds first.
  std::vector<Entry> entries() const;
  /// One call more; from any thread.
  void add(const std::string& name, double seconds);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace tr::train
