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

namespace fugu {

class WatchedCholesky : public ClpCholeskyBase {
 public:
  // `go_on` is asked now and then; it must not throw. `cut_short` becomes true where the method ends before
  // its time.
  WatchedCholesky(std::function<bool()> go_on, const Deadline& deadline, bool& cut_short)
      : go_on_(std::move(go_on)), deadline_(deadline), cut_short_(cut_short) {}

  // Refuses, by a status that is not 0, what would take too long or has more entries than CLP can count.
  int order(ClpInterior* model) override;
  int factorize(const CoinWorkDouble* diagonal, int* rows_dropped) override;
  ClpCholeskyBase* clone() const override { return new WatchedCholesky(*this); }

 private:
  bool can_order(const ClpInterior& model) const;
  bool can_factorize(const ClpInterior& model) const;

  std::function<bool()> go_on_;
  const Deadline& deadline_;
  bool& cut_short_;
  double left_before_ = -1;  // seconds, at the last factorisation
};

}  // namespace fugu
