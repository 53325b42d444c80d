// Until when work may go on: what a time limit becomes when the work begins. The one place that reads a
// clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "fugu/core/progress.h"

namespace fugu::inline in_core {

// Ends work that a deadline watches.
struct TimeIsOver {};

class Deadline {
 public:
  Deadline() = default;  // never

  static Deadline in(double seconds) {
    Deadline deadline;
    deadline.at_ =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(std::clamp(seconds, 0.0, 1e9)));
    return deadline;
  }

  bool is_over() const { return Clock::now() >= at_; }
  double seconds_left() const { return Seconds(at_ - Clock::now()).count(); }

  // Reports to `progress`, which must outlive it, and throws TimeIsOver when the time is over.
  Progress watched(const Progress& progress) const {
    return [*this, &progress](double fraction, std::string_view what) {
      if (is_over()) throw TimeIsOver();
      report(progress, fraction, what);
    };
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;
  Clock::time_point at_ = Clock::time_point::max();
};

// What the work returns, or nothing where this deadline came first. Another's TimeIsOver goes through.
template <class Work>
auto in_time(const Deadline& deadline, Work work) -> std::optional<decltype(work())> {
  try {
    return work();
  } catch (const TimeIsOver&) {
    if (!deadline.is_over()) throw;
    return std::nullopt;
  }
}

}  // namespace fugu::inline in_core
