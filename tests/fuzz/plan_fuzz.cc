// Plans of tables and of models, statements and receipts: sealed anew, so that what stands behind the digest
// is read as well.
#include "fugu/estimate/published.h"
#include "fugu/plan/model_plan.h"
#include "fugu/plan/plan.h"
#include "tests/fuzz/fuzz.h"

using namespace fugu;

namespace {

// The same with the digest of its contents.
Json sealed_anew(const Json& json) {
  Json result = Json::object();
  for (const auto& [name, value] : *json.if_object())
    result.add(name, name == "digest" ? Json::string(plan_digest(json)) : value);
  return result;
}

template <class AnyPlan, class Write, class Read>
void check_round_trip(const AnyPlan& plan, Write write, Read read) {
  const std::string text = write(plan).pretty();
  const AnyPlan again = read(parse_json(text, "written"), "written");
  fuzz::insist(again == plan, "a plan reads back as itself");
  fuzz::insist(write(again).pretty() == text, "a plan is written in one way");
}

void read_plan(const Json& json) {
  if (is_model_plan(json)) {
    const auto plan = fuzz::read_or_refuse([&] { return model_plan_from_json(json, "plan"); });
    if (plan) check_round_trip(*plan, model_plan_to_json, model_plan_from_json);
    return;
  }
  const auto plan = fuzz::read_or_refuse([&] { return plan_from_json(json, "plan"); });
  if (plan) check_round_trip(*plan, plan_to_json, plan_from_json);
}

template <class Column>
void check_texts(const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    for (int64_t at : {int64_t{1}, int64_t{2}, static_cast<int64_t>(column.labels.size())}) {
      if (column.is_categorical() && (at < 1 || at > static_cast<int64_t>(column.labels.size()))) continue;
      const auto index = column.index(column.text(at));
      const bool outside = column.bounds && (at < column.bounds->first || at > column.bounds->second);
      fuzz::insist(outside ? !index || *index == at : index == at, "a released text is that of its value");
    }
  }
}

void read_statement(const Json& json) {
  const auto swap = fuzz::read_or_refuse([&] { return published_swap_from_json(json, "statement"); });
  if (swap && *swap) check_texts((*swap)->columns);
  const auto columns = fuzz::read_or_refuse([&] { return published_from_json(json, "statement"); });
  if (columns) check_texts(*columns);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto json = fuzz::read_or_refuse([&] { return parse_json(text, "input"); });
  if (!json) return 0;
  read_plan(*json);
  if (json->if_object()) read_plan(sealed_anew(*json));
  read_statement(*json);
  return 0;
}
