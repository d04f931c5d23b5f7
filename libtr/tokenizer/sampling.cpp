#include "libtr/tokenizer/sampling.h"

#include <cmath>

#include "libtr/base/random.h"

namespace tr::tokenizer {
namespace {

class NoSampling : public Sampling {
 public:
  bool varies() const override { return false; }
  Ids draw(const Tokenizer& tokenizer, const std::string& line, uint64_t) const override {
    return tokenizer.encode(line);
  }
};

class NBestSampling : public Sampling {
 public:
  explicit NBestSampling(const NBestOptions& options) : options_(options) {}
  bool varies() const override { return true; }

  Ids draw(const Tokenizer& tokenizer, const std::string& line, uint64_t seed) const override {
    std::vector<Segmentation> candidates = tokenizer.n_best(line, options_.n);
    if (candidates.empty()) return {};
    std::vector<double> up_to;  // sums of weights relative to the best, which comes first
    for (const auto& candidate : candidates) {
      const double weight = std::exp(options_.alpha * (candidate.log_probability - candidates.front().log_probability));
      up_to.push_back(weight + (up_to.empty() ? 0 : up_to.back()));
    }
    const double drawn = Random(seed).uniform() * up_to.back();
    size_t chosen = 0;
    while (chosen + 1 < up_to.size() && up_to[chosen] <= drawn) ++chosen;
    return std::move(candidates[chosen].ids);
  }

 private:
  NBestOptions options_;
};

}  // namespace

Samplings& samplings() {
  static Samplings table = [] {
    Samplings samplings("sampling");
    samplings.add<config::NoOptions>("none", "the best segmentation, always", "",
                                     [](const config::NoOptions&) { return std::make_shared<NoSampling>(); });
    samplings.add<NBestOptions>("n_best", "drawn from the n best, anew in each epoch",
                                "Kudo 2018, Subword Regularization, section 3.2",
                                [](const NBestOptions& options) { return std::make_shared<NBestSampling>(options); });
    return samplings;
  }();
  return table;
}

}  // namespace tr::tokenizer
