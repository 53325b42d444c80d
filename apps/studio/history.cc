#include "apps/studio/history.h"

#include "fugu/ask/flags.h"
#include "fugu/law/promise_words.h"
#include "fugu/report/plan_text.h"

namespace fugu::studio {
namespace {

constexpr size_t kMost = 20;  // of each kind
constexpr size_t kMostBytes = size_t{256} << 20;

// The texts that are given, as the page sends them.
template <class Options>
Json texts_of(const Options& options) {
  Json texts = Json::object();
  for (const auto* row : flags_of_page<Options>()) {
    if (!row->is_given(options)) continue;
    texts.add(row->flag.name, Json::string(fugu::text_of(options, *row)));
  }
  return texts;
}

Json entry_of(const char* kind, const Asking& asking, const ShownPlan& shown, const std::string& said,
              Json files) {
  const Plan& plan = *shown.plan;
  Json json = Json::object();
  json.add("kind", Json::string(kind));
  json.add("digest", Json::string(shown.digest));
  json.add("table", Json::string(asking.table.id));
  json.add("name", Json::string(asking.table.name));
  json.add("epsilon", Json::string(plan.scenario.stated().epsilon.text()));
  json.add("promise", Json::string(in_words(plan.scenario)));
  json.add("method", Json::string(plan.method));
  json.add("error", Json::string(error_words(plan)));
  json.add("said", Json::string(said));
  json.add("question", texts_of(asking.question));
  json.add("plan", texts_of(asking.plan));
  json.add("files", std::move(files));
  return json;
}

}  // namespace

void History::add_plan(const Asking& asking, const ShownPlan& shown, Json files) {
  add({"plan", shown.digest, fields_of(asking), shown.size,
       entry_of("plan", asking, shown, "", std::move(files))});
}

void History::add_release(const Asking& asking, const ShownPlan& shown, const std::string& said, Json files) {
  add({"release", shown.digest, fields_of(asking), shown.size,
       entry_of("release", asking, shown, said, std::move(files))});
}

void History::add(Entry entry) {
  const std::lock_guard lock(mutex_);
  entries_.remove_if([&](const Entry& other) {
    const bool same = entry.kind == "plan" && other.kind == entry.kind && other.digest == entry.digest &&
                      other.fields == entry.fields;
    if (same) downloads_.forget(*other.json.find("files"));
    return same;
  });
  entries_.push_front(std::move(entry));
  forget_old();
}

void History::forget_old() {
  size_t plans = 0, releases = 0, bytes = 0;
  entries_.remove_if([&](const Entry& entry) {
    bytes += entry.size;
    const bool fits = (entry.kind == "plan" ? ++plans : ++releases) <= kMost && bytes <= kMostBytes;
    if (fits || plans + releases == 1) return false;
    bytes -= entry.size;
    downloads_.forget(*entry.json.find("files"));
    return true;
  });
}

Json History::list() const {
  const std::lock_guard lock(mutex_);
  Json::Array list;
  for (const Entry& entry : entries_) list.push_back(entry.json);
  return Json::array(std::move(list));
}

}  // namespace fugu::studio
