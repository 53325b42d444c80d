#include "fugu/audit/row_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace fugu::inline in_audit {
namespace {

// On which side of its law's median an output lies; nothing where there is no such cut.
struct Side {
  bool below;
  Chance chance;
};
using Sides = std::vector<std::optional<Side>>;

Sides sides_of(const OutputLaw& law, const AuditedColumn& rows, size_t median) {
  Sides sides(rows.truth.size());
  for (size_t row = 0; row < sides.size(); ++row) {
    if (const auto cut = law.cut(rows.truth[row], median))
      sides[row] = Side{rows.released[row] <= cut->at, cut->chance};
  }
  return sides;
}

// The distances between rows that are compared: small ones, powers of two and ten, and half of all.
std::vector<size_t> distances(size_t rows) {
  std::vector<size_t> result{3, 5, 7};
  for (size_t d = 1; d <= rows / 2; d *= 2) result.push_back(d);
  for (size_t d = 10; d <= rows / 2; d *= 10) result.push_back(d);
  result.push_back(rows / 2);
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  std::erase_if(result, [&](size_t d) { return d == 0 || 2 * d > rows; });
  return result;
}

// Pairs of rows that have no row in common, `distance` apart; at distance 0 each row with itself.
template <class Visit>
void for_each_pair(size_t rows, size_t distance, Visit visit) {
  for (size_t row = 0; row + distance < rows; ++row) {
    if (distance == 0 || row / distance % 2 == 0) visit(row, row + distance);
  }
}

struct Column {
  const OutputLaw& law;
  const AuditedColumn& rows;
  Sides sides;

  int64_t noise(size_t row) const { return rows.released[row] - rows.truth[row]; }
};

void add_sides(const Column& a, size_t row_a, const Column& b, size_t row_b, Trials& trials) {
  const auto &side_a = a.sides[row_a], &side_b = b.sides[row_b];
  if (side_a && side_b) trials.add(side_a->below == side_b->below, agreement(side_a->chance, side_b->chance));
}

// That two values get the same output, of as many pairs of values as can be asked about quickly.
class Meetings {
 public:
  explicit Meetings(const OutputLaw& law) : law_(law) {}
  std::optional<Chance> of(int64_t a, int64_t b) {
    constexpr size_t kMostMet = 2000;
    const std::pair at(std::min(a, b), std::max(a, b));
    const auto found = known_.find(at);
    if (found != known_.end()) return found->second;
    if (known_.size() == kMostMet) return std::nullopt;
    return known_[at] = law_.same_output(at.first, at.second);
  }

 private:
  const OutputLaw& law_;
  std::map<std::pair<int64_t, int64_t>, std::optional<Chance>> known_;
};

// Near rows of one column, whatever their values: of one person, or one after the other.
void ask_near(const Column& column, const std::string& where, std::vector<TestedEvent>& questions) {
  Meetings meetings(column.law);
  for (size_t distance : {1, 2, 3}) {
    Trials same;
    for_each_pair(column.rows.truth.size(), distance, [&](size_t first, size_t second) {
      if (const auto chance = meetings.of(column.rows.truth[first], column.rows.truth[second]))
        same.add(column.rows.released[first] == column.rows.released[second], *chance);
    });
    questions.push_back({"rows", fmt::format("rows{} {} apart with the same output", where, distance), same});
  }
}

// `a` in one row and `b`, which may be the same column, `distance` rows later.
void ask_distance(const Column& a, const Column& b, size_t distance, const std::optional<Chance>& same_noise,
                  const std::string& what, std::vector<TestedEvent>& questions) {
  Trials sides, same;
  for_each_pair(a.rows.truth.size(), distance, [&](size_t first, size_t second) {
    add_sides(a, first, b, second, sides);
    if (same_noise) same.add(a.noise(first) == b.noise(second), *same_noise);
  });
  questions.push_back({"rows", what + " on the same side of their medians", sides});
  questions.push_back({"rows", what + " with the same noise", same});
}

// The rows in the order of their true values; those of one value in the order of the table.
std::vector<std::vector<size_t>> by_value(const AuditedColumn& rows) {
  std::vector<size_t> order(rows.truth.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return rows.truth[a] < rows.truth[b]; });
  std::vector<std::vector<size_t>> groups;
  for (size_t row : order) {
    if (groups.empty() || rows.truth[groups.back().front()] != rows.truth[row]) groups.emplace_back();
    groups.back().push_back(row);
  }
  return groups;
}

void ask_values(const Column& column, const std::string& where, std::vector<TestedEvent>& questions) {
  const auto groups = by_value(column.rows);
  std::vector<std::optional<Chance>> same_output;
  same_output.reserve(groups.size());
  for (const auto& group : groups)
    same_output.push_back(column.law.same_output(column.rows.truth[group.front()]));
  for (size_t distance : {1, 2, 3, 4, 8}) {
    Trials sides, same;
    for (size_t g = 0; g < groups.size(); ++g) {
      for_each_pair(groups[g].size(), distance, [&](size_t first, size_t second) {
        const size_t a = groups[g][first], b = groups[g][second];
        add_sides(column, a, column, b, sides);
        if (same_output[g]) same.add(column.rows.released[a] == column.rows.released[b], *same_output[g]);
      });
    }
    const std::string what = fmt::format("rows{} with the same value, {} apart,", where, distance);
    questions.push_back({"rows", what + " on the same side of their medians", sides});
    questions.push_back({"rows", what + " with the same output", same});
  }
}

}  // namespace

void ask_pairs(const std::vector<OutputLaw>& laws, const AuditedRows& rows,
               const std::vector<std::string>& names, size_t median, std::vector<TestedEvent>& questions) {
  std::vector<Column> columns;
  for (size_t c = 0; c < laws.size(); ++c)
    columns.push_back({laws[c], rows.columns[c], sides_of(laws[c], rows.columns[c], median)});
  for (size_t a = 0; a < columns.size(); ++a) {
    if (laws[a].changes_nothing()) continue;
    ask_values(columns[a], names[a], questions);
    ask_near(columns[a], names[a], questions);
    for (size_t b = 0; b < columns.size(); ++b) {
      if (laws[b].changes_nothing()) continue;
      const auto same_noise = laws[a].same_noise_as(laws[b]);
      const std::string both = a == b ? names[a] : names[a] + " and" + names[b];
      if (a < b) ask_distance(columns[a], columns[b], 0, same_noise, fmt::format("rows{}", both), questions);
      for (size_t distance : distances(rows.rows()))
        ask_distance(columns[a], columns[b], distance, same_noise,
                     fmt::format("rows{} {} apart", both, distance), questions);
    }
  }
}

}  // namespace fugu::inline in_audit
