#include "apps/studio/shown_plans.h"

#include <algorithm>
#include <map>

namespace fugu::studio {
namespace {

constexpr size_t kMostOfAPage = 4;  // it shows one; a release of the one before may just be asked for
constexpr size_t kMostPlans = 64;

}  // namespace

void ShownPlans::add(const Asking& asking, const std::string& digest, size_t size, ShownPlan shown) {
  const std::lock_guard lock(mutex_);
  entries_.push_front({asking.page, digest, fields_of(asking), size, std::move(shown)});
  forget_old();
}

void ShownPlans::forget_old() {
  std::map<std::string, size_t> of_page;
  size_t plans = 0, bytes = 0;
  entries_.remove_if([&](const Entry& entry) {
    bytes += entry.size;
    const bool fits = ++of_page[entry.page] <= kMostOfAPage && plans < kMostPlans && bytes <= most_bytes_;
    if (fits || plans == 0) return ++plans, false;
    bytes -= entry.size;
    return true;
  });
}

ShownPlan ShownPlans::find(const Asking& asking) {
  const std::string fields = fields_of(asking);
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.digest == asking.digest && entry.fields == fields;
  });
  if (found == entries_.end() || found->shown.counted != file_state(asking.table.path))
    throw not_the_plan_shown();
  return found->shown;
}

}  // namespace fugu::studio
