// A simplex of CLP that stops when its caller does not want to go on.
#pragma once

#include <ClpEventHandler.hpp>
#include <cstdint>
#include <exception>
#include <string_view>

#include "fugu/solve/linear_programme.h"

namespace fugu::inline in_solve {

// Asks the caller now and then whether to go on; what the callback throws is kept until CLP has returned.
class SolverWatch {
 public:
  // `what` is done meanwhile, for people. Both must outlive it.
  SolverWatch(const Patience& patience, std::string_view what) : patience_(patience), what_(what) {}
  bool go_on() {
    if (thrown_) return false;
    try {
      report(patience_.progress, 0.5, what_);
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
    return !is_over();
  }
  bool is_over() const { return patience_.is_over(); }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  const Patience& patience_;
  std::string_view what_;
  std::exception_ptr thrown_;
};

class WatchedSimplex : public ClpEventHandler {
 public:
  explicit WatchedSimplex(SolverWatch& watch) : watch_(watch) {}
  int event(Event what) override {
    if (what != endOfIteration) return -1;
    const bool goes_on = ++calls_ % 64 == 0 ? watch_.go_on() : !watch_.is_over();
    return goes_on ? -1 : 0;
  }
  ClpEventHandler* clone() const override { return new WatchedSimplex(*this); }

 private:
  SolverWatch& watch_;
  uint64_t calls_ = 0;
};

}  // namespace fugu::inline in_solve
