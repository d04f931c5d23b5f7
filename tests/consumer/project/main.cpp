// libtr with an activation of its own: the square of ReLU (So et al. 2021, "Primer", section 4.1).
#include <libtr/experiment/cli.h>
#include <libtr/nn/activation.h>

#include <memory>

int main(int argc, char** argv) {
  using tr::nn::Activation, tr::nn::ElementwiseActivation;
  tr::nn::activations().add<tr::config::NoOptions>(
      "squared_relu", "max(0, x) squared", "So et al. 2021, section 4.1",
      [](const tr::config::NoOptions&) -> std::shared_ptr<Activation> {
        return std::make_shared<ElementwiseActivation>([](const torch::Tensor& x) { return x.relu().square(); });
      });
  return tr::run_cli(argc, argv);
}
