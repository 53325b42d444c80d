#include "fugu/preview/preview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fugu/core/error.h"
#include "fugu/preview/compared_columns.h"
#include "fugu/preview/drawn_rows.h"
#include "fugu/preview/sample_rows.h"

namespace fugu::inline in_preview {
namespace {

constexpr double kLeft = 0.05;      // of a label that counts as vanished, less than this is left
constexpr double kEnoughRows = 20;  // of it, for that to be told

class PreviewMaker {
 public:
  PreviewMaker(const Plan& plan, const PreviewOptions& options)
      : scenario_(plan.scenario),
        rows_(plan_rows(plan.scenario)),
        drawn_(draw_rows(plan, rows_, {options.draws, options.simulated})),
        ones_(drawn_.rows(), 1.0),
        first_(ones_),
        second_(ones_),
        columns_(plan.scenario, rows_.weights, ones_) {
    const auto half = static_cast<ptrdiff_t>(drawn_.draws / 2 * drawn_.each);
    if (half > 0) {
      std::fill(second_.begin(), second_.begin() + half, 0.0);
      std::fill(first_.begin() + half, first_.end(), 0.0);
      columns_.part({first_, second_});
    }
    const std::vector<ColumnRelease> released = column_releases(plan);
    for (size_t c = 0; c < released.size(); ++c)
      columns_.add_released(released[c].map, c, rows_.values[c], drawn_.released[c]);
    for (size_t k = 0; scenario_.source && k < scenario_.source->known.size(); ++k) add_known(k);
    const std::vector<int64_t> secrets(rows_.secret.begin(), rows_.secret.end());
    columns_.add_secret(secrets, simulated(secrets));
  }

  Preview make(const PreviewOptions& options) const {
    Preview preview{.rows = rows_.rows, .draws = drawn_.draws, .simulated = drawn_.each};
    preview.unchanged = unchanged();
    const auto& columns = columns_.all();
    for (size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].role != ComparedColumn::kSecret) preview.columns.push_back(facts_of(c));
    }
    columns_.associate(preview);
    if (options.cross) preview.cross = columns_.cross(*options.cross);
    add_notes(preview.notes);
    return preview;
  }

 private:
  // By entry of the table's rows, the same of the simulated ones.
  std::vector<int64_t> simulated(const std::vector<int64_t>& by_entry) const {
    std::vector<int64_t> result;
    result.reserve(drawn_.rows());
    for (uint32_t entry : drawn_.entries) result.push_back(by_entry[entry]);
    return result;
  }

  void add_known(size_t k) {
    const size_t known = scenario_.source->known.size();
    std::map<std::string, int64_t> codes;
    std::map<const Prior*, int64_t> of_prior;
    for (const Prior* prior : scenario_.own_priors()) codes.emplace(known_text(*prior, known, k), 0);
    std::vector<std::string> labels;
    for (auto& [text, code] : codes) {
      code = static_cast<int64_t>(labels.size());
      labels.push_back(text);
    }
    for (const Prior* prior : scenario_.own_priors())
      of_prior[prior] = codes.at(known_text(*prior, known, k));
    std::vector<int64_t> values;
    values.reserve(rows_.size());
    for (const Prior* prior : rows_.prior) values.push_back(of_prior.at(prior));
    columns_.add_known(k, std::move(labels), values, simulated(values));
  }

  double unchanged() const {
    size_t same = 0;
    for (size_t row = 0; row < drawn_.rows(); ++row) {
      bool stays = true;
      for (size_t c = 0; c < rows_.values.size(); ++c)
        stays = stays && drawn_.released[c][row] == rows_.values[c][drawn_.entries[row]];
      same += stays;
    }
    return static_cast<double>(same) / static_cast<double>(drawn_.rows());
  }

  // Rows are drawn independently: what two draws of the same rows differ by is the variance of one, twice.
  void scatter(size_t c, const ShownColumn& shown, PreviewColumn& facts) const {
    const std::vector<int64_t>& twins = drawn_.twins[c];
    std::vector<double> differ(shown.labels().size(), 0.0);
    double squares = 0;
    for (size_t row = 0; row < twins.size(); ++row) {
      const int64_t one = drawn_.released[c][row], other = twins[row];
      if (one == other) continue;
      const size_t a = shown.group(one), b = shown.group(other);
      if (a != b) {
        differ[a] += 1;
        differ[b] += 1;
      }
      if (shown.is_number()) squares += std::pow(shown.number(one) - shown.number(other), 2);
    }
    const double each = 2 * static_cast<double>(twins.size()),
                 of = static_cast<double>(rows_.rows.value_or(drawn_.each));
    for (double rows : differ) facts.deviation.push_back(std::sqrt(rows / each / of));
    if (facts.numbers) facts.numbers->mean_deviation = std::sqrt(squares / each / of);
  }

  PreviewColumn facts_of(size_t c) const {
    const ComparedColumn& column = columns_.all()[c];
    PreviewColumn facts = columns_.facts(column);
    if (facts.known) {
      facts.after = facts.before;  // the simulated rows are only a part of them
      facts.deviation.assign(facts.after.size(), 0.0);
      return facts;
    }
    const auto rows = static_cast<double>(drawn_.rows());
    for (size_t k = 0; k < facts.labels.size(); ++k) {
      const double expected = facts.before[k] * rows;
      if (expected >= kEnoughRows && facts.after[k] * rows < kLeft * expected)
        facts.vanished.push_back(facts.labels[k]);
    }
    size_t same = 0;
    for (size_t row = 0; row < drawn_.rows(); ++row)
      same += column.after[row] == column.before[drawn_.entries[row]];
    facts.unchanged = static_cast<double>(same) / rows;
    scatter(c, column.shown, facts);
    return facts;
  }

  void add_notes(std::vector<std::string>& notes) const {
    notes.push_back(fmt::format("after: averages over {} simulated draws, not the release", drawn_.draws));
    if (rows_.rows && drawn_.each < *rows_.rows)
      notes.push_back(fmt::format("each draw is of {} rows in the proportions of the table's {}", drawn_.each,
                                  *rows_.rows));
    if (!rows_.rows)
      notes.push_back(fmt::format(
          "the plan does not count rows: before are its frequencies, and a release is one of {} rows",
          drawn_.each));
    if (columns_.all().size() > ComparedColumns::kMostAssociated)
      notes.push_back(fmt::format("associations are those of the first {} columns and the secret",
                                  ComparedColumns::kMostAssociated - 1));
    if (!scenario_.source) return;
    const Source& source = *scenario_.source;
    if (source.weight)
      notes.emplace_back(
          "shares are weighted; how much a release differs is computed as if all rows had the same weight");
    if (source.has_strata() && !source.left_out.empty())
      notes.emplace_back(
          "people of small groups of the known columns are not released, and not counted here");
    if (source.has_strata() && !source.merged.empty())
      notes.emplace_back("people of small groups of the known columns are released without them: left blank");
    if (scenario_.rows_per_person() > 1)
      notes.emplace_back("people have several rows: each counts as often as it is released");
    if (source.missing == Missing::kDrop)
      notes.emplace_back("rows with a missing field are not released, and not counted here");
  }

  const Scenario& scenario_;
  const PlanRows rows_;
  const DrawnRows drawn_;
  const std::vector<double> ones_;
  std::vector<double> first_, second_;  // the draws of either half
  ComparedColumns columns_;
};

}  // namespace

Preview preview_of(const Plan& plan, const PreviewOptions& options) {
  if (options.draws && (*options.draws < 1 || *options.draws > kMostDraws))
    throw usage(fmt::format("--draws: this must be from 1 to {}", kMostDraws), "leave it out, or write 20");
  if (options.sample > kMostSampleRows)
    throw usage(fmt::format("--rows: this must be at most {}", kMostSampleRows), "leave it out, or write 10");
  Preview preview = PreviewMaker(plan, options).make(options);
  preview.leakage = options.leakage ? *options.leakage : leakage_of(plan.scenario, plan.mechanism);
  std::optional<PreviewSample> rows;
  if (options.table || options.arrow) {
    rows = options.arrow ? sample_of_table(plan, *options.arrow, options.sample)
                         : sample_of_table(plan, *options.table, options.sample);
    if (!rows)
      preview.notes.emplace_back(
          "rows of each person are drawn first: the rows shown are drawn from the plan");
  }
  preview.sample = rows ? std::move(*rows) : sample_of_plan(plan, options.sample);
  preview.sample.secret_released = plan.scenario.source && plan.scenario.source->releases_secret();
  return preview;
}

}  // namespace fugu::inline in_preview
