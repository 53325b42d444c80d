#include "fugu/transport/row_exchange.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace fugu::inline in_transport {
namespace {

using Wide128 = unsigned __int128;

// `amount` among weights, in proportion, whole units, each within one of its share and none above `cap` times
// its weight if amount is not above cap times the sum: the largest remainders are rounded up.
class Proportion {
 public:
  const std::vector<uint64_t>& share(uint64_t amount, const std::vector<uint64_t>& weights) {
    Wide128 sum = 0;
    for (uint64_t weight : weights) sum += weight;
    shares_.assign(weights.size(), 0);
    remainders_.clear();
    if (amount == 0) return shares_;
    uint64_t left = amount;
    for (size_t k = 0; k < weights.size(); ++k) {
      const Wide128 product = Wide128{amount} * weights[k];
      shares_[k] = static_cast<uint64_t>(product / sum);
      left -= shares_[k];
      if (product % sum != 0) remainders_.emplace_back(static_cast<uint64_t>(product % sum), k);
    }
    if (left > 0) {
      std::nth_element(remainders_.begin(), remainders_.begin() + static_cast<std::ptrdiff_t>(left - 1),
                       remainders_.end(), [](const auto& a, const auto& b) {
                         return a.first != b.first ? a.first > b.first : a.second < b.second;
                       });
      for (size_t k = 0; k < left; ++k) ++shares_[remainders_[k].second];
    }
    return shares_;
  }

 private:
  std::vector<uint64_t> shares_;
  std::vector<std::pair<uint64_t, size_t>> remainders_;
};

struct ClassUnits {
  uint32_t from, to;
  uint64_t units;
};

void sort_and_merge(std::vector<ClassUnits>& flows) {
  std::sort(flows.begin(), flows.end(), [](const ClassUnits& a, const ClassUnits& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  size_t kept = 0;
  for (const ClassUnits& flow : flows) {
    if (flow.units == 0) continue;
    if (kept > 0 && flows[kept - 1].from == flow.from && flows[kept - 1].to == flow.to) {
      flows[kept - 1].units += flow.units;
    } else {
      flows[kept++] = flow;
    }
  }
  flows.resize(kept);
}

// Takes from the flows of each class, as `end` names it, what they are above its total, in proportion.
void trim(std::vector<ClassUnits>& flows, const std::vector<uint64_t>& class_totals,
          uint32_t ClassUnits::*end) {
  std::vector<Wide128> sums(class_totals.size(), 0);
  for (const ClassUnits& flow : flows) sums[flow.*end] += flow.units;
  for (ClassUnits& flow : flows) {
    const Wide128 sum = sums[flow.*end], total = class_totals[flow.*end];
    if (sum > total) flow.units = static_cast<uint64_t>(flow.units * total / sum);
  }
}

// The flows in units, balanced at every class; none gives more than its total. A class that rounding put
// above its total is trimmed by itself: where it is tiny, that is much of it, and must not concern the
// others.
std::vector<ClassUnits> balanced_units(const std::vector<ClassShare>& flows,
                                       const std::vector<uint64_t>& class_totals, double all) {
  std::vector<ClassUnits> units;
  for (const ClassShare& flow : flows)
    units.push_back({flow.from, flow.to, static_cast<uint64_t>(std::max(flow.share, 0.0) * all)});
  trim(units, class_totals, &ClassUnits::from);
  trim(units, class_totals, &ClassUnits::to);
  std::vector<__int128> surplus(class_totals.size(), 0);  // inflow less outflow
  for (const ClassUnits& flow : units) {
    surplus[flow.from] -= flow.units;
    surplus[flow.to] += flow.units;
  }
  // Afterwards a class gives the larger of what it gave and took.
  for (size_t a = 0, b = 0;;) {
    while (a < surplus.size() && surplus[a] <= 0) ++a;
    while (b < surplus.size() && surplus[b] >= 0) ++b;
    if (a == surplus.size()) break;
    const __int128 amount = std::min(surplus[a], -surplus[b]);
    units.push_back({static_cast<uint32_t>(a), static_cast<uint32_t>(b), static_cast<uint64_t>(amount)});
    surplus[a] -= amount;
    surplus[b] += amount;
  }
  sort_and_merge(units);
  return units;
}

// The means that RowExchange states, summed up class by class.
class Differences {
 public:
  explicit Differences(const std::vector<SimilarColumn>& columns) : columns_(columns) {}
  void add_flow(const RowFlow& flow) {
    const auto weight = static_cast<double>(flow.weight);
    amount_ += weight;
    for (const SimilarColumn& column : columns_) {
      if (column.values[flow.from] != column.values[flow.to]) changed_ += weight * column.weight;
    }
  }
  void add_any(const std::vector<RowAmount>& offered, const std::vector<RowAmount>& wanted) {
    double sum = 0;
    for (const RowAmount& row : offered) sum += static_cast<double>(row.amount);
    if (sum == 0) return;
    for (const SimilarColumn& column : columns_) {
      share_.clear();
      for (const RowAmount& row : offered)
        share_[column.values[row.row]] += static_cast<double>(row.amount) / sum;
      for (const RowAmount& row : wanted) {
        const auto at = share_.find(column.values[row.row]);
        const double same = at == share_.end() ? 0 : at->second;
        random_ += static_cast<double>(row.amount) * (1 - same) * column.weight;
      }
    }
  }
  double changed() const { return amount_ > 0 ? changed_ / amount_ : 0; }
  double of_any() const { return amount_ > 0 ? random_ / amount_ : 0; }

 private:
  const std::vector<SimilarColumn>& columns_;
  std::unordered_map<int64_t, double> share_;
  double amount_ = 0, changed_ = 0, random_ = 0;
};

}  // namespace

unsigned largest_shift(const std::vector<uint64_t>& counts) {
  Wide128 sum = 0;
  uint64_t largest = 1;
  for (uint64_t count : counts) {
    sum += count;
    largest = std::max(largest, count);
  }
  unsigned shift = 0;
  while ((sum << (shift + 1)) < Wide128{1} << 63 && (Wide128{largest} << (shift + 1)) < Wide128{1} << 62)
    ++shift;
  return shift;
}

RowExchange exchange_rows(const ExchangedRows& rows, const std::vector<ClassShare>& flows,
                          const Progress& progress) {
  RowExchange result{rows.shift ? *rows.shift : largest_shift(rows.counts), {}, {}, 0, 0};
  size_t classes = 0;
  for (uint32_t a : rows.classes) classes = std::max<size_t>(classes, a + size_t{1});
  for (const ClassShare& flow : flows)
    classes = std::max<size_t>({classes, flow.from + size_t{1}, flow.to + size_t{1}});
  std::vector<std::vector<uint32_t>> members(classes);
  std::vector<std::vector<uint64_t>> counts(classes);
  std::vector<uint64_t> class_totals(classes, 0);
  double all = 0;
  for (size_t i = 0; i < rows.counts.size(); ++i) {
    const uint32_t a = rows.classes[i];
    result.totals.push_back(rows.counts[i] << result.shift);
    members[a].push_back(static_cast<uint32_t>(i));
    counts[a].push_back(rows.counts[i]);
    class_totals[a] += result.totals[i];
    all += static_cast<double>(result.totals[i]);
  }
  const std::vector<ClassUnits> units = balanced_units(flows, class_totals, all);

  // Of each class: what its rows give, which is also what they take; then what they take of each class.
  std::vector<uint64_t> given(classes, 0);
  for (const ClassUnits& flow : units) given[flow.from] += flow.units;
  Proportion proportion;
  std::vector<std::vector<uint64_t>> gives(classes), takes(classes);
  for (size_t a = 0; a < classes; ++a) takes[a] = gives[a] = proportion.share(given[a], counts[a]);
  RowMatch match(rows.columns);
  Differences differences(rows.columns);
  for (size_t k = 0; k < units.size();) {
    const uint32_t a = units[k].from;
    report(progress, static_cast<double>(k) / static_cast<double>(units.size()), "matching similar rows");
    std::vector<RowAmount> offered, wanted;
    for (size_t i = 0; i < members[a].size(); ++i) offered.push_back({members[a][i], gives[a][i]});
    for (; k < units.size() && units[k].from == a; ++k) {
      const uint32_t b = units[k].to;
      const std::vector<uint64_t>& shares = proportion.share(units[k].units, takes[b]);
      for (size_t i = 0; i < shares.size(); ++i) {
        takes[b][i] -= shares[i];
        if (shares[i] > 0) wanted.push_back({members[b][i], shares[i]});
      }
    }
    differences.add_any(offered, wanted);
    const size_t before = result.flows.size();
    match.match(std::move(offered), std::move(wanted), result.flows);
    for (size_t f = before; f < result.flows.size(); ++f) differences.add_flow(result.flows[f]);
  }
  std::sort(result.flows.begin(), result.flows.end(), [](const RowFlow& a, const RowFlow& b) {
    return a.from != b.from ? a.from < b.from : a.to < b.to;
  });
  result.changed_columns = differences.changed();
  result.random_columns = differences.of_any();
  return result;
}

}  // namespace fugu::inline in_transport
