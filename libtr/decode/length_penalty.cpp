#include "libtr/decode/length_penalty.h"

#include <cmath>

namespace tr::decode {
namespace {

class None : public LengthPenalty {
 public:
  double divisor(int64_t) const override { return 1; }
};

struct AverageOptions {
  double alpha = 1;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("alpha", self.alpha, "score = log-probability / length^alpha; 1 is the mean of a token, 0 no penalty",
          config::at_least(0));
  }
};

class Average : public LengthPenalty {
 public:
  explicit Average(const AverageOptions& options) : alpha_(options.alpha) {}
  double divisor(int64_t length) const override { return std::pow(static_cast<double>(length), alpha_); }

 private:
  double alpha_;
};

struct GnmtOptions {
  double alpha = 0.6;
  template <class Self, class Field>
  static void fields(Self& self, Field&& field) {
    field("alpha", self.alpha, "score = log-probability / ((5 + length) / 6)^alpha; 0 is no penalty",
          config::at_least(0));
  }
};

class Gnmt : public LengthPenalty {
 public:
  explicit Gnmt(const GnmtOptions& options) : alpha_(options.alpha) {}
  double divisor(int64_t length) const override { return std::pow((5.0 + static_cast<double>(length)) / 6.0, alpha_); }

 private:
  double alpha_;
};

template <class Penalty, class Options>
std::shared_ptr<LengthPenalty> make(const Options& options) {
  return std::make_shared<Penalty>(options);
}

}  // namespace

LengthPenalties& length_penalties() {
  static LengthPenalties table = [] {
    LengthPenalties penalties("length penalty");
    penalties.add<config::NoOptions>("none", "score = log-probability", "Sutskever et al. 2014, section 3.2",
                                     [](const config::NoOptions&) { return std::make_shared<None>(); });
    penalties.add<AverageOptions>("average", "score = log-probability / length^alpha",
                                  "Cho et al. 2014 (SSST-8), section 4.1", make<Average, AverageOptions>);
    penalties.add<GnmtOptions>("gnmt", "score = log-probability / ((5 + length) / 6)^alpha",
                               "Wu et al. 2016, equation 14", make<Gnmt, GnmtOptions>);
    return penalties;
  }();
  return table;
}

}  // namespace tr::decode
