#include "fugu/preview/utility.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "fugu/core/error.h"
#include "fugu/preview/compared_columns.h"
#include "fugu/preview/plan_rows.h"
#include "fugu/rows/joined_label.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_preview {
namespace {

// The lattice index of a released text.
std::optional<int64_t> index_of_text(const ColumnMap& map, std::string_view text) {
  const ColumnShape& shape = map.source.shape();
  if (shape.is_categorical()) {
    const auto label = std::find(shape.labels.begin(), shape.labels.end(), text);
    if (label == shape.labels.end()) return std::nullopt;
    return label - shape.labels.begin() + 1;
  }
  const auto number = shape.reads.number(text);
  return number ? map.lattice.index(*number) : std::nullopt;
}

Error strange_text(const TableHead& head, size_t column, uint64_t line) {
  return Error(ErrorKind::kData,
               fmt::format("{}: {} {}, {}: a release by this plan cannot hold this value", head.file,
                           head.name().row_word, line, head.column_place(column)),
               "give the table that was released by this plan");
}

bool has_column(const TableHead& head, const std::string& name) {
  return std::find(head.header.begin(), head.header.end(), name) != head.header.end();
}

// Known columns by their texts, before and after.
class KnownTexts {
 public:
  int64_t code(const std::string& text) {
    const auto [found, added] = codes_.emplace(text, static_cast<int64_t>(labels_.size()));
    if (added) labels_.push_back(text);
    return found->second;
  }
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  std::map<std::string, int64_t> codes_;
  std::vector<std::string> labels_;
};

}  // namespace

Preview utility_of(const Plan& plan, RowSource& released, const Progress& progress) {
  const Scenario& scenario = plan.scenario;
  if (!scenario.source)
    throw usage("the plan does not name the columns of a table", "calibrate from a table");
  const PlanRows rows = plan_rows(scenario);
  const std::vector<ColumnRelease> columns = column_releases(plan);
  const Source& source = *scenario.source;
  const TableHead& head = released.head();
  std::vector<size_t> wanted, known;
  for (const std::string& name : source.published) wanted.push_back(head.column(name, "after"));
  for (size_t k = 0; k < source.known.size(); ++k) {
    if (!has_column(head, source.known[k])) continue;
    wanted.push_back(head.column(source.known[k], "after"));
    known.push_back(k);
  }
  const RowCounts counted = released.count(
      wanted, [](const Field*, uint64_t) {}, progress);
  if (counted.total == 0)
    throw Error(ErrorKind::kData, head.file + ": there are no rows", "give the released table");

  std::vector<double> weights;
  std::vector<std::vector<int64_t>> values(wanted.size());
  std::vector<KnownTexts> texts_known(known.size());
  for (const Tally::Entry& row : counted.rows.entries()) {
    const std::vector<std::string_view> texts = texts_in(row.key);
    for (size_t c = 0; c < columns.size(); ++c) {
      const auto index = index_of_text(columns[c].map, texts[c]);
      if (!index) throw strange_text(head, wanted[c], row.line);
      values[c].push_back(*index);
    }
    for (size_t k = 0; k < known.size(); ++k) {
      const std::string text(texts[columns.size() + k]);
      values[columns.size() + k].push_back(texts_known[k].code(text.empty() ? kLeftBlank : text));
    }
    weights.push_back(static_cast<double>(row.count));
  }

  ComparedColumns compared(scenario, rows.weights, weights);
  for (size_t c = 0; c < columns.size(); ++c)
    compared.add_released(columns[c].map, c, rows.values[c], std::move(values[c]));
  for (size_t k = 0; k < known.size(); ++k) {
    std::vector<int64_t> before;
    for (const Prior* prior : rows.prior)
      before.push_back(texts_known[k].code(known_text(*prior, source.known.size(), known[k])));
    compared.add_known(known[k], texts_known[k].labels(), std::move(before),
                       std::move(values[columns.size() + k]));
  }
  Preview utility{.rows = rows.rows, .simulated = counted.total};
  for (const ComparedColumn& column : compared.all()) utility.columns.push_back(compared.facts(column));
  compared.associate(utility);
  return utility;
}

}  // namespace fugu::inline in_preview
