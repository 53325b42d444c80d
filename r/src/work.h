// Long work called from R: on a thread of its own, while R's own looks for Ctrl-C and says how far it is.
#pragma once

#include <R_ext/GraphicsEngine.h>
#include <cpp11.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <string>

#include "fugu/core/progress.h"

namespace fugu::r {

// Thrown where somebody has pressed Ctrl-C, when the work has ended.
struct Interrupted {};

// `tells` prints to R's console how far it is, after a second. Nothing in `work` may call R.
template <class Work>
auto result_of(bool tells, const Work& work) {
  using namespace std::chrono_literals;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  double fraction = 0;
  std::string what;
  const Progress progress = [&](double done, std::string_view words) {
    if (stop) throw Interrupted{};
    const std::lock_guard lock(mutex);
    fraction = done;
    what = words;
  };
  auto answer = std::async(std::launch::async, [&] { return work(progress); });
  bool told = false;
  for (int ticks = 0; answer.wait_for(50ms) != std::future_status::ready; ++ticks) {
    // R's own check would jump over the frames of C++: the package's R code signals the interrupt, later.
    if (R_interrupts_pending) {
      R_interrupts_pending = 0;
      stop = true;
    }
    const std::lock_guard lock(mutex);
    if (!tells || ticks < 20 || what.empty()) continue;
    REprintf("\r%3.0f %% %-40s", 100 * fraction, what.c_str());
    told = true;
  }
  if (told) REprintf("\r%47s\r", "");
  if (stop) {
    answer.wait();
    throw Interrupted{};
  }
  return answer.get();
}

}  // namespace fugu::r
