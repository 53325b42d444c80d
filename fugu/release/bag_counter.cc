#include "fugu/release/bag_counter.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/scenario/bags.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_release {

BagCounter::BagCounter(const RowLayout& layout, const Scenario& scenario)
    : layout_(layout), scenario_(scenario), rule_(layout.terms) {
  const size_t columns = scenario.released_columns();
  padding_.assign(columns, INT64_MAX);
  for (const Point& bag : scenario.points) {
    for (size_t axis = 0; axis < bag.size(); ++axis)
      padding_[axis % columns] = std::min(padding_[axis % columns], bag[axis]);
  }
}

void BagCounter::add(std::string_view texts, uint64_t line) {
  RowVerdict verdict = rule_.judge(texts_in(texts));
  if (verdict.kind == RowVerdict::kRefused)
    throw rule_.refusal(verdict, fmt::format("{}: {}, {}", layout_.name.file, layout_.name.row(line),
                                             layout_.places[verdict.field]));
  others_ = others_ || verdict.kind != RowVerdict::kValue;  // which were counted, and now are not
  secret_ = verdict.secret.label;
  rows_.push_back(std::move(verdict.value));
}

void BagCounter::close() {
  if (rows_.empty()) return;
  const uint64_t rows = rows_.size();
  ++people_[{rows, secret_, bag_of(std::move(rows_), padding_, scenario_.rows_per_person())}];
  rows_.clear();
}

bool BagCounter::are_the_plans() const {
  if (others_) return false;
  size_t cells = 0;
  for (const Prior& prior : scenario_.priors) {
    for (size_t s = 0; s < scenario_.secrets.size(); ++s) {
      const Distribution& law = prior.by_secret[s];
      cells += law.size();
      for (size_t k = 0; k < law.size(); ++k) {
        const auto found = people_.find(
            {rows_of(prior), scenario_.secrets[s], scenario_.points[static_cast<size_t>(law.atoms()[k])]});
        if (found == people_.end() || law.weights().at(k) != found->second) return false;
      }
    }
  }
  return cells == people_.size();
}

}  // namespace fugu::inline in_release
