#include "fugu/transport/row_match.h"

#include <algorithm>
#include <numeric>

namespace fugu::inline in_transport {
namespace {

constexpr size_t kMostPasses = 300;

// splitmix64: rows with equal keys are taken as alike, and a rare mistake only costs likeness.
uint64_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

// All sets of one column, of two, … as far as there are few enough.
std::vector<std::vector<uint32_t>> small_sets(size_t columns) {
  std::vector<std::vector<uint32_t>> sets, last = {{}};
  for (size_t size = 1; size < columns; ++size) {
    std::vector<std::vector<uint32_t>> next;
    for (const auto& set : last) {
      for (uint32_t j = set.empty() ? 0 : set.back() + 1; j < columns; ++j) {
        next.push_back(set);
        next.back().push_back(j);
      }
      if (sets.size() + next.size() > kMostPasses) return sets;
    }
    sets.insert(sets.end(), next.begin(), next.end());
    last = std::move(next);
  }
  return sets;
}

void drop_empty(std::vector<RowAmount>& rows) {
  std::erase_if(rows, [](const RowAmount& row) { return row.amount == 0; });
}

}  // namespace

RowMatch::RowMatch(const std::vector<SimilarColumn>& columns) : columns_(columns) {
  const size_t rows = columns.empty() ? 0 : columns.front().values.size();
  sum_.assign(rows, 0);
  for (size_t i = 0; i < rows; ++i) {
    for (size_t j = 0; j < columns.size(); ++j) {
      hashes_.push_back(mixed(static_cast<uint64_t>(columns[j].values[i]) + mixed(j)));
      sum_[i] += hashes_.back();
    }
  }
  std::vector<std::vector<uint32_t>> sets = small_sets(columns.size());
  std::vector<uint32_t> by_weight(columns.size());
  std::iota(by_weight.begin(), by_weight.end(), 0);
  // A number that differs is often near.
  auto weight = [&](uint32_t j) { return columns[j].weight * (columns[j].is_number ? 0.5 : 1); };
  std::sort(by_weight.begin(), by_weight.end(),
            [&](uint32_t a, uint32_t b) { return weight(a) < weight(b); });
  // Where not all sets could be tried, ever fewer columns must agree; at the very end none.
  for (size_t size = sets.empty() ? 1 : sets.back().size() + 1; size <= columns.size(); ++size)
    sets.emplace_back(by_weight.begin(), by_weight.begin() + static_cast<std::ptrdiff_t>(size));
  for (const auto& set : sets) {
    Pass pass{set, 0, false, 0};
    double heaviest = 0;
    for (uint32_t j : set) {
      pass.weight += weight(j);
      if (columns[j].is_number && columns[j].weight >= heaviest) {
        heaviest = columns[j].weight;
        pass.has_number = true;
        pass.number = j;
      }
    }
    passes_.push_back(pass);
  }
  std::stable_sort(passes_.begin(), passes_.end(),
                   [](const Pass& a, const Pass& b) { return a.weight < b.weight; });
  if (passes_.empty()) passes_.push_back({{}, 0, false, 0});
}

uint64_t RowMatch::key(uint32_t row, const Pass& pass) const {
  if (pass.differ.size() == columns_.size()) return 0;
  uint64_t result = sum_[row];
  for (uint32_t j : pass.differ) result -= hashes_[row * columns_.size() + j];
  return result;
}

void RowMatch::match(std::vector<RowAmount> offered, std::vector<RowAmount> wanted,
                     std::vector<RowFlow>& flows) {
  drop_empty(offered);
  drop_empty(wanted);
  for (const Pass& pass : passes_) {
    if (offered.empty()) return;
    run(pass, offered, wanted, flows);
  }
}

void RowMatch::run(const Pass& pass, std::vector<RowAmount>& offered, std::vector<RowAmount>& wanted,
                   std::vector<RowFlow>& flows) {
  auto less = [&](const Group& a, const Group& b) {
    if (a.key != b.key) return a.key < b.key;
    if (pass.has_number) {
      const auto& values = columns_[pass.number].values;
      if (values[a.row] != values[b.row]) return values[a.row] < values[b.row];
    }
    return a.place < b.place;
  };
  // The shorter side is sorted and the longer looked up in it, so that most of that falls away at once.
  const bool offer_is_short = offered.size() <= wanted.size();
  std::vector<Group>& few = offer_is_short ? offered_keys_ : wanted_keys_;
  std::vector<Group>& many = offer_is_short ? wanted_keys_ : offered_keys_;
  const std::vector<RowAmount>& few_rows = offer_is_short ? offered : wanted;
  const std::vector<RowAmount>& many_rows = offer_is_short ? wanted : offered;
  size_t slots = 64;
  while (slots < 8 * few_rows.size()) slots *= 2;
  filter_.assign(slots / 64, 0);
  few.clear();
  for (uint32_t k = 0; k < few_rows.size(); ++k) {
    const uint64_t here = key(few_rows[k].row, pass);
    few.push_back({here, few_rows[k].row, k});
    filter_[here % slots / 64] |= uint64_t{1} << (here % 64);
  }
  std::sort(few.begin(), few.end(), less);
  many.clear();
  for (uint32_t k = 0; k < many_rows.size(); ++k) {
    const uint64_t here = key(many_rows[k].row, pass);
    if (((filter_[here % slots / 64] >> (here % 64)) & 1) == 0) continue;
    const auto at = std::lower_bound(few.begin(), few.end(), here,
                                     [](const Group& a, uint64_t looked_for) { return a.key < looked_for; });
    if (at != few.end() && at->key == here) many.push_back({here, many_rows[k].row, k});
  }
  if (many.empty()) return;
  std::sort(many.begin(), many.end(), less);

  for (size_t i = 0, j = 0; i < offered_keys_.size() && j < wanted_keys_.size();) {
    if (offered_keys_[i].key != wanted_keys_[j].key) {
      offered_keys_[i].key < wanted_keys_[j].key ? ++i : ++j;
      continue;
    }
    size_t last = i, last_wanted = j;
    while (last < offered_keys_.size() && offered_keys_[last].key == offered_keys_[i].key) ++last;
    while (last_wanted < wanted_keys_.size() && wanted_keys_[last_wanted].key == offered_keys_[i].key)
      ++last_wanted;
    nearest(pass, i, last, j, last_wanted, offered, wanted, flows);
    i = last;
    j = last_wanted;
  }
  drop_empty(offered);
  drop_empty(wanted);
}

// Within a group that agrees: each offer to the nearest on either side of it that still wants some.
void RowMatch::nearest(const Pass& pass, size_t first, size_t last, size_t first_wanted, size_t last_wanted,
                       std::vector<RowAmount>& offered, std::vector<RowAmount>& wanted,
                       std::vector<RowFlow>& flows) {
  const size_t size = last_wanted - first_wanted;
  auto want = [&](size_t k) -> RowAmount& { return wanted[wanted_keys_[first_wanted + k].place]; };
  auto value = [&](uint32_t row) { return pass.has_number ? columns_[pass.number].values[row] : 0; };
  // right_[k]: from k on, the first that still wants; left_[k + 1]: from k down. Paths are halved as they
  // are walked.
  left_.resize(size + 1);
  right_.resize(size + 1);
  std::iota(left_.begin(), left_.end(), 0);
  std::iota(right_.begin(), right_.end(), 0);
  auto find = [](std::vector<uint32_t>& next, size_t k) {
    while (next[k] != k) k = next[k] = next[next[k]];
    return k;
  };
  size_t near = 0;
  for (size_t i = first; i < last; ++i) {
    RowAmount& offer = offered[offered_keys_[i].place];
    const int64_t here = value(offer.row);
    while (near < size && value(want(near).row) < here) ++near;
    while (offer.amount > 0) {
      const size_t above = find(right_, near), below = find(left_, near);  // below is one too large
      if (above == size && below == 0) return;
      // As unsigned, no difference is too large.
      auto gap = [&](size_t k) {
        const auto a = static_cast<uint64_t>(value(want(k).row)), b = static_cast<uint64_t>(here);
        return k >= near ? a - b : b - a;
      };
      const bool up = below == 0 || (above < size && gap(above) <= gap(below - 1));
      const size_t chosen = up ? above : below - 1;
      RowAmount& taker = want(chosen);
      const uint64_t amount = std::min(offer.amount, taker.amount);
      flows.push_back({offer.row, taker.row, amount});
      offer.amount -= amount;
      taker.amount -= amount;
      if (taker.amount == 0) {
        right_[chosen] = static_cast<uint32_t>(chosen + 1);
        left_[chosen + 1] = static_cast<uint32_t>(chosen);
      }
    }
  }
}

}  // namespace fugu::inline in_transport
