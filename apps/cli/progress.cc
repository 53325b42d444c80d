#include "apps/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "apps/cli/interrupt.h"
#include "fugu/show/wording.h"

namespace fugu::cli {
namespace {

bool is_terminal() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && terminal && std::string_view(terminal) != "dumb";
}

}  // namespace

ProgressBar::ProgressBar(bool quiet)
    : enabled_(!quiet && is_terminal()), next_(Clock::now() + std::chrono::seconds(1)) {}

Progress ProgressBar::callback() {
  return [this](double fraction, std::string_view what) {
    stop_if_interrupted();
    if (enabled_) show(fraction, what);
  };
}

Progress ProgressBar::callback(uint64_t bytes) {
  start_ = Clock::now();
  return [this, bytes](double fraction, std::string_view what) {
    stop_if_interrupted();
    if (!enabled_) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const double rate = fraction * static_cast<double>(bytes) / 1e6 / std::max(seconds, 1e-3);
    const double left = fraction > 0 ? seconds * (1 - fraction) / fraction : 0;
    show(fraction, fmt::format("{}, {:.0f} MB/s, {:.0f} s left", what, rate, left));
  };
}

void ProgressBar::show(double fraction, std::string_view what) {
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  constexpr int kCells = 30;
  const double share = std::clamp(fraction, 0.0, 1.0);
  const auto filled = static_cast<size_t>(share * kCells);
  const std::string bar = std::string(filled, '#') + std::string(kCells - filled, '.');
  fmt::print(stderr, "\r\033[K[{}] {:3.0f} %  {}", bar, 100 * share, printable(what));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace fugu::cli
