// safetensors: bytes of the Python library, and files that nobody should trust.
#include "libtr/io/safetensors.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "libtr/base/files.h"
#include "tests/support.h"

namespace tr::io {
namespace {

using namespace tr::test;

std::string with_size(const std::string& header, const std::string& data) {
  const uint64_t size = header.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header + data;
}

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2) bytes += char(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

// What make_golden.py writes.
std::string golden() {
  const std::string header = R"({"__metadata__":{"format":"pt"},)"
                             R"("big":{"dtype":"U64","shape":[1],"data_offsets":[0,8]},)"
                             R"("steps":{"dtype":"I64","shape":[3],"data_offsets":[8,32]},)"
                             R"("double":{"dtype":"F64","shape":[1],"data_offsets":[32,40]},)"
                             R"("complex":{"dtype":"C64","shape":[1],"data_offsets":[40,48]},)"
                             R"("bias":{"dtype":"F32","shape":[2],"data_offsets":[48,56]},)"
                             R"("none":{"dtype":"F32","shape":[0,4],"data_offsets":[56,56]},)"
                             R"("scalar":{"dtype":"F32","shape":[],"data_offsets":[56,60]},)"
                             R"("weight":{"dtype":"F32","shape":[2,3],"data_offsets":[60,84]},)"
                             R"("uint":{"dtype":"U32","shape":[1],"data_offsets":[84,88]},)"
                             R"("int":{"dtype":"I32","shape":[1],"data_offsets":[88,92]},)"
                             R"("brain":{"dtype":"BF16","shape":[2],"data_offsets":[92,96]},)"
                             R"("half":{"dtype":"F16","shape":[3],"data_offsets":[96,102]},)"
                             R"("ushort":{"dtype":"U16","shape":[1],"data_offsets":[102,104]},)"
                             R"("short":{"dtype":"I16","shape":[1],"data_offsets":[104,106]},)"
                             R"("small":{"dtype":"I8","shape":[1],"data_offsets":[106,107]},)"
                             R"("byte":{"dtype":"U8","shape":[1],"data_offsets":[107,108]},)"
                             R"("flags":{"dtype":"BOOL","shape":[3],"data_offsets":[108,111]}}     )";
  const std::string data =
      "01000000000000000700000000000000080000000000000009000000000000009a9999999999b93f0000803f000000400000"
      "c03f000000c000002040000000000000803e0000003f0000403f0000803f0000a03f00286bee90eefeff003f40c00038003c"
      "004060ead4fefdc8010001";
  return with_size(header, bytes_of_hex(data));
}

NamedTensors golden_tensors() {
  const auto of = [](std::vector<double> values, torch::ScalarType type) {
    return at::tensor(values, torch::kFloat64).to(type);
  };
  return {{"weight", at::arange(6, torch::kFloat32).view({2, 3}) / 4},
          {"bias", of({1.5, -2}, torch::kFloat32)},
          {"steps", of({7, 8, 9}, torch::kInt64)},
          {"big", of({1}, torch::kUInt64)},
          {"double", of({0.1}, torch::kFloat64)},
          {"half", of({0.5, 1, 2}, torch::kFloat16)},
          {"brain", of({0.5, -3}, torch::kBFloat16)},
          {"flags", of({1, 0, 1}, torch::kBool)},
          {"byte", of({200}, torch::kUInt8)},
          {"small", of({-3}, torch::kInt8)},
          {"short", of({-300}, torch::kInt16)},
          {"ushort", of({60000}, torch::kInt64).to(torch::kUInt16)},
          {"int", of({-70000}, torch::kInt32)},
          {"uint", of({4000000000}, torch::kInt64).to(torch::kUInt32)},
          {"complex", at::tensor(std::vector<c10::complex<float>>{{1, 2}}, torch::kComplexFloat)},
          {"scalar", at::full({}, 2.5, torch::kFloat32)},
          {"none", at::zeros({0, 4})}};
}

TEST_CASE("safetensors writes the bytes of the Python library", "[F39]") {
  const ScratchFolder folder;
  write_safetensors(folder / "t", {golden_tensors(), {}});
  CHECK(read_file(folder / "t") == golden());
}

TEST_CASE("safetensors reads what the Python library writes", "[F39]") {
  const ScratchFolder folder;
  write_file(folder / "t", golden());
  const auto read = read_safetensors(folder / "t");
  CHECK(read.metadata.empty());
  const auto expected = golden_tensors();
  REQUIRE(read.tensors.size() == expected.size());
  for (const auto& [name, tensor] : expected) {
    const auto found =
        std::find_if(read.tensors.begin(), read.tensors.end(), [&](const auto& n) { return n.name == name; });
    REQUIRE(found != read.tensors.end());
    CHECK(found->tensor.scalar_type() == tensor.scalar_type());
    CHECK(found->tensor.sizes() == tensor.sizes());
    CHECK(std::memcmp(found->tensor.const_data_ptr(), tensor.contiguous().const_data_ptr(), tensor.nbytes()) == 0);
  }
}

TEST_CASE("tensors of any layout, metadata and the order given do not matter to a round trip") {
  const ScratchFolder folder;
  const auto x = at::randn({3, 4});
  const std::map<std::string, std::string> metadata{{"update", "7"}, {"a", "quote \" and 한글"}};
  write_safetensors(folder / "t", {{{"b", x.t()}, {"a", x.select(1, 2)}, {"c", x.requires_grad_()}}, metadata});
  write_safetensors(folder / "u", {{{"c", x}, {"a", x.select(1, 2)}, {"b", x.t()}}, metadata});
  CHECK(read_file(folder / "t") == read_file(folder / "u"));
  const auto read = read_safetensors(folder / "t");
  CHECK(read.metadata == metadata);
  CHECK(at::equal(read.tensors[0].tensor, x.select(1, 2)));
  CHECK(at::equal(read.tensors[1].tensor, x.t()));
  CHECK(at::equal(read.tensors[2].tensor, x));
}

TEST_CASE("what safetensors cannot hold is not written, and an older file stays") {
  const ScratchFolder folder;
  const std::string file = folder / "t";
  write_file(file, "old");
  const auto x = at::ones({2});
  CHECK(error_of([&] { write_safetensors(file, {{{"a", x}, {"a", x}}, {}}); }) == file + ": tensor name a is taken");
  CHECK(error_of([&] {
          write_safetensors(file, {{{"__metadata__", x}}, {}});
        }) == file + ": tensor name __metadata__ is taken");
  CHECK(error_of([&] {
          write_safetensors(file, {{{"a", x.to(torch::kComplexDouble)}}, {}});
        }) == file + ": tensor a has a type that safetensors lacks");
  CHECK(read_file(file) == "old");
  CHECK(error_of([&] {
          write_safetensors(folder / "none/t", {{{"a", x}}, {}});
        }) == (folder / "none/t") + ": cannot be written: No such file or directory");
}

// The message for a file of this content, without the file's name.
std::string refusal(const std::string& content) {
  const ScratchFolder folder;
  write_file(folder / "t", content);
  const std::string message = error_of([&] { read_safetensors(folder / "t"); });
  REQUIRE(message.starts_with((folder / "t") + ": "));
  CHECK(message.find('\n') == std::string::npos);
  return message.substr((folder / "t").size() + 2);
}

TEST_CASE("a safetensors file whose frame is wrong is refused") {
  CHECK(refusal("") == "not a safetensors file: 0 bytes");
  CHECK(refusal("abc") == "not a safetensors file: 3 bytes");
  CHECK(refusal(with_size("{}", "").substr(0, 9)) ==
        "truncated or not a safetensors file: header of 2 bytes, 1 bytes are there");
  CHECK(refusal(std::string(8, '\xff') + "{}") ==
        "truncated or not a safetensors file: header of 18446744073709551615 bytes, 2 bytes are there");
  CHECK(refusal(with_size("", "")) == "not a safetensors file: its header does not start with {");
  CHECK(refusal(with_size(" {}", "")) == "not a safetensors file: its header does not start with {");
  CHECK(refusal(with_size("{\"a\": ", "")) == "the header is not JSON: error at byte 7");
  CHECK(refusal(with_size("{\"\xff\": 1}", "")).starts_with("the header is not JSON"));
  CHECK(refusal(with_size("{\"a\": " + std::string(100000, '[') + "}", "")) ==
        "the header is nested deeper than the format allows");
  const ScratchFolder folder;
  CHECK(error_of([&] { read_safetensors(folder / "none"); }) ==
        (folder / "none") + ": cannot be read: No such file or directory");
  CHECK(error_of([&] { read_safetensors(folder.path()); }).starts_with(folder.path() + ": cannot be read"));
  write_file(folder / "whole", golden());
  for (const size_t bytes : {size_t(100), golden().size() - 1}) CHECK_FALSE(refusal(golden().substr(0, bytes)).empty());
}

TEST_CASE("a safetensors header that lies is refused") {
  const std::string eight(8, '\0');
  const auto refused = [&](const std::string& entries) { return refusal(with_size("{" + entries + "}", eight)); };
  const std::string good = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  CHECK(refused(good + "," + good) == R"(the header has two entries "a")");
  CHECK(refused(R"("a":1)") == R"(tensor "a" is described by 1, expected an object)");
  CHECK(refused(R"("a":{"shape":[2],"data_offsets":[0,8]})") == R"(tensor "a" has no dtype)");
  CHECK(refused(R"("a":{"dtype":"F33","shape":[2],"data_offsets":[0,8]})") ==
        R"(tensor "a" has the unknown dtype "F33")");
  CHECK(refused(R"("a":{"dtype":"F32","data_offsets":[0,8]})") == R"(tensor "a" has no list shape)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]})") ==
        R"(tensor "a": shape holds -2, expected sizes from 0)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]})") ==
        R"(tensor "a": shape holds 2.0, expected sizes from 0)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[9223372036854775808],"data_offsets":[0,8]})") ==
        R"(tensor "a": shape holds 9223372036854775808, expected sizes from 0)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[2]})") == R"(tensor "a" has no list data_offsets)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0]})") ==
        R"(tensor "a" has 1 data_offsets, expected 2)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]})") ==
        R"(tensor "a" lies at bytes 8 to 0, but there are 8 bytes of data)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]})") ==
        R"(tensor "a" lies at bytes 0 to 12, but there are 8 bytes of data)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,8]})") ==
        R"(tensor "a" has 8 bytes of data, but its shape and dtype need 4)");
  // 4 * 2^31 * 2^31 * … wraps around to 8 in 64 bits.
  CHECK(refused(R"("a":{"dtype":"F32","shape":[2147483648,2147483649,2],"data_offsets":[0,8]})") ==
        R"(the shape of tensor "a" is beyond any memory)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[0,4611686018427387904,4],"data_offsets":[0,0]})") ==
        R"(the shape of tensor "a" is beyond any memory)");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})") == "4 bytes behind the last tensor");
  CHECK(refused("") == "8 bytes behind the last tensor");
  CHECK(refused(R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})") ==
        R"(there is a hole in the data before tensor "a")");
  CHECK(refused(good + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]})") ==
        R"(tensor "b" overlaps the one before it)");
  CHECK(refused(R"("__metadata__":[],)" + good) == "__metadata__ is not an object");
  CHECK(refused(R"("__metadata__":{"k":1},)" + good) == R"(__metadata__ holds 1 for "k", expected a string)");
  const ScratchFolder folder;
  write_file(folder / "t", with_size("{" + good + "}", eight));
  CHECK(read_safetensors(folder / "t").tensors.size() == 1);
}

}  // namespace
}  // namespace tr::io
