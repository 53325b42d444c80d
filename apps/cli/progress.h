// A progress bar on standard error: only on a terminal, only after a second, gone at the end.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "fugu/core/progress.h"

namespace fugu::cli {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // What to hand to long work; it must not outlive the bar. Called when a signal has come, it throws
  // Interrupted.
  Progress callback();
  // The same for work that goes once through `bytes` bytes: it shows how many a second.
  Progress callback(uint64_t bytes);
  void clear();

 private:
  void show(double fraction, std::string_view what);

  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  bool enabled_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace fugu::cli
