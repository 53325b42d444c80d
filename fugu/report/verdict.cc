#include "fugu/report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fugu/plan/swap_facts.h"
#include "fugu/report/kept_words.h"
#include "fugu/show/wording.h"

namespace fugu::inline in_report {
namespace {

// Whether the mean of what is released is that of the values, of every column of numbers.
bool keeps_means(const Scenario& scenario, const Mechanism& mechanism) {
  if (changes_nothing(mechanism) || std::holds_alternative<Swap>(mechanism)) return true;
  if (const Channel* channel = std::get_if<Channel>(&mechanism)) return channel->is_unbiased();
  for (size_t c = 0; c < scenario.released_columns(); ++c) {
    const bool clamps = scenario.is_joint() ? scenario.column(c).clamps() : scenario.clamps();
    if (!scenario.shape(c).is_categorical() && clamps) return false;
  }
  return true;
}

std::string coarser_columns(const Scenario& scenario) {
  if (!scenario.source) return "";
  const auto& published = scenario.source->published;
  bool coarser = false;
  std::vector<std::string> names;
  for (size_t c = 0; c < scenario.released_columns(); ++c) {
    const ColumnShape& shape = scenario.shape(c);
    if (!shape.bin && !shape.clip && !shape.step && shape.edges.empty() && shape.rare.empty()) continue;
    coarser = true;
    if (c < published.size()) names.push_back(published[c]);
  }
  if (coarser && names.empty()) return "the values";
  return names.empty() ? "" : printable(listed(*scenario.source, names));
}

UseFacts facts_of_kind(const Scenario& scenario, const Mechanism& mechanism) {
  return {.as_they_are = changes_nothing(mechanism),
          .frequencies_hold = changes_nothing(mechanism) || std::holds_alternative<Swap>(mechanism),
          .has_numbers = has_numbers(scenario),
          .means_hold = keeps_means(scenario, mechanism),
          .several_columns = scenario.released_columns() > 1,
          .coarser = coarser_columns(scenario)};
}

// How often noise is 0: a result that is set to a range's end stays at least as often.
double share_at_zero(const Noise& noise) {
  return static_cast<double>(Rational(noise.weights[noise.weights.size() / 2]) / total_weight(noise));
}

// Of the value that stays least.
double least_kept(const Channel& channel) {
  double least = 1;
  for (size_t x = 0; x < channel.inputs.size(); ++x) {
    const auto at = std::lower_bound(channel.outputs.begin(), channel.outputs.end(), channel.inputs[x]);
    if (at == channel.outputs.end() || *at != channel.inputs[x]) return 0;
    const auto y = static_cast<size_t>(at - channel.outputs.begin());
    least = std::min(least,
                     static_cast<double>(Rational(channel.weights[x][y]) / Rational(channel.row_total(x))));
  }
  return least;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (size_t k = 0; k < words.size(); ++k)
    out += (k == 0 ? "" : k + 1 < words.size() ? ", " : " and ") + words[k];
  return out;
}

// "3 %", rounded up to whole percent.
std::string changed_percent(double kept) {
  return fmt::format("{} %", static_cast<int>(std::ceil(100 * (1 - kept) - 1e-9)));
}

}  // namespace

UseFacts use_facts(const Scenario& scenario, const Mechanism& mechanism, const RowFacts& rows,
                   const std::optional<TypicalShare>& share, uint64_t released) {
  UseFacts facts = facts_of_kind(scenario, mechanism);
  facts.kept = rows.unchanged;
  for (size_t c = 0; c < rows.columns.size(); ++c) {
    if (scenario.shape(c).is_categorical()) continue;
    const double beside = rows.rms[c] == 0 ? 0 : rows.spread[c] > 0 ? rows.rms[c] / rows.spread[c] : HUGE_VAL;
    facts.error = std::max(facts.error.value_or(0), beside);
  }
  if (share) facts.share_within = share->within;
  facts.share_unknown = !share && released > 0 && !facts.frequencies_hold;
  if (released > 0) facts.rows = static_cast<double>(released);
  return facts;
}

UseFacts public_use_facts(const Plan& plan) {
  UseFacts facts = facts_of_kind(plan.scenario, plan.mechanism);
  facts.kept_at_least = true;
  facts.share_unknown = facts.has_numbers && adds_noise(plan.mechanism);  // the spread is the table's own
  if (facts.as_they_are) {
    facts.kept = 1;
  } else if (const Swap* swap = std::get_if<Swap>(&plan.mechanism)) {
    // As the statement has it: changed in hundredths, rounded up.
    const Rational kept = swap_facts(plan.scenario, *swap).unchanged;
    facts.kept = static_cast<double>(Rational(floor(Rational(100 * kept)), Integer(100)));
  } else if (const Channel* channel = std::get_if<Channel>(&plan.mechanism)) {
    facts.kept = least_kept(*channel);
  } else if (const JointNoise* joint = std::get_if<JointNoise>(&plan.mechanism)) {
    facts.kept = 1;
    for (size_t c = 0; c < plan.scenario.released_columns(); ++c)
      facts.kept *= share_at_zero(joint->columns[c]);
  } else {
    facts.kept = share_at_zero(plan.noise());
  }
  return facts;
}

Verdict verdict_on(const UseFacts& facts) {
  Verdict verdict;
  if (facts.as_they_are) {
    verdict.shares = verdict.rows = Use::kGood;
    if (facts.has_numbers) verdict.means = Use::kGood;
    return verdict;
  }
  const bool vague = facts.share_within && *facts.share_within > kVagueShare;
  verdict.shares = vague                    ? Use::kNot
                   : facts.frequencies_hold ? Use::kGood
                   : facts.share_unknown    ? Use::kUnknown
                                            : Use::kEstimated;
  if (facts.has_numbers) {
    // The noise of n rows leaves 1 / sqrt(n) of itself in their mean.
    const bool far = facts.error && facts.rows && *facts.error / std::sqrt(*facts.rows) > kVagueMean;
    verdict.means = far ? Use::kNot : facts.means_hold ? Use::kGood : Use::kEstimated;
  }
  const bool near = facts.error && *facts.error <= kNearValues && !facts.several_columns;
  verdict.rows = facts.kept >= kMostlyKept || near ? Use::kMostly : Use::kNot;
  return verdict;
}

std::string Verdict::sentence(const UseFacts& facts) const {
  if (facts.as_they_are) {
    return facts.coarser.empty()
               ? "The values are the true ones: good for whatever they say, single rows included."
               : fmt::format(
                     "The values are the true ones, except that {} was made coarser: good for whatever they "
                     "say.",
                     facts.coarser);
  }
  std::vector<std::string> stand, estimated, vague;
  auto add = [&](Use use, const std::string& word) {
    (use == Use::kGood ? stand : use == Use::kEstimated ? estimated : vague).push_back(word);
  };
  if (shares != Use::kUnknown) add(shares, "shares");
  if (means) add(*means, "means");
  if (facts.several_columns && shares == Use::kGood) add(shares, "cross tables");
  std::string out;
  if (!stand.empty()) out = fmt::format("Good for {} as they stand", joined(stand));
  if (!estimated.empty())
    out += fmt::format("{} {}, by fugu estimate", out.empty() ? "Good for" : ", and for", joined(estimated));
  if (!vague.empty())
    out += fmt::format("{} for {}",
                       !out.empty()              ? "; too vague"
                       : shares == Use::kUnknown ? "Too vague"
                                                 : "Of little use; too vague",
                       joined(vague));
  if (shares == Use::kUnknown)
    out += fmt::format("{} well fugu estimate finds shares is not known beforehand",
                       out.empty() ? "How" : "; how");
  return out + (rows == Use::kMostly
                    ? "; most single rows are unchanged, or nearly, but no single row is certain."
                    : "; not for single rows.");
}

std::vector<std::string> good_uses(const UseFacts& facts) {
  const Verdict verdict = verdict_on(facts);
  if (facts.as_they_are) {
    return {facts.coarser.empty() ? "Whatever the true values are good for: nothing was changed."
                                  : "Whatever the coarser values are good for: nothing else was changed."};
  }
  const char* coarse = facts.coarser.empty() ? "" : " They are means of the coarser values.";
  std::vector<std::string> uses;
  const std::string within =
      facts.share_within
          ? fmt::format(" A share of about 10 % is then known to about {} points either way (at 95 %).",
                        compact(100 * *facts.share_within, 2))
          : "";
  if (verdict.shares == Use::kGood) {
    uses.push_back(fmt::format("Counts, shares{}: they are right on average as they stand.{}",
                               facts.several_columns ? " and tables of several columns together" : "",
                               within));
  } else if (verdict.shares == Use::kEstimated) {
    uses.push_back(
        "Shares, when they are estimated: plain counts of the released values are wrong, and fugu estimate "
        "puts them right, with bounds." +
        within);
  } else if (verdict.shares == Use::kUnknown) {
    uses.emplace_back(
        "Shares, as far as the bounds of fugu estimate allow: nothing here says how far that is.");
  }
  if (verdict.means == Use::kGood) {
    uses.push_back(std::string("Means over many rows: they are right on average as they stand.") + coarse);
  } else if (verdict.means == Use::kEstimated) {
    uses.push_back(std::string("Means over many rows, by fugu estimate: the plain mean is off.") + coarse);
  }
  if (uses.empty()) uses.emplace_back("Not much: there are too few rows for such a change.");
  return uses;
}

std::vector<std::string> bad_uses(const UseFacts& facts, const std::string& secret,
                                  const std::string& released) {
  std::vector<std::string> uses;
  if (!facts.as_they_are) {
    uses.push_back(fmt::format(
        "Decisions about one person: {} {} of the {} are not the true ones, and nobody can tell which.",
        facts.kept_at_least ? "up to" : "about", changed_percent(facts.kept),
        facts.several_columns ? "rows" : "values"));
    uses.emplace_back("Looking people up, or joining another table by these values.");
    uses.emplace_back("Counts of few rows: the change may be as large as the count.");
  }
  if (!facts.coarser.empty())
    uses.push_back(fmt::format("Exact values of {}: they were made coarser for everybody.", facts.coarser));
  uses.push_back(fmt::format("Learning how {} relates to {}: the release hides that on purpose.",
                             secret.empty() ? "the secret" : secret,
                             released.empty() ? "the values" : released));
  const Verdict verdict = verdict_on(facts);
  if (verdict.shares == Use::kEstimated || verdict.shares == Use::kUnknown)
    uses.emplace_back("Plain counts of the released values, as if they were true values.");
  if (verdict.shares == Use::kNot) uses.emplace_back("Shares: they stay too vague.");
  if (verdict.means == Use::kNot) uses.emplace_back("Means: they stay too vague.");
  uses.emplace_back("A second release about the same people, unless fugu compose or a ledger allows it.");
  return uses;
}

}  // namespace fugu::inline in_report
