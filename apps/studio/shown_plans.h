// The plans that pages show, so that a release is of the very plan that was seen.
//
// A plan is never made again for its release: a linear programme that its time limit stops ends elsewhere
// each time, and what somebody looked at would not be what is released.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "apps/studio/asking.h"
#include "fugu/plan/plan.h"

namespace fugu::studio {

struct ShownPlan {
  std::shared_ptr<const Plan> plan;
  std::optional<FileState> counted;  // what the table was
  std::string digest = {};
  size_t size = 0;  // bytes of its file
};

class ShownPlans {
 public:
  // Of each page the last few are kept, of all pages so many, and so many bytes of plans: the oldest go
  // first, the newest stays. Of plans that somebody rested at more are kept.
  explicit ShownPlans(size_t most_bytes = size_t{256} << 20) : most_bytes_(most_bytes) {}

  // The plan of these fields is shown.
  void add(const Asking& asking, ShownPlan shown);
  // The plan that was shown for these very fields, by any page, where it is kept and the table is what it
  // was: nothing is solved twice.
  std::optional<ShownPlan> again(const Asking& asking);
  // Somebody rested at the plan of the digest: it is kept longer. Error of find().
  ShownPlan rest(const Asking& asking);
  // The plan of the digest asked for. Error (usage) unless it was shown for these very fields, is kept, and
  // the table is what it was.
  ShownPlan find(const Asking& asking);

 private:
  struct Entry {
    std::string page, fields;
    ShownPlan shown;
    bool rested = false;
  };
  void forget_old();
  std::list<Entry>::iterator found(const Asking& asking);

  const size_t most_bytes_;
  std::mutex mutex_;
  std::list<Entry> entries_;  // newest first
};

}  // namespace fugu::studio
