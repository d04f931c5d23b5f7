// Section "data" of a configuration.
#pragma once

#include "libtr/data/corpus.h"
#include "libtr/data/dataset.h"

namespace tr::data {

struct DataOptions {
  config::Choice<corpora> train{"parallel"}, valid{"parallel"};
  std::vector<std::pair<std::string, config::Choice<corpora>>> test;  ///< the first is the main one
  FilterOptions filter;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("train", self.train, "pairs to train on");
    field("valid", self.valid, "pairs that choose the best checkpoint");
    field("test", self.test, "test sets by name; the first is the main one");
    field("filter", self.filter, "which training pairs are dropped");
  }
};

}  // namespace tr::data
