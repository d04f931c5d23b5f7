// Every error becomes one line and an exit status.
#include <c10/util/Exception.h>

#include <algorithm>
#include <cstdio>
#include <new>

#include "libtr/base/error.h"
#include "libtr/experiment/cli.h"
#include "libtr/experiment/interrupt.h"

namespace tr {
namespace {

constexpr int kInterrupted = 130;

int fail(int status, const std::string& message) {
  std::string line = message;  // one line, whatever a library had to say
  line.resize(std::min(line.find('\n'), line.size()));
  std::fprintf(stderr, "error: %s\n", line.c_str());
  return status;
}

}  // namespace

int exit_status_of(const std::function<int()>& body) {
  try {
    return body();
  } catch (const Error& error) {
    return fail(error.exit_status(), error.what());
  } catch (const experiment::Interrupted& stopped) {
    std::fprintf(stderr, "%s\n", stopped.what());
    return kInterrupted;
  } catch (const c10::Error& error) {
    return fail(1, std::string("LibTorch: ") + error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    return fail(
        1, "out of memory; smaller batches (/train/batch_tokens, /train/accumulation, /decode/batch_tokens) need less");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

}  // namespace tr
