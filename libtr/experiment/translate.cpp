#include "libtr/experiment/translate.h"

#include <istream>
#include <ostream>

#include "libtr/base/error.h"
#include "libtr/base/format.h"
#include "libtr/data/text.h"
#include "libtr/experiment/samples.h"

namespace tr::experiment {

Translator::Translator(SavedModel saved, std::function<void(const std::string&)> warn)
    : saved_(std::move(saved)), warn_(std::move(warn)) {
  for (const auto& note : saved_.runtime.notes) warn_(note);
}

Translations Translator::translate(const std::vector<std::string>& lines, size_t first_line,
                                   std::function<void(int64_t)> progress) {
  for (const size_t line : saved_.too_long(lines)) {
    warn_(format("line {}: longer than the {} positions that the model learned; its end is cut off",
                 first_line + line + 1, saved_.model->longest_sentence()));
  }
  const decode::TranslateExtras extras{.progress = std::move(progress), .text = [this](const tokenizer::Ids& ids) {
                                         return saved_.tokenizers.target->decode(ids);
                                       }};
  return saved_.translate(lines, saved_.options.decode, extras);
}

std::string Translator::text(const Translations& translations, size_t first_line) const {
  const tokenizer::Tokenizer& target = *saved_.tokenizers.target;
  const bool list = saved_.options.decode.n_best > 1;
  std::string all;
  for (size_t line = 0; line < translations.size(); ++line) {
    if (!list) {
      all += target.decode(translations[line].front().ids) + "\n";
      continue;
    }
    for (const auto& hypothesis : translations[line]) {
      all += format("{} ||| {} ||| {:.6f}\n", first_line + line, target.decode(hypothesis.ids), hypothesis.score);
    }
  }
  return all;
}

void Translator::translate_stream(std::istream& input, std::ostream& output, size_t block) {
  size_t done = 0;
  while (input) {
    std::string raw;
    size_t count = 0;
    for (std::string line; count < block && std::getline(input, line); ++count) raw += line + "\n";
    if (count == 0) break;
    const auto lines = data::split_lines(raw, format("standard input, from line {}", done + 1));
    output << text(translate(lines, done), done) << std::flush;
    if (!output) throw DataError("standard output", "cannot be written");
    done += count;
  }
}

config::Json Translator::attention(const std::vector<std::string>& lines, const Translations& translations) const {
  std::vector<Sample> samples;
  for (size_t i = 0; i < lines.size(); ++i) {
    const tokenizer::Ids& ids = translations[i].front().ids;
    samples.push_back({lines[i], "", saved_.tokenizers.target->decode(ids), ids});
  }
  return samples_json(*saved_.model, saved_.tokenizers, samples);
}

}  // namespace tr::experiment
