#include "fugu/plan/statement.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json_read.h"
#include "fugu/law/promise_words.h"
#include "fugu/plan/left_out_rows.h"
#include "fugu/plan/one_row.h"
#include "fugu/plan/swap_facts.h"
#include "fugu/scenario/scenario_json.h"
#include "fugu/scenario/shape.h"

namespace fugu::inline in_plan {
namespace {

// "race, sex"; "column 9" where the table has no header.
std::string columns_words(const Scenario& scenario) {
  if (!scenario.source || scenario.source->published.empty()) return "The released values";
  return fmt::format("The released values of {}", listed(*scenario.source, scenario.source->published));
}

std::string secret_words(const Scenario& scenario) {
  const bool named = scenario.source && !scenario.source->secret.empty();
  const std::string two =
      named ? "two values of " + listed(*scenario.source, scenario.source->secret) : "two secrets";
  return scenario.pairs.is_all() ? two : two + " that are a listed pair";
}

std::string guarantee_sentence(const Scenario& scenario) {
  const auto [epsilon, delta] = scenario.stated();
  if (!delta.is_zero()) {
    return fmt::format("{} are private about {} with epsilon {} and delta {}: {}.", columns_words(scenario),
                       secret_words(scenario), epsilon.text(), delta.text(), in_words(epsilon, delta));
  }
  if (scenario.is_of_belief()) {
    const bool named = scenario.source && !scenario.source->secret.empty();
    const std::string secret =
        named ? "a value of " + listed(*scenario.source, scenario.source->secret) : "a secret";
    const std::string nothing = void_words(scenario);
    return fmt::format(
        "{} make nobody who believes of the secrets what is stated below more than e^{} times "
        "as sure of {}{}: {}.{}",
        columns_words(scenario), epsilon.text(), secret,
        scenario.promised == Promise::kBeliefBothWays
            ? fmt::format(", nor less than e^-{} times as sure", epsilon.text())
            : "",
        in_words(scenario), nothing.empty() ? "" : fmt::format(" Of {} it does not say how sure.", nothing));
  }
  return fmt::format("{} change the odds between {} by a factor of at most e^{}: {}.",
                     columns_words(scenario), secret_words(scenario), epsilon.text(), in_words(scenario));
}

// A share in whole percent, rounded down.
int percent_down(double share) { return static_cast<int>(100 * share); }

std::string noise_sentence(const Plan& plan, bool new_data) {
  if (changes_nothing(plan.mechanism)) {
    return fmt::format("No noise was added: the {}values as they are keep this promise.",
                       is_shaped(plan.scenario) ? "shaped " : "");
  }
  if (std::holds_alternative<Channel>(plan.mechanism)) {
    return "Each value was replaced, independently of the others, by a draw from the row of weights that the "
           "channel given here has for it.";
  }
  if (std::holds_alternative<Swap>(plan.mechanism)) {
    return fmt::format(
        "Each {} was released as it is or, at random and independently of the others, as another that occurs "
        "in the {}{}{}.",
        plan.scenario.is_joint() ? "row of these columns" : "value",
        new_data ? "table that the plan was made from" : "table",
        plan.scenario.priors.front().known.empty() ? "" : " within its group of the known columns",
        new_data ? "" : fmt::format("; about {} % of them are as they were", percent_down(*plan.unchanged)));
  }
  if (const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism)) {
    std::vector<std::string> parts;
    for (size_t c = 0; c < joint->columns.size(); ++c) {
      parts.push_back(fmt::format("{} of scale {}, in steps of {}", column_name(plan.scenario, c),
                                  for_people(joint->columns[c].scale->value),
                                  to_text(plan.scenario.axes[c].lattice.step)));
    }
    return fmt::format("To each value of each column independent {} noise was added: to {}.",
                       joint->columns.front().family, fmt::join(parts, "; to "));
  }
  if (!plan.noise().scale) {
    return fmt::format(
        "To each value independent noise was added, drawn from the weights given here, in steps of {}; its "
        "mean "
        "square is {}.",
        to_text(plan.scenario.lattice.step), for_people(plan.mse));
  }
  return fmt::format(
      "To each value independent {} noise of scale {} was added, in steps of {}; its mean square is {}.",
      plan.noise().family, for_people(plan.noise().scale->value), to_text(plan.scenario.lattice.step),
      for_people(plan.mse));
}

std::vector<std::string> estimate_sentences(const Plan& plan, bool new_data) {
  const Scenario& scenario = plan.scenario;
  std::vector<std::string> result;
  if (changes_nothing(plan.mechanism)) {
    result.emplace_back(is_shaped(plan.scenario)
                            ? "The released values are the true ones, shaped as said here."
                            : "The released values are the true ones.");
  } else if (const Channel* channel = std::get_if<Channel>(&plan.mechanism)) {
    if (channel->is_unbiased()) {
      result.emplace_back(
          "The channel is unbiased: the mean of the released values estimates the true mean, with the mean "
          "of the "
          "rows' variances / n added to the variance of the mean of n values.");
    }
    result.emplace_back(
        "Frequencies are estimated by inverting the channel: the released frequencies are the true ones "
        "times "
        "the table of probabilities.");
  } else if (std::holds_alternative<Swap>(plan.mechanism) && new_data) {
    result.emplace_back(
        "The rows are others than those that trade places by this plan's flows: their counts do not estimate "
        "the "
        "true ones as they stand.");
  } else if (std::holds_alternative<Swap>(plan.mechanism)) {
    // Of small strata that were merged only the counts of all of them together stay.
    const bool known = scenario.source && !scenario.source->known.empty() && scenario.source->merged.empty();
    result.push_back(fmt::format(
        "On average as many rows became each row as ceased to be it: every count, share and cross "
        "table of the released columns{} estimates the true one{} as it stands, and nothing has to "
        "be undone.",
        known ? ", and of the known ones with them," : "",
        scenario.source && (!scenario.source->left_out.empty() || scenario.source->missing == Missing::kDrop)
            ? " of the rows that were not left out"
            : ""));
    result.emplace_back(
        "The variance that this adds to the count of any cell is at most twice the smaller of the cell's "
        "rows and "
        "the rows that changed.");
  } else if (const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism)) {
    const auto errors = column_errors(scenario, *joint);
    for (size_t c = 0; c < errors.size(); ++c) {
      result.push_back(scenario.column(c).clamps()
                           ? fmt::format("Values of {} beyond the ends of its range were set to them, so its "
                                         "noise is not centred there.",
                                         column_name(scenario, c))
                           : fmt::format("The noise of {} has mean 0: the mean of its released values "
                                         "estimates the true mean, with {} / n added to the variance of the "
                                         "mean of n values.",
                                         column_name(scenario, c), for_people(errors[c])));
    }
    result.emplace_back(
        "The noise of the columns is independent: joint frequencies are estimated by inverting the noise "
        "laws "
        "given here, one column after the other.");
  } else if (scenario.clamps()) {
    result.push_back(fmt::format(
        "Values beyond the {} were set to them, so the noise is not centred there: "
        "estimate frequencies by inverting the noise law, clamped in the same way.",
        scenario.source->shape().is_categorical() ? "first and the last category" : "ends of the range"));
  } else {
    result.push_back(
        fmt::format("The noise has mean 0: the mean of the released values estimates the true mean, with {} "
                    "/ n added to the variance "
                    "of the mean of n values.",
                    for_people(plan.mse)));
    result.emplace_back("Frequencies are estimated by inverting the noise law given here.");
  }
  if (is_shaped(plan.scenario) && !changes_nothing(plan.mechanism))
    result.emplace_back("What is estimated are the values as they were shaped before the noise.");
  return result;
}

Json bounds_to_json(const Scenario& scenario) {
  const auto [low, high] = scenario.range();
  return Json::array(
      {number_to_json(scenario.lattice.value(low)), number_to_json(scenario.lattice.value(high))});
}

// Where the released values of one column may lie, and what they are called.
void add_range(Json& json, const Scenario& column) {
  json.add("range", Json::string(column.clamps() ? "clamp" : "free"));
  if (column.clamps()) json.add("bounds", bounds_to_json(column));
  if (!column.source) return;
  const ColumnShape& shape = column.source->shape();
  if (shape.is_categorical()) json.add("labels", Json::strings(shape.labels));
  if (!shape.is_categorical() && !shape.reads.is_plain()) json.add("reads", reading_to_json(shape.reads));
}

// What was done to the values before the noise: all that tells the recipient what they are, but not which
// categories were rare.
Json public_shape(const ColumnShape& column) {
  if (!is_shaped(column)) return Json::null();
  Json json = Json::object();
  if (!column.map.empty()) json.add("mapped", Json::boolean(true));
  const Json whole = shape_to_json(column);
  for (const char* key : {"clip", "step", "bin", "edges"}) {
    if (const Json* part = whole.find(key)) json.add(key, *part);
  }
  if (!column.rare.empty()) json.add("rare_merged", Json::boolean(true));
  return json;
}

// Of several columns a list.
Json public_shapes(const Scenario& scenario) {
  if (!scenario.is_joint()) return public_shape(scenario.source->shape());
  Json shapes = Json::array();
  for (size_t c = 0; c < scenario.axes.size(); ++c)
    shapes.if_array()->push_back(public_shape(scenario.shape(c)));
  return shapes;
}

std::string range_words(const Scenario& column) {
  if (!column.has_range_of_people()) return "the range of the values";
  const uint64_t people = column.source->range_people, last = people % 10;
  const char* ending = people / 10 % 10 == 1 ? "th"
                       : last == 1           ? "st"
                       : last == 2           ? "nd"
                       : last == 3           ? "rd"
                                             : "th";
  return fmt::format("the range from the {0}{1} lowest to the {0}{1} highest person's value", people, ending);
}

// Which results were held within a range: of several columns one sentence for each that is held.
std::string clamp_sentence(const Plan& plan) {
  const Scenario& scenario = plan.scenario;
  if (!adds_noise(plan.mechanism) || changes_nothing(plan.mechanism)) return "";
  if (!scenario.is_joint())
    return scenario.clamps() ? fmt::format(" Results beyond {} were set to its ends.", range_words(scenario))
                             : "";
  std::string sentences;
  for (size_t c = 0; c < scenario.axes.size(); ++c) {
    const Scenario column = scenario.column(c);
    if (!column.clamps()) continue;
    sentences += fmt::format(" Results of {} beyond {} were set to its ends.", column_name(scenario, c),
                             range_words(column));
  }
  return sentences;
}

// What a recipient may know of rows that trade places: how many did, and what the columns are. Neither the
// flows nor what occurs.
Json public_swap(const Plan& plan, const Swap& swap) {
  const Scenario& scenario = plan.scenario;
  const SwapFacts facts = swap_facts(scenario, swap);
  // Shares that changed, in hundredths, rounded up.
  auto share = [](const Rational& value) {
    return number_to_json(Rational(-floor(Rational(-100 * value)), Integer(100)));
  };
  Json json = Json::object(), columns = Json::array();
  json.add("noise", Json::string("swap"));
  json.add("scale", Json::null());
  json.add("changed", share(1 - facts.unchanged));
  for (size_t c = 0; c < facts.changed.size(); ++c) {
    const Scenario column = scenario.is_joint() ? scenario.column(c) : scenario;
    Json one = Json::object();
    one.add("changed", share(facts.changed[c]));
    one.add("lattice", lattice_to_json(column.lattice));
    if (column.source && column.source->shape().is_categorical()) {
      one.add("labels", Json::strings(column.source->shape().labels));
    } else if (column.source && !column.source->shape().reads.is_plain()) {
      one.add("reads", reading_to_json(column.source->shape().reads));
    }
    columns.if_array()->push_back(std::move(one));
  }
  json.add("columns", std::move(columns));
  // Then counts by known columns are kept only of such strata together.
  if (scenario.source && !scenario.source->known.empty() && !scenario.source->merged.empty())
    json.add("strata_merged", Json::boolean(true));
  return json;
}

}  // namespace

std::vector<std::string> Statement::assumptions() const {
  std::vector<std::string> result = plan.assumptions;
  auto says = [&](const char* sentence) {
    return std::find(result.begin(), result.end(), sentence) != result.end();
  };
  if (drops && !says(kLeftOutRows)) result.emplace_back(kLeftOutRows);
  if (!says(kOrder)) result.emplace_back(kOrder);
  if (new_data) {
    const bool groups = plan.scenario.source && !plan.scenario.source->grouping().empty();
    result.push_back(
        fmt::format("{}: it is assumed that they follow the same laws, each with one of the same secrets{}.",
                    kOtherRows, groups ? " and in one of the same groups" : ""));
  }
  return result;
}

namespace {

// How many pairs there are tells how many secrets the table has, unless the owner lists them.
Json public_guarantee(const Plan& plan) {
  const Json guarantee = guarantee_to_json(plan);
  Json json = Json::object();
  for (const auto& [key, value] : *guarantee.if_object())
    json.add(key, key == "pairs" && plan.scenario.pairs.is_all() ? Json::null() : value);
  return json;
}

Json finished(const Statement& statement, Json columns, Json mechanism) {
  const Plan& plan = statement.plan;
  Json json = Json::object();
  json.add("fugu", Json::number(1LL));
  json.add("statement", Json::string(statement_text(statement)));
  json.add("guarantee", public_guarantee(plan));
  json.add("columns", std::move(columns));
  json.add("mechanism", std::move(mechanism));
  const Plan row = one_row(plan);
  if (is_shaped(row.scenario)) json.add("shape", public_shapes(row.scenario));
  json.add("assumptions", Json::strings(statement.assumptions()));
  json.add("estimate", Json::strings(estimate_sentences(row, statement.new_data)));
  return json;
}

}  // namespace

Json statement_to_json(const Statement& statement) {
  const Plan& plan = statement.plan;
  check_publishable(plan, statement.publish_min);
  const Scenario& scenario = plan.scenario;
  Json columns = Json::object();
  columns.add("secret",
              Json::strings(scenario.source ? scenario.source->secret : std::vector<std::string>{}));
  columns.add("public",
              Json::strings(scenario.source ? scenario.source->published : std::vector<std::string>{}));
  columns.add("given", Json::strings(scenario.source ? scenario.source->given : std::vector<std::string>{}));
  columns.add("known", Json::strings(scenario.source ? scenario.source->known : std::vector<std::string>{}));
  columns.add("kept", Json::strings(statement.kept));
  columns.add("kept_unprotected", Json::strings(statement.kept_unprotected));

  if (const Swap* swap = std::get_if<Swap>(&plan.mechanism)) {
    return finished(statement, std::move(columns), public_swap(plan, *swap));
  }
  const Plan row = one_row(plan);
  Json mechanism = mechanism_to_json(row.mechanism, row.scenario.lattice);
  // The error of noise is the noise's own; that of a channel also depends on how often each value occurs.
  if (adds_noise(plan.mechanism)) mechanism.add("mse", Json::number(plan.mse));
  if (row.scenario.is_joint()) {
    add_column_facts(mechanism, row);
    for (auto& [key, value] : *mechanism.if_object()) {
      for (size_t c = 0; key == "columns" && c < value.if_array()->size(); ++c)
        add_range(value.if_array()->at(c), row.scenario.column(c));
    }
  } else {
    mechanism.add("lattice", lattice_to_json(row.scenario.lattice));
    add_range(mechanism, row.scenario);
  }

  return finished(statement, std::move(columns), std::move(mechanism));
}

std::string statement_text(const Statement& statement) {
  const Plan& plan = statement.plan;
  const Plan row = one_row(plan);
  std::string text =
      guarantee_sentence(plan.scenario) + " " + noise_sentence(row, statement.new_data) + clamp_sentence(row);
  for (const std::string& assumption : statement.assumptions()) text += " " + assumption;
  auto as_they_are = [](const std::vector<std::string>& names) {
    const bool one = names.size() == 1;
    return fmt::format(" The column{} {} {} released as {}", one ? "" : "s", fmt::join(names, ", "),
                       one ? "was" : "were", one ? "it is" : "they are");
  };
  if (!statement.kept.empty()) {
    text +=
        as_they_are(statement.kept) +
        (statement.kept.size() == 1
             ? ", and the promise holds for whoever sees it: the released values add no more than this to "
               "what this column says of the secret by itself."
             : ", and the promise holds for whoever sees them: the released values add no more than this "
               "to what these columns say of the secret by themselves.");
  }
  if (!statement.kept_unprotected.empty()) {
    text += as_they_are(statement.kept_unprotected) +
            (statement.kept_unprotected.size() == 1
                 ? ", and nothing is promised about what it says of the secret."
                 : ", and nothing is promised about what they say of the secret.");
  }
  return text;
}

}  // namespace fugu::inline in_plan
