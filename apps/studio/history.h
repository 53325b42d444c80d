// What was planned and released in this run of the studio: for every page of it, and for one that is loaded
// again.
#pragma once

#include <list>
#include <mutex>
#include <string>

#include "apps/studio/asking.h"
#include "apps/studio/downloads.h"
#include "apps/studio/shown_plans.h"
#include "fugu/core/json.h"

namespace fugu::studio {

class History {
 public:
  // Its files are kept as long as the entry, and not longer.
  explicit History(Downloads& downloads) : downloads_(downloads) {}

  // A plan that somebody rested at. `files` are downloads that are kept until they are forgotten. The same
  // plan of the same fields comes to the front, and gives its older files up.
  void add_plan(const Asking& asking, const ShownPlan& shown, Json files);
  // A release by it, and what it said.
  void add_release(const Asking& asking, const ShownPlan& shown, const std::string& said, Json files);

  // [{"kind": "plan" or "release", "digest", "table", "name", "epsilon", "promise", "method", "error",
  // "said", "question", "plan", "files"}, ...], newest first. The last plans and releases are kept, so many
  // of each and so many bytes of plans.
  Json list() const;

 private:
  struct Entry {
    std::string kind, digest, fields;
    size_t size;  // bytes of the plan
    Json json;
  };
  void add(Entry entry);
  void forget_old();

  Downloads& downloads_;
  mutable std::mutex mutex_;
  std::list<Entry> entries_;  // newest first
};

}  // namespace fugu::studio
