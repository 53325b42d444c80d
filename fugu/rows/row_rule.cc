#include "fugu/rows/row_rule.h"

#include <utility>

#include "fugu/core/number.h"
#include "fugu/core/utf8.h"

namespace fugu::inline in_rows {
namespace {

struct Words {
  std::string what, hint;
};

constexpr uint64_t kMostPeople = uint64_t{1} << 60;

Words said_of_extra(Extra extra, bool keeps) {
  if (extra == Extra::kWeight)
    return {"the weight is not a number of at least 0",
            "write a decimal, for example 1.25; 0 leaves the row out"};
  if (extra == Extra::kPeople)
    return {"this is not a number of people", "write a whole number of at least 0, for example 12"};
  return {"the row does not say whose it is",
          keeps ? "give the row a person, or release without kept columns: with them no row may be left out"
                : "give the row a person; --missing drop leaves such rows out"};
}

// Of a row that is counted; `published` says whether the field is one of these.
Words said_counting(RowVerdict::Why why, bool published) {
  if (why == RowVerdict::kMissing) {
    return {"the field is missing",
            "--missing drop leaves such rows out, --missing keep makes them a category; --na names other "
            "texts that mean missing"};
  }
  return {"the text is the label that --missing keep gives to missing fields",
          published ? "--na \"(missing)\" makes the two one, or change the text in the file"
                    : "change the text in the file"};
}

// Of a row that is released; beside kept columns no row is left out.
Words said_releasing(RowVerdict::Why why, const RowTerms& terms) {
  if (terms.strata && (why == RowVerdict::kUnknownGroup || why == RowVerdict::kSeen)) {
    return why == RowVerdict::kSeen
               ? Words{"the row would be left out because of this field, and the known columns show which rows are missing",
                       "correct the row, or calibrate with a table that has this value, secret or group"}
               : Words{"the plan does not know this group of the known columns",
                       "the plan promises nothing about it: calibrate with a table that has enough of it"};
  }
  const bool keeps = terms.keeps;
  const std::string or_left_out = keeps
                                      ? "; next to columns that are written unchanged no row may be left out"
                                      : ", or leave such rows out with --missing drop";
  switch (why) {
    case RowVerdict::kMissing:
      return {"the field is missing", keeps ? "correct the row, or release without kept columns"
                                            : "--missing drop leaves such rows out"};
    case RowVerdict::kNamedMissing:
      return {"the text is the label that --missing keep gives to missing fields",
              "change the text in the file" + or_left_out};
    case RowVerdict::kUnknownSecret:
      return {"the plan does not know this secret",
              "the plan promises nothing about it: calibrate with a table that has it" + or_left_out};
    case RowVerdict::kJoinedSecret:
      return {"joined with ' & ', this secret has the same text as another",
              "replace ' & ' inside the values of the secret's columns and calibrate again" + or_left_out};
    case RowVerdict::kUnknownGroup:
      return {"the plan does not cover this group of the given columns",
              "the plan promises nothing against somebody who knows it: calibrate with a table that has "
              "enough of it" +
                  (keeps ? std::string(", or release without kept columns") : or_left_out)};
    case RowVerdict::kSeen:
      return {
          "the row would be left out because of this field, and the kept columns show which rows are missing",
          "release without kept columns, or calibrate with a table that has this value, secret or group; for "
          "categories, calibrating with --missing keep makes a missing field a category"};
    default:
      return {why == RowVerdict::kUnknownTogether
                  ? "the plan does not know this value together with those of the other released columns"
                  : "the plan does not know this value",
              "correct the row, or calibrate with a table that has it" + or_left_out +
                  (why == RowVerdict::kUnknownTogether
                       ? "; with --new-data, --nearest uses the nearest row that the plan has"
                       : "")};
  }
}

}  // namespace

std::optional<Rational> mass_of(Extra extra, std::string_view text) {
  auto mass = parse_decimal(text);
  const bool whole = mass && denominator(*mass) == 1 && *mass < kMostPeople;
  if (!mass || *mass < 0 || (extra == Extra::kPeople && !whole)) return std::nullopt;
  return mass;
}

Error no_mass(Extra extra, const std::string& place) {
  const Words said = said_of_extra(extra, false);
  return Error(ErrorKind::kData, place + ": " + said.what, said.hint);
}

Error not_utf8(const std::string& place) {
  return Error(ErrorKind::kData, place + ": the text is not UTF-8", "save the file as UTF-8");
}

void RowRule::give(RowVerdict& verdict, RowVerdict::Why why, size_t field, bool leaves_out) const {
  const bool seen = leaves_out && terms_.keeps;
  verdict.kind = leaves_out && !seen ? RowVerdict::kLeftOut : RowVerdict::kRefused;
  verdict.why = seen ? RowVerdict::kSeen : why;
  verdict.field = field;
}

// The labels of the secret and the group; false where a field decides already. A row is left out for the
// first field that says so, unless another is refused.
bool RowRule::join(const std::vector<std::string_view>& texts, RowVerdict& verdict) const {
  const bool counts = terms_.maps.empty(), keeps = terms_.missing == Missing::kKeep;
  verdict.has_secret = verdict.has_group = true;
  bool leaves = false;
  for (size_t k = 0; k < (counts ? terms_.fields() : terms_.published()); ++k) {
    const std::string_view text = texts[k];
    const bool gone = is_missing(text);
    // What is missing has that label, and nothing else.
    const bool named = !gone && keeps && text == kMissingLabel;
    const auto why = counts && !is_utf8(text) ? RowVerdict::kNotUtf8
                     : gone                   ? RowVerdict::kMissing
                     : named                  ? RowVerdict::kNamedMissing
                                              : RowVerdict::kFine;
    const bool leaves_out = terms_.drop || (gone && terms_.missing == Missing::kDrop);
    const bool refused =
        why == RowVerdict::kNotUtf8 || (why != RowVerdict::kFine && !leaves_out && !(gone && keeps));
    if (refused) {
      give(verdict, why, k, false);
      return false;
    }
    if (why != RowVerdict::kFine && leaves_out && !std::exchange(leaves, true)) give(verdict, why, k, true);
    if (k < terms_.secrets) {
      verdict.has_secret = verdict.has_secret && !gone;
      verdict.secret.add("", label_of(text));
    } else if (k < terms_.published()) {
      verdict.has_group = verdict.has_group && !gone;
      verdict.group.add(terms_.given_names[k - terms_.secrets], label_of(text));
    }
  }
  return !leaves;
}

// Whether the plan speaks of the row's secret and covers its group.
bool RowRule::know(RowVerdict& verdict) const {
  const bool all = !terms_.only_plain_labels;
  const bool plain = all || splits_once(verdict.secret.label, secret_names_);
  const bool known = !terms_.known_secrets || (plain && terms_.known_secrets->contains(verdict.secret.label));
  if (!known) {
    give(verdict, plain ? RowVerdict::kUnknownSecret : RowVerdict::kJoinedSecret, 0, terms_.drop);
    return false;
  }
  const bool covered = !terms_.groups || (terms_.groups->contains(verdict.group.label) &&
                                          (all || splits_once(verdict.group.label, terms_.given_names)));
  if (!covered) give(verdict, RowVerdict::kUnknownGroup, terms_.secrets, terms_.drop);
  return covered && settle(verdict);
}

// Whether the row is one of a stratum that is released.
bool RowRule::settle(RowVerdict& verdict) const {
  if (!terms_.strata) return true;
  const bool plain = !terms_.only_plain_labels || splits_once(verdict.group.label, terms_.given_names);
  if (plain) verdict.stratum = terms_.strata->of(verdict.group.label);
  switch (verdict.stratum.kind) {
    case Stratum::kOwn:
    case Stratum::kMerged:
      return true;
    case Stratum::kLeftOut:
      verdict.kind = RowVerdict::kLeftOut;
      verdict.why = RowVerdict::kSmallStratum;
      verdict.field = terms_.secrets;
      return false;
    default:
      give(verdict, RowVerdict::kUnknownGroup, terms_.secrets, terms_.drop);
      return false;
  }
}

// The value of the published fields. Where there is none, an unknown text decides before a missing one,
// unless rows with missing fields were left out when they were counted: then nobody looked at their other
// fields.
void RowRule::place(const std::vector<std::string_view>& texts, RowVerdict& verdict) const {
  Placed::Kind worst = Placed::kValue;
  size_t column = 0;
  for (size_t c = 0; c < terms_.maps.size(); ++c) {
    const Placed here = terms_.maps[c]->place(texts[terms_.published() + c]);
    verdict.value.push_back(here.index);
    const bool left_out = here.kind == Placed::kMissing && terms_.missing == Missing::kDrop;
    if (here.kind <= worst && !left_out) continue;
    worst = here.kind;
    column = c;
    if (left_out) break;
  }
  auto why = worst == Placed::kMissing   ? RowVerdict::kMissing
             : worst == Placed::kUnknown ? RowVerdict::kUnknownValue
                                         : RowVerdict::kFine;
  if (why == RowVerdict::kFine && terms_.values) {
    // Whether a prior that may be this person's gives mass to the value.
    const std::string group = terms_.whole_groups ? verdict.group.label : "";
    const bool has_mass = verdict.value.size() == 1 ? terms_.values->has(group, verdict.value.front())
                                                    : terms_.values->has(group, verdict.value);
    if (!has_mass && terms_.nearest) {
      verdict.value = terms_.values->nearest(group, verdict.value);
    } else if (!has_mass) {
      why = verdict.value.size() > 1 ? RowVerdict::kUnknownTogether : RowVerdict::kUnknownValue;
    }
  }
  if (why == RowVerdict::kFine) {
    verdict.kind = RowVerdict::kValue;
    return;
  }
  const bool drops = why == RowVerdict::kMissing && terms_.missing == Missing::kDrop;
  give(verdict, why, terms_.published() + column, terms_.drop || drops);
}

// What is said of the row besides: of a value, whose it is or how much it counts.
void RowRule::weigh(std::string_view text, RowVerdict& verdict) const {
  if (terms_.extra == Extra::kPerson) {
    if (verdict.kind == RowVerdict::kValue && is_missing(text))
      give(verdict, RowVerdict::kNoExtra, terms_.fields(), terms_.drop || terms_.missing == Missing::kDrop);
    return;
  }
  if (auto mass = mass_of(terms_.extra, text)) {
    verdict.mass = std::move(*mass);
  } else {
    give(verdict, RowVerdict::kNoExtra, terms_.fields(), false);
  }
}

RowVerdict RowRule::judge(const std::vector<std::string_view>& texts) const {
  RowVerdict verdict;
  if (!join(texts, verdict) || !know(verdict)) return verdict;
  place(texts, verdict);
  if (terms_.extra != Extra::kNone && verdict.kind != RowVerdict::kRefused)
    weigh(texts[terms_.fields()], verdict);
  return verdict;
}

Error RowRule::refusal(const RowVerdict& verdict, const std::string& place) const {
  if (verdict.why == RowVerdict::kNotUtf8) return not_utf8(place);
  const Words said = verdict.why == RowVerdict::kNoExtra ? said_of_extra(terms_.extra, terms_.keeps)
                     : terms_.maps.empty() ? said_counting(verdict.why, verdict.field >= terms_.published())
                                           : said_releasing(verdict.why, terms_);
  return Error(verdict.why == RowVerdict::kSeen ? ErrorKind::kUsage : ErrorKind::kData,
               place + ": " + said.what, said.hint);
}

}  // namespace fugu::inline in_rows
