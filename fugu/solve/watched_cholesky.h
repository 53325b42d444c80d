// The factorisations of CLP's interior point method, under watch.
//
// Nothing stops CLP inside a factorisation. So what it costs is estimated before it begins: it is refused
// where the time that is left would not do, and the last iteration is the one after which there is no time
// for another.
#pragma once

#include <ClpCholeskyBase.hpp>
#include <functional>
#include <utility>

#include "fugu/core/deadline.h"

namespace fugu::inline in_solve {

// Why the method ends before its end: it would take too long, or more entries than CLP can count.
enum class Cut { kNot, kTime, kSize };

class WatchedCholesky : public ClpCholeskyBase {
 public:
  // `go_on` is asked now and then; it must not throw. `cut` says whether the method was ended, and why.
  WatchedCholesky(std::function<bool()> go_on, const Deadline& deadline, Cut& cut)
      : go_on_(std::move(go_on)), deadline_(deadline), cut_(cut) {}

  // Refuses, by a status that is not 0, what would be cut.
  int order(ClpInterior* model) override;
  int factorize(const CoinWorkDouble* diagonal, int* rows_dropped) override;
  ClpCholeskyBase* clone() const override { return new WatchedCholesky(*this); }

 private:
  Cut cut_of_order(const ClpInterior& model) const;
  Cut cut_of_factor(const ClpInterior& model) const;

  std::function<bool()> go_on_;
  const Deadline& deadline_;
  Cut& cut_;
  double left_before_ = -1;  // seconds, at the last factorisation
};

}  // namespace fugu::inline in_solve
