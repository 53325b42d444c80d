#include "apps/studio/shown_plans.h"

#include <algorithm>
#include <map>

namespace fugu::studio {
namespace {

constexpr size_t kMostOfAPage = 4;  // it shows one; a release of the one before may just be asked for
constexpr size_t kMostPlans = 64;
constexpr size_t kMostRested = 20;

}  // namespace

void ShownPlans::add(const Asking& asking, ShownPlan shown) {
  const std::string fields = fields_of(asking);
  const std::lock_guard lock(mutex_);
  bool rested = false;
  entries_.remove_if([&](const Entry& entry) {
    const bool same =
        entry.page == asking.page && entry.fields == fields && entry.shown.digest == shown.digest;
    rested |= same && entry.rested;
    return same;
  });
  entries_.push_front({asking.page, fields, std::move(shown), rested});
  forget_old();
}

void ShownPlans::forget_old() {
  std::map<std::string, size_t> of_page;
  size_t plans = 0, rested = 0, bytes = 0;
  entries_.remove_if([&](const Entry& entry) {
    bytes += entry.shown.size;
    const bool counts = entry.rested ? ++rested <= kMostRested : ++of_page[entry.page] <= kMostOfAPage;
    const bool fits = counts && plans < kMostPlans && bytes <= most_bytes_;
    if (fits || plans == 0) return ++plans, false;
    bytes -= entry.shown.size;
    return true;
  });
}

std::optional<ShownPlan> ShownPlans::again(const Asking& asking) {
  const std::string fields = fields_of(asking);
  const auto state = file_state(asking.table.path);
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.fields == fields && entry.shown.counted == state;
  });
  return found == entries_.end() ? std::nullopt : std::optional(found->shown);
}

ShownPlan ShownPlans::find(const Asking& asking) {
  const std::lock_guard lock(mutex_);
  return found(asking)->shown;
}

ShownPlan ShownPlans::rest(const Asking& asking) {
  const std::lock_guard lock(mutex_);
  const auto entry = found(asking);
  entry->rested = true;
  entries_.splice(entries_.begin(), entries_, entry);
  return entry->shown;
}

std::list<ShownPlans::Entry>::iterator ShownPlans::found(const Asking& asking) {
  const std::string fields = fields_of(asking);
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) {
    return one.shown.digest == asking.digest && one.fields == fields;
  });
  if (entry == entries_.end() || entry->shown.counted != file_state(asking.table.path))
    throw not_the_plan_shown();
  return entry;
}

}  // namespace fugu::studio
