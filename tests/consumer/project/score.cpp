// The torch-free half alone.
#include <libtr/metrics/bleu.h>

#include <cstdio>

int main() {
  std::printf("%.4f\n", tr::metrics::corpus_bleu({"a b c d e"}, std::vector<std::string>{"a b c d e"}).score);
}
