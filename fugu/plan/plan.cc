#include "fugu/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/json.h"
#include "fugu/law/normal_law.h"
#include "fugu/law/promise_words.h"
#include "fugu/plan/left_out_rows.h"
#include "fugu/plan/statement.h"
#include "fugu/scenario/domain.h"
#include "fugu/scenario/further_priors.h"

namespace fugu::inline in_plan {
namespace {

std::string people(uint64_t count) { return count == 1 ? "1 person" : fmt::format("{} people", count); }
std::string groups_words(size_t count) { return count == 1 ? "1 group" : fmt::format("{} groups", count); }

// Published with the assumptions: how many groups there are, but not which.
std::vector<std::string> given_sentences(const Source& source, bool merges) {
  if (source.given.empty()) return {};
  std::vector<std::string> result;
  std::vector<std::string> columns = source.given;
  if (!source.header)
    for (std::string& column : columns) column.insert(0, "column ");
  result.push_back(fmt::format(
      "The first prior is the whole table; each group of people who agree in {} is a prior of its own if it "
      "has at least {} with each secret. So someone who knows {} about a person is covered; what that says "
      "of "
      "the secret by itself is not hidden.",
      fmt::join(columns, " and "), people(source.min_group),
      columns.size() == 1 ? "this" : "all of this, or none of it,"));
  if (!source.merged.empty()) {
    result.push_back(
        fmt::format("{} had fewer and were merged into one prior: someone who knows which of them a person "
                    "belongs to is not covered.",
                    groups_words(source.merged.size())));
  }
  if (!source.left_out.empty()) {
    result.push_back(fmt::format(
        "{} had fewer{}, and {} part of the first prior only: someone who "
        "knows that a person belongs to {} is not covered.",
        groups_words(source.left_out.size()), merges ? ", also when taken together" : "",
        source.left_out.size() == 1 ? "is" : "are", source.left_out.size() == 1 ? "it" : "one of them"));
  }
  return result;
}

// "age", "age and race", "age, race and region"; without a header "column 3 and column 4".
std::string columns_in_words(const Source& source, std::vector<std::string> columns) {
  if (!source.header)
    for (std::string& column : columns) column.insert(0, "column ");
  const std::string last = columns.back();
  columns.pop_back();
  return columns.empty() ? last : fmt::format("{} and {}", fmt::join(columns, ", "), last);
}

// Published like those of given columns: how many groups there are, but not which.
std::vector<std::string> known_sentences(const Source& source, bool merges) {
  if (!source.has_strata()) return {};
  const bool one = source.known.size() == 1;
  std::vector<std::string> result;
  result.push_back(fmt::format(
      "Somebody may know {} of a person: {} written as {}, and the promise holds within each group of "
      "people who agree in {}, if it has at least {} with each secret. What {} of the secret by {} is not "
      "hidden, nor is which groups have as many.",
      columns_in_words(source, source.known), one ? "it is" : "they are", one ? "it is" : "they are",
      one ? "it" : "them", people(source.min_group), one ? "it says" : "they say",
      one ? "itself" : "themselves"));
  if (!source.merged.empty()) {
    const bool single = source.merged.size() == 1;
    result.push_back(
        fmt::format("{} had fewer and {} one group together, whose rows are written without {}: somebody who "
                    "knows that a "
                    "person is among them is covered, somebody who knows {} is not.",
                    groups_words(source.merged.size()), single ? "makes" : "make",
                    columns_in_words(source, source.known), single ? "in which group" : "in which of them"));
  }
  if (!source.left_out.empty()) {
    const bool single = source.left_out.size() == 1;
    result.push_back(fmt::format("{} had fewer{}: the rows of {} people are not released.",
                                 groups_words(source.left_out.size()),
                                 merges ? ", also when taken together" : "", single ? "its" : "their"));
  }
  result.emplace_back(
      "Not covered is somebody who knows a person's true value in a released column, or this table's exact "
      "counts. That a person is in the table, and which row is whose, is not hidden.");
  return result;
}

// What the beliefs beside the table's own are, in words.
std::vector<std::string> further_sentences(const Scenario& scenario) {
  std::vector<std::string> result;
  const char* where = scenario.source->has_strata() ? "in the group" : "in the table";
  for (const std::string& text : scenario.source->also) {
    const auto belief = belief_named(text);
    if (!belief) continue;  // which the verifier does not accept
    result.push_back(
        belief->kind == Belief::kIndependent
            ? fmt::format("Covered too is a belief that the released columns are independent of each other "
                          "given the secret, each with its own frequencies, restricted to the rows that "
                          "occur {}.",
                          where)
            : fmt::format("Covered too is a belief that counts every row that occurs {}, with every secret, "
                          "by {} more.",
                          where, to_text(belief->more)));
  }
  return result;
}

// How the rows were drawn, where a confidence rests on it.
std::string draws_words(const Sampling& sampling) {
  if (sampling.kind != Sampling::Kind::kPart) {
    return "The rows are independent draws, as with replacement, from those that the guarantee is about (not "
           "a "
           "part of a small population drawn without replacement)";
  }
  return fmt::format(
      "The rows are people drawn without replacement, every choice of as many equally likely, from the "
      "population "
      "that the guarantee is about, {}",
      sampling.population.empty()
          ? fmt::format("{} people with whatever number of them with each secret", sampling.total)
          : fmt::format("which has {} people with the secrets as they are listed",
                        fmt::join(sampling.population, ", ")));
}

std::string bounds_words(BoundKind kind) {
  switch (kind) {
    case BoundKind::kBand:
      return "the share of people up to each value has bounds";
    case BoundKind::kBoth:
      return "each cell, zero counts included, has bounds, the share of people up to each value has bounds,";
    default:
      return "each cell, zero counts included, has bounds";
  }
}

constexpr const char* kCensusSentence =
    "The table is the whole population that the guarantee is about: its frequencies are the truth by "
    "definition.";

std::string belief_sentence(const Scenario& scenario) {
  if (scenario.confidence) {
    return fmt::format(
        "{}: with confidence {} it holds for every belief that the counts allow on the values that can "
        "occur, where "
        "{} and all bounds hold at once.",
        draws_words(scenario.sampling), to_text(*scenario.confidence), bounds_words(scenario.bounded_by));
  }
  if (scenario.rows_per_person() > 1) {
    return fmt::format(
        "The adversary's belief about a person's released rows given each secret is the prior of the people "
        "of whom as many rows are released, taken as the truth; there are {} such numbers of rows.",
        scenario.priors.size());
  }
  if (scenario.source && scenario.source->has_strata()) {
    return fmt::format(
        "The adversary's belief about the value given each secret is {} of the person's group; there are {} "
        "such groups.",
        scenario.source->also.empty() ? "the prior" : "one of the priors", scenario.own_priors().size());
  }
  if (scenario.priors.size() > 1) {
    return fmt::format(
        "The adversary's belief about the value given each secret is one of the {} priors of the scenario.",
        scenario.priors.size());
  }
  return fmt::format(
      "The adversary's belief about the value given each secret is the prior {}, taken as the truth.",
      Json::string(scenario.priors[0].name).canonical());  // quotes in a name are no ends of it
}

// What a confidence takes for granted about the values that can occur.
std::string domain_sentence(const Scenario& scenario) {
  const std::vector<int64_t> domain = domain_of(scenario);
  switch (domain_kind(scenario)) {
    case DomainKind::kCategories:
      return fmt::format("No category can occur other than the {} that are listed.", domain.size());
    case DomainKind::kEdges:
      return fmt::format(
          "The values that can occur are the {} ranges between the edges, which were chosen without regard "
          "to the rows.",
          domain.size());
    case DomainKind::kPoints:
      return fmt::format(
          "The values that can occur are the {} from {} to {} in steps of {}, which were chosen without "
          "regard to the rows.",
          domain.size(), short_text(scenario.lattice.value(domain.front())),
          short_text(scenario.lattice.value(domain.back())), short_text(scenario.lattice.step));
    case DomainKind::kRange:
      return fmt::format(
          "The values that can occur are the {} from {} to {} in steps of {}: the range was chosen without "
          "regard "
          "to the rows, and that no value lies between these points is taken from them.",
          domain.size(), short_text(scenario.lattice.value(domain.front())),
          short_text(scenario.lattice.value(domain.back())), short_text(scenario.lattice.step));
    default:
      return fmt::format("No value can occur other than the {} that are listed.", domain.size());
  }
}

// "5", "3 months".
std::string amount(const Reading& reads, const Rational& width) {
  if (!reads.date) return short_text(width);
  return fmt::format("{} {}{}", short_text(width), word_of(reads.date->unit), width == 1 ? "" : "s");
}

std::string clip_sentence(const ColumnShape& column, const std::string& whose, bool laws) {
  auto bound = [&](const Rational& end) {
    return column.reads.is_plain() ? short_text(end) : column.reads.text(end);
  };
  return fmt::format("{}alues{} are held between {} and {}{} before noise is added.",
                     laws ? "Given a secret, a value follows the normal law, or the mixture of "
                            "normal laws, that the prior states, wherever it states one; v"
                          : "V",
                     whose, bound(column.clip->first), bound(column.clip->second),
                     column.step
                         ? fmt::format(" and moved to the nearest point of a lattice with steps of {}",
                                       short_text(*column.step))
                         : "");
}

std::string bins_sentence(const ColumnShape& column, const std::string& whose) {
  if (!column.edges.empty()) {
    return fmt::format(
        "Of each {}{} only between which of the edges it lies is released; the promise is about that.",
        column.reads.date ? "date" : "number", whose);
  }
  return fmt::format(
      "Values{} are put into bins of {}, and each becomes the middle of its bin before noise is added; the "
      "promise is about that.",
      whose, amount(column.reads, column.bin->width));
}

// What was done to a column's values; `whose` is empty where there is no other column.
void add_shape_sentences(const ColumnShape& column, const std::string& whose, bool laws,
                         std::vector<std::string>& result) {
  if (!column.map.empty())
    result.push_back(fmt::format("Texts{} are replaced by those of a map before anything else.", whose));
  if (column.reads.date) {
    const char* unit = word_of(column.reads.date->unit);
    const bool days = column.reads.date->unit == DateUnit::kDay;
    result.push_back(
        fmt::format("Dates{} are counted in {}s{}; the time of day is not read.", whose, unit,
                    days ? "" : fmt::format(", and a released date is the first day of its {}", unit)));
  }
  if (column.clip) result.push_back(clip_sentence(column, whose, laws));
  if (column.bin || !column.edges.empty()) result.push_back(bins_sentence(column, whose));
  if (!column.rare.empty())
    result.push_back(fmt::format("Categories{} of few people are released as one, {}.", whose, kRareLabel));
}

std::string closeness_sentence(const Scenario& scenario) {
  std::string sentence = fmt::format(
      "A belief that is near a prior is covered too: one that gives every value, under every secret, at most "
      "e^{0} times and at least e^-{0} times the probability that the prior gives it.",
      short_text_down(scenario.lambda()));
  if (scenario.closeness->by == Closeness::By::kBoxes) return sentence;
  std::string budget = "epsilon " + scenario.epsilon.text();
  if (!scenario.delta.is_zero()) budget += " and delta " + scenario.delta.text();
  return sentence + " For that the priors themselves are held to " + budget + ".";
}

// What is assumed of several rows, published like all assumptions: no number of people, and no seed.
std::string rows_sentence(const Scenario& scenario) {
  if (scenario.source && scenario.source->person) {
    const std::string column = scenario.source->header ? scenario.source->person->column
                                                       : "column " + scenario.source->person->column;
    if (scenario.rows_per_person() == 1) {
      return fmt::format(
          "One row of each person, told by {}, was drawn at random, and the promise is about that row; rows "
          "of different people are independent given the prior.",
          column);
    }
    return fmt::format(
        "Up to {} rows of each person, told by {}, were drawn at random, and the promise is about all "
        "released rows of a person together, given how many they are: it holds for whoever knows which rows "
        "belong together, if they were released in random order. How many they are is not hidden, nor what "
        "that says of the secret; about rows that were not drawn nothing is promised. Rows of different "
        "people are independent given the prior.",
        scenario.rows_per_person(), column);
  }
  if (scenario.source && scenario.source->rows_independent) {
    return "Rows are independent given the prior: the owner says that they are of different people, or "
           "independent.";
  }
  return "Rows are independent given the prior; a person in two rows is released twice.";
}

// Which numbers of rows are released; of how many people is not said.
std::string numbers_sentence(const Scenario& scenario) {
  const Source& source = *scenario.source;
  std::string sentence = fmt::format(
      "A number of rows is released if at least {} with each secret have as many; a person with another "
      "number has the next lower one released.",
      people(source.min_group));
  if (!source.left_out.empty()) sentence += " People who have fewer rows than any of these are left out.";
  return sentence + " Who knows how many rows a person had before is not covered.";
}

std::string weights_sentence(const Scenario& scenario) {
  std::vector<std::string> weights;
  for (size_t c = 0; c < scenario.released_columns(); ++c)
    weights.push_back(short_text(scenario.axes[c].weight));
  return fmt::format(
      "The columns are released together, once; their noise is independent, of one scale times the weights "
      "{}, "
      "which are public like the noise itself.",
      fmt::join(weights, " and "));
}

}  // namespace

std::string listed(const Source& source, std::vector<std::string> names) {
  for (std::string& name : names) {
    if (!source.header) name = "column " + name;
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string column_name(const Scenario& scenario, size_t axis) {
  if (scenario.rows_per_person() > 1) {
    const size_t columns = scenario.released_columns();
    return fmt::format("{} of row {}", listed(*scenario.source, {scenario.source->published[axis % columns]}),
                       axis / columns + 1);
  }
  if (!scenario.source || axis >= scenario.source->published.size())
    return fmt::format("column {}", axis + 1);
  return listed(*scenario.source, {scenario.source->published[axis]});
}

namespace {

std::string without_known_columns(const Scenario& scenario) {
  Integer rows(0);
  for (const Prior* prior : scenario.own_priors()) {
    if (prior->known != std::vector<std::string>{kOtherGroups}) continue;
    for (const Distribution& secret : prior->by_secret) rows += secret.total();
  }
  return fmt::format(
      "merged into the group (other), whose {} {} released without the known columns and not covered against "
      "who knows them",
      rows.str(), rows == 1 ? "row is" : "rows are");
}

}  // namespace

namespace {

// Beside what the assumptions say: a statement names these secrets.
std::vector<std::string> void_notes(const Scenario& scenario) {
  const std::string nothing = void_words(scenario);
  if (nothing.empty()) return {};
  return {
      fmt::format("the promise in belief says nothing of {}, whose share is at least e^-epsilon; a "
                  "statement says so, too",
                  nothing)};
}

}  // namespace

std::vector<std::string> notes_of(const Scenario& scenario) {
  if (!scenario.source) return void_notes(scenario);
  std::vector<std::string> result = dropped_notes(scenario);
  for (std::string& one : void_notes(scenario)) result.push_back(std::move(one));
  auto note = [&](const char* what, const std::vector<std::string>& groups) {
    if (!groups.empty()) {
      result.push_back(fmt::format("{} with fewer than {} with some secret, {}: {}",
                                   scenario.rows_per_person() > 1 ? "numbers of rows" : "groups",
                                   people(scenario.source->min_group), what, fmt::join(groups, "; ")));
    }
  };
  const bool strata = scenario.source->has_strata();
  if (scenario.rows_per_person() > 1) {
    note("whose people have fewer of their rows released", scenario.source->merged);
    note("whose people are left out", scenario.source->left_out);
    return result;
  }
  note(strata ? without_known_columns(scenario).c_str() : "merged into the prior (other)",
       scenario.source->merged);
  note(strata ? "left out, so that their rows are not released"
              : "left out as priors of their own, so that who knows that a person is in one is not covered",
       scenario.source->left_out);
  for (const Prior& prior : scenario.priors) {
    for (size_t s = 0; s < prior.laws.size(); ++s) {
      if (prior.laws[s]) {
        result.push_back(fmt::format("prior \"{}\", secret '{}': the value is {}", prior.name,
                                     scenario.secrets[s], in_words(*prior.laws[s])));
      }
    }
  }
  return result;
}

namespace {

// Whom rows that trade places do not cover (docs/tables.md), where that is not said of known columns. Whoever
// knows all of a row learns nothing more from it.
std::vector<std::string> swap_sentences(const Scenario& scenario) {
  if (scenario.source && scenario.source->has_strata()) return {};
  const bool given = scenario.source && !scenario.source->given.empty();
  const std::string column =
      fmt::format("a person's true value in a released column that is not declared known{}, or ",
                  given ? " or given" : "");
  return {fmt::format(
      "Not covered is somebody who knows {}this table's exact counts: the plan holds them, and is as "
      "private as the table. That a person is in the table, and which row is whose, is not hidden.",
      scenario.is_joint() ? column : "")};
}

std::vector<std::string> assumptions(const Scenario& scenario, bool trades) {
  std::vector<std::string> result{belief_sentence(scenario)};
  if (scenario.sampling.kind == Sampling::Kind::kCensus) result.emplace_back(kCensusSentence);
  if (scenario.confidence) result.push_back(domain_sentence(scenario));
  if (scenario.source) {
    for (std::string& sentence : given_sentences(*scenario.source, !scenario.confidence))
      result.push_back(std::move(sentence));
    for (std::string& sentence : known_sentences(*scenario.source, !scenario.confidence))
      result.push_back(std::move(sentence));
    for (std::string& sentence : further_sentences(scenario)) result.push_back(std::move(sentence));
  }
  const size_t columns = scenario.source ? scenario.source->columns.size() / scenario.rows_per_person() : 0;
  for (size_t c = 0; c < columns; ++c) {
    const std::string whose = columns == 1 ? ""
                              : scenario.rows_per_person() == 1
                                  ? " of " + column_name(scenario, c)
                                  : " of " + listed(*scenario.source, {scenario.source->published[c]});
    add_shape_sentences(scenario.shape(c), whose, scenario.has_laws(), result);
  }
  if (scenario.source && scenario.source->missing == Missing::kDrop) result.emplace_back(kLeftOutRows);
  if (scenario.closeness) result.push_back(closeness_sentence(scenario));
  if (scenario.released_columns() > 1 && !trades) result.push_back(weights_sentence(scenario));
  if (scenario.source && scenario.source->weight) {
    result.push_back(fmt::format("Frequencies are weighted: each row counts by its number in {}.",
                                 scenario.source->header ? scenario.source->weight->column
                                                         : "column " + scenario.source->weight->column));
  }
  result.push_back(rows_sentence(scenario));
  if (scenario.rows_per_person() > 1) result.push_back(numbers_sentence(scenario));
  result.push_back("Each value is released once; further releases of the same value add to the loss.");
  for (std::string& sentence : promise_sentences(scenario)) result.push_back(std::move(sentence));
  result.push_back(
      scenario.is_of_belief()   ? void_words(scenario).empty()
                                      ? "Every secret is protected, each by itself."
                                      : "Every other secret is protected, each by itself."
      : scenario.pairs.is_all() ? "Every pair of secrets is protected."
      : scenario.pair_count() == 1
          ? "Only the one listed pair of secrets is protected."
          : fmt::format("Only the {} listed pairs of secrets are protected.", scenario.pair_count()));
  if (trades) {
    for (std::string& sentence : result) {
      constexpr std::string_view kNoiseWords = "before noise is added";
      const size_t at = sentence.find(kNoiseWords);
      if (at != std::string::npos) sentence.replace(at, kNoiseWords.size(), "before rows trade places");
    }
    result.emplace_back(kOrder);
    for (std::string& sentence : swap_sentences(scenario)) result.push_back(std::move(sentence));
  }
  return result;
}

}  // namespace

std::vector<std::string> assumptions_of(const Scenario& scenario) { return assumptions(scenario, false); }

std::vector<std::string> assumptions_of(const Plan& plan) {
  return assumptions(plan.scenario, std::holds_alternative<Swap>(plan.mechanism));
}

}  // namespace fugu::inline in_plan
