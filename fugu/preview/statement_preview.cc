#include "fugu/preview/statement_preview.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fugu/core/json_read.h"
#include "fugu/estimate/estimate.h"
#include "fugu/estimate/noise_law.h"
#include "fugu/estimate/response.h"
#include "fugu/estimate/swap_bounds.h"
#include "fugu/plan/published.h"

namespace fugu::inline in_preview {
namespace {

constexpr size_t kMostCategories = 64;  // of which an example is computed
constexpr double kMiss = (1 - kExampleConfidence) / 2;

double stays(const Noise& noise) {
  return static_cast<double>(Rational(noise.weights[noise.weights.size() / 2]) / total_weight(noise));
}

// At least, whatever the value is.
double stays(const Channel& channel) {
  Rational least(1);
  for (size_t k = 0; k < channel.inputs.size(); ++k) {
    const auto found = std::lower_bound(channel.outputs.begin(), channel.outputs.end(), channel.inputs[k]);
    if (found == channel.outputs.end() || *found != channel.inputs[k]) return 0;
    const auto same = static_cast<size_t>(found - channel.outputs.begin());
    least = std::min(least, Rational(channel.weights[k][same], channel.row_total(k)));
  }
  return static_cast<double>(least);
}

// What a released table would hold on average where a tenth of the rows have the value in the middle, and the
// others all other values equally often.
ReleasedCounts example_of(const Response& response, const std::vector<int64_t>& outputs, size_t middle) {
  const auto values = static_cast<Eigen::Index>(response.domain().size());
  const auto rows = static_cast<double>(kExampleRows), count = static_cast<double>(kExampleCount);
  Eigen::VectorXd truth = Eigen::VectorXd::Constant(values, (rows - count) / static_cast<double>(values - 1));
  truth(static_cast<Eigen::Index>(middle)) = count;
  const Eigen::VectorXd expected = response.table() * truth;
  ReleasedCounts counts;
  double sum = 0;
  uint64_t placed = 0;
  for (Eigen::Index y = 0; y < expected.size(); ++y) {
    sum += expected(y);
    const auto upto = std::min<uint64_t>(static_cast<uint64_t>(std::llround(sum)), kExampleRows);
    if (upto > placed) counts[outputs[static_cast<size_t>(y)]] = upto - placed;
    placed = std::max(placed, upto);
  }
  return counts;
}

std::optional<StatedColumn::Within> share_of(const PublishedColumn& column) {
  if (!column.is_categorical() || column.labels.size() < 2 || column.labels.size() > kMostCategories)
    return std::nullopt;
  std::vector<int64_t> domain(column.labels.size()), outputs;
  std::iota(domain.begin(), domain.end(), int64_t{1});
  if (const Channel* channel = std::get_if<Channel>(&column.mechanism)) {
    domain = channel->inputs;
    outputs = channel->outputs;
    if (domain.size() < 2) return std::nullopt;
  } else {
    outputs.resize(static_cast<size_t>(column.bounds->second - column.bounds->first + 1));
    std::iota(outputs.begin(), outputs.end(), column.bounds->first);
  }
  const size_t middle = domain.size() / 2;
  const Response response(column, domain);
  const Estimate found = estimate(column, example_of(response, outputs, middle), {});
  for (const Share& share : found.shares) {
    if (share.first <= domain[middle] && domain[middle] <= share.last)
      return StatedColumn::Within{share.share.low, share.share.high};
  }
  return std::nullopt;
}

StatedColumn stated(const PublishedColumn& column) {
  StatedColumn result{.name = column.name, .number = !column.is_categorical()};
  const Noise* noise = std::get_if<Noise>(&column.mechanism);
  result.unchanged = noise ? stays(*noise) : stays(std::get<Channel>(column.mechanism));
  result.share = share_of(column);
  if (!noise || !result.number) return result;
  const auto step = static_cast<double>(column.lattice.step);
  result.noise = std::sqrt(static_cast<double>(mean_square(*noise))) * step;
  if (column.bounds) return result;  // then the noise is not centred near the ends
  const SumReach reach = sum_reach(*noise, kExampleRows, kMiss);
  result.mean_off = std::max(reach.down, reach.up) / static_cast<double>(kExampleRows) * step;
  return result;
}

void add_swap(const PublishedSwap& swap, StatementPreview& preview) {
  preview.unchanged = static_cast<double>(Rational(1 - swap.changed));
  preview.known = swap.known;
  for (const PublishedSwap::Column& column : swap.columns) {
    StatedColumn& one = preview.columns.emplace_back();
    one.name = column.name;
    one.number = !column.is_categorical();
    if (swap.new_data) continue;  // then the shares are those of other rows
    one.unchanged = static_cast<double>(Rational(1 - column.changed));
    const Rational moved = std::min(column.changed, swap.changed) * Integer(kExampleRows);
    const CountBounds bounds =
        bounds_of_count(kExampleCount, kExampleRows, static_cast<double>(moved) * (1 + 1e-15), kMiss);
    one.share = {static_cast<double>(bounds.low) / static_cast<double>(kExampleRows),
                 static_cast<double>(bounds.high) / static_cast<double>(kExampleRows)};
  }
  if (swap.new_data) preview.unchanged.reset();
}

void add_columns(const Json& json, const std::string& place, StatementPreview& preview) {
  bool clamped = false;
  preview.unchanged = 1;
  for (const PublishedColumn& column : published_from_json(json, place)) {
    preview.columns.push_back(stated(column));
    *preview.unchanged *= *preview.columns.back().unchanged;
    clamped = clamped || (preview.columns.back().number && column.bounds);
  }
  if (clamped)
    preview.notes.emplace_back(
        "Numbers beyond a range were clamped to it: how far the mean may be off depends on the values.");
}

// A receipt holds the statement whole.
const Json& statement_of(const Json& json) {
  const Json* inside = json.find("statement");
  return inside && inside->if_object() ? *inside : json;
}

Json optional_to_json(const std::optional<double>& number) {
  return number ? Json::number(*number) : Json::null();
}

Json example_to_json() {
  Json json = Json::object();
  json.add("rows", Json::number(static_cast<long long>(kExampleRows)));
  json.add("confidence", Json::number(kExampleConfidence));
  return json;
}

Json column_to_json(const StatedColumn& column) {
  Json json = Json::object(), share = Json::null(), mean = Json::null();
  json.add("name", Json::string(column.name));
  json.add("kind", Json::string(column.number ? "number" : "category"));
  json.add("unchanged", optional_to_json(column.unchanged));
  json.add("noise", optional_to_json(column.noise));
  if (column.share) {
    share = example_to_json();
    share.add("true", Json::number(static_cast<double>(kExampleCount) / static_cast<double>(kExampleRows)));
    share.add("low", Json::number(column.share->low));
    share.add("high", Json::number(column.share->high));
  }
  if (column.mean_off) {
    mean = example_to_json();
    mean.add("within", Json::number(*column.mean_off));
  }
  json.add("share", std::move(share));
  json.add("mean", std::move(mean));
  return json;
}

}  // namespace

bool is_statement(const Json& json) { return json.find("statement") != nullptr; }

StatementPreview preview_of_statement(const Json& json, const std::string& place) {
  StatementPreview preview;
  if (const auto swap = published_swap_from_json(json, place)) {
    add_swap(*swap, preview);
  } else {
    add_columns(json, place, preview);
    if (const Json* known = need(statement_of(json), "columns", place).find("known"))
      preview.known = need_strings(*known, place + ".columns.known");
  }
  const Json& statement = statement_of(json);
  preview.promise = need_string(need(statement, "statement", place), place + ".statement");
  // What can be estimated, in the statement's own words.
  for (const std::string& sentence : need_strings(need(statement, "estimate", place), place + ".estimate"))
    preview.notes.push_back(sentence);
  const Json& guarantee = need(statement, "guarantee", place);
  preview.epsilon = need(guarantee, "epsilon", place + ".guarantee");
  preview.delta = need(guarantee, "delta", place + ".guarantee");
  preview.notes.emplace_back(
      "The statement does not say how often each value occurs, how columns go together, or how much of that "
      "is left. The owner's preview does.");
  preview.notes.emplace_back("It does not say whether a single person's row was changed.");
  return preview;
}

Json statement_preview_to_json(const StatementPreview& preview) {
  Json json = Json::object();
  json.add("fugu", Json::number(1LL));
  json.add("private", Json::boolean(false));
  json.add("promise", Json::string(preview.promise));
  json.add("epsilon", preview.epsilon);
  json.add("delta", preview.delta);
  json.add("unchanged", optional_to_json(preview.unchanged));
  json.add("known", Json::strings(preview.known));
  Json columns = Json::array();
  for (const StatedColumn& column : preview.columns) columns.if_array()->push_back(column_to_json(column));
  json.add("columns", std::move(columns));
  json.add("notes", Json::strings(preview.notes));
  return json;
}

}  // namespace fugu::inline in_preview
