#include "fugu/report/estimate_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "fugu/core/json_read.h"
#include "fugu/report/cross_text.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

std::string two_digits(double share) { return fmt::format("{:.2f} %", 100 * share + 0.0); }

std::string value_words(const PublishedColumn& column, int64_t first, int64_t last) {
  const std::string from = printable(column.text(first));
  return first == last ? from : fmt::format("{} … {}", from, printable(column.text(last)));
}

// As many digits as the bounds are worth.
std::string worth(double value, const Bounded& bounds) {
  const double width = bounds.high - bounds.low;
  if (width < 1e-9) return for_people(value, 8);
  const int places = std::clamp(static_cast<int>(std::ceil(-std::log10(width))) + 1, 0, 12);
  return fmt::format("{:.{}f}", value, places);
}

// The same of dates, and outward: the bounds lie within these days.
std::string mean_words(const PublishedColumn& column, const Bounded& mean, const std::string& sure) {
  auto words = [&](double value, double rounded) {
    return column.reads.date ? column.reads.text(Rational(rounded)) : worth(value, mean);
  };
  return fmt::format("{}, {} that it is {} to {}", words(mean.value, std::round(mean.value)), sure,
                     words(mean.low, std::floor(mean.low)), words(mean.high, std::ceil(mean.high)));
}

// Without the bins at either end that are as good as empty.
std::span<const Share> worth_showing(const std::vector<Share>& shares) {
  auto shows = [](const Share& share) { return share.likely >= 5e-5 || share.share.high >= 0.01; };
  const auto first = std::find_if(shares.begin(), shares.end(), shows);
  const auto last = std::find_if(shares.rbegin(), shares.rend(), shows).base();
  return first < last ? std::span(first, last) : std::span(shares);
}

std::string shares_text(const PublishedColumn& column, const Estimate& estimate, const std::string& sure) {
  const auto shown = column.is_categorical() ? std::span(estimate.shares) : worth_showing(estimate.shares);
  size_t wide = 5;
  for (const Share& share : shown)
    wide = std::max(wide, text_width(value_words(column, share.first, share.last)));
  std::string out =
      fmt::format("\n  value{}  likeliest    inverted    {} that it is\n", std::string(wide - 5, ' '), sure);
  for (const Share& share : shown) {
    const std::string words = value_words(column, share.first, share.last);
    out +=
        fmt::format("  {}{}  {:>9}  {:>10}    {} to {}\n", words, std::string(wide - text_width(words), ' '),
                    two_digits(share.likely), two_digits(share.share.value), two_digits(share.share.low),
                    two_digits(share.share.high));
  }
  return out;
}

Json bounded_to_json(const Bounded& bounds) {
  Json json = Json::object();
  json.add("value", Json::number(bounds.value));
  json.add("low", Json::number(bounds.low));
  json.add("high", Json::number(bounds.high));
  return json;
}

Json value_to_json(const PublishedColumn& column, int64_t index) {
  return column.is_categorical() ? Json::string(column.text(index))
                                 : value_to_json(column.reads, column.lattice.value(index));
}

}  // namespace

std::string estimate_text(const PublishedColumn& column, const Estimate& estimate,
                          const EstimateOptions& options, const std::string& name) {
  std::string out = fmt::format("{}{} released{}\n", name.empty() ? "" : printable(name) + ": ",
                                counted(estimate.rows, "row"),
                                column.name.empty() ? "" : ", column " + printable(column.name));
  const std::string sure = fmt::format("{} % sure", for_people(100 * options.confidence, 12));
  if (estimate.mean) out += field("mean", mean_words(column, *estimate.mean, sure));
  for (const Quantile& quantile : estimate.quantiles) {
    out += field(fmt::format("{} %", to_text(Rational(quantile.level * 100))),
                 fmt::format("{}, {} that it is {} to {}", column.text(quantile.value), sure,
                             column.text(quantile.low), column.text(quantile.high)));
  }
  if (!estimate.shares.empty()) out += shares_text(column, estimate, sure);
  for (const std::string& note : estimate.notes) out += field("note", printable(note));
  return out;
}

Json estimate_to_json(const PublishedColumn& column, const Estimate& estimate, const std::string& name) {
  Json json = Json::object();
  json.add("column", column.name.empty() ? Json::null() : Json::string(column.name));
  json.add("group", name.empty() ? Json::null() : Json::string(name));
  json.add("rows", Json::number(static_cast<long long>(estimate.rows)));
  json.add("mean", estimate.mean ? bounded_to_json(*estimate.mean) : Json::null());
  Json quantiles = Json::array();
  for (const Quantile& quantile : estimate.quantiles) {
    Json entry = Json::object();
    entry.add("level", number_to_json(quantile.level));
    entry.add("value", value_to_json(column, quantile.value));
    entry.add("low", value_to_json(column, quantile.low));
    entry.add("high", value_to_json(column, quantile.high));
    quantiles.if_array()->push_back(std::move(entry));
  }
  json.add("quantiles", std::move(quantiles));
  Json shares = Json::array();
  for (const Share& share : estimate.shares) {
    Json entry = Json::object();
    entry.add("from", value_to_json(column, share.first));
    entry.add("to", value_to_json(column, share.last));
    entry.add("share", bounded_to_json(share.share));
    entry.add("likeliest", Json::number(share.likely));
    shares.if_array()->push_back(std::move(entry));
  }
  json.add("shares", std::move(shares));
  json.add("notes", Json::strings(estimate.notes));
  return json;
}

std::string answer_text(const EstimateAnswer& answer) {
  if (const CrossTables* tables = std::get_if<CrossTables>(&answer)) return cross_text(*tables);
  std::string text;
  for (const Estimated& found : std::get<std::vector<Estimated>>(answer))
    text +=
        (text.empty() ? "" : "\n") + estimate_text(found.column, found.estimate, found.options, found.group);
  return text;
}

Json answer_to_json(const EstimateAnswer& answer) {
  if (const CrossTables* tables = std::get_if<CrossTables>(&answer)) return cross_to_json(*tables);
  const auto& estimated = std::get<std::vector<Estimated>>(answer);
  Json estimates = Json::array();
  for (const Estimated& found : estimated)
    estimates.if_array()->push_back(estimate_to_json(found.column, found.estimate, found.group));
  const EstimateOptions& options = estimated.front().options;
  Json result = Json::object();
  result.add("confidence", Json::number(options.confidence));
  result.add("of", Json::string(options.population ? "population" : "table"));
  result.add("estimates", std::move(estimates));
  return result;
}

}  // namespace fugu::inline in_report
