// What a row is to a count or to a plan: a value, left out, or refused. This is the one place that says so.
//
// A row is the texts of some columns: the secret's, those that are given, those that are published, and whose
// it is where that is told, in this order. Whatever reads rows, counting or releasing, of a file, a database
// or columns in memory, asks here, once for each distinct row, so that a row gets the same verdict wherever
// it comes from.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/error.h"
#include "fugu/rows/field_values.h"
#include "fugu/rows/joined_label.h"
#include "fugu/rows/plan_values.h"
#include "fugu/rows/strata.h"
#include "fugu/scenario/columns.h"

namespace fugu::inline in_rows {

// What a text behind a row's published ones says of the row.
enum class Extra : uint8_t {
  kNone,
  kPerson,  // whose it is; never a category
  kWeight,  // how much it weighs: a decimal of at least 0
  kPeople,  // how many people it stands for: a whole number of at least 0
};

// The weight or the number of people that a text says; nullopt where it is none.
std::optional<Rational> mass_of(Extra extra, std::string_view text);
// Error (data) of a text that is none.
Error no_mass(Extra extra, const std::string& place);

// What a row is judged by.
struct RowTerms {
  size_t secrets = 0;                         // how many columns of the secret are read
  size_t given = 0;                           // how many given or known ones
  size_t released = 1;                        // how many published ones
  std::vector<std::string> given_names = {};  // as they stand in the groups' names
  std::vector<std::string> na = {};           // texts that mean missing besides the empty field
  Missing missing = Missing::kError;
  Extra extra = Extra::kNone;  // what the text behind the published ones is
  bool drop = false;           // a row that would be refused is left out, whatever `missing` says

  // Of a release: the map of each published column. Without them rows are counted: any text is a value.
  std::vector<const FieldValues*> maps = {};
  // The secrets that the plan speaks of, where the counts do not show that there is no other.
  std::shared_ptr<const std::set<std::string>> known_secrets = nullptr;
  // The groups that may be released, when given columns are kept or those of new data; null when every row
  // may.
  std::shared_ptr<const std::set<std::string>> groups = nullptr;
  // Of a release where columns are known: what becomes of a row by its stratum.
  std::shared_ptr<const Strata> strata = nullptr;
  // Of new data: a label that other texts could make as well is none of the plan's, which does not say whose
  // texts it counted. A table that is counted shows whether two share one.
  bool only_plain_labels = false;
  // Of new data, and where rows of weight 0 are not counted: the values that the plan speaks of; the counts
  // of another table show that there is no other.
  std::shared_ptr<const PlanValues> values = nullptr;
  bool nearest = false;      // a row whose values the plan has, but not together, is the nearest that it has
  bool whole_groups = true;  // the given columns are all that the plan has: they tell the group
  // Whether other columns are written beside the released ones. Whoever knows those sees whose row is
  // missing, and what it was left out for may go with the secret, or is the secret: then no row is left out.
  bool keeps = false;

  size_t published() const { return secrets + given; }  // the first of them
  size_t fields() const { return published() + released; }
};

struct RowVerdict {
  enum Kind : uint8_t { kValue, kLeftOut, kRefused } kind = kRefused;
  enum Why : uint8_t {
    kFine,
    kNotUtf8,
    kMissing,
    kNamedMissing,   // the text is what --missing keep calls a missing field
    kUnknownSecret,  // none of the plan's
    kJoinedSecret,   // perhaps one of the plan's: other texts make the same label
    kUnknownGroup,   // not covered by the plan
    kSmallStratum,   // left out with all of its stratum: that says no more than the known columns do
    kUnknownValue,
    kUnknownTogether,  // every column's value is known, but not with the others
    kNoExtra,          // whose row it is, its weight or its number of people is missing, or is none
    kSeen,             // it would be left out, and the columns beside it would show that
  } why = kFine;
  size_t field = 0;  // for which it is not a value
  // Of a value, and of what is left out for neither of them: the labels of its secret and its group.
  JoinedLabel secret = {}, group = {};
  bool has_secret = false, has_group = false;  // whether they are there, in no part missing
  Stratum stratum = {};                        // where columns are known
  Point value = {};                            // by published column, where there are maps
  Rational mass = 1;  // of a value and of what is left out: its weight, or how many people it stands for; 1
                      // where nothing says so
};

class RowRule {
 public:
  // The terms must outlive the rule.
  explicit RowRule(const RowTerms& terms) : terms_(terms), secret_names_(terms.secrets) {}

  bool is_missing(std::string_view text) const { return means_missing(text, terms_.na); }
  // The text that a field counts as: a missing one has the label of all that are missing.
  std::string_view label_of(std::string_view text) const { return is_missing(text) ? kMissingLabel : text; }

  RowVerdict judge(const std::vector<std::string_view>& texts) const;
  // Of a refused row, without its place: (usage) for kSeen, else (data).
  Error refusal(const RowVerdict& verdict, const std::string& place) const;

 private:
  bool join(const std::vector<std::string_view>& texts, RowVerdict& verdict) const;
  bool know(RowVerdict& verdict) const;
  bool settle(RowVerdict& verdict) const;
  void weigh(std::string_view text, RowVerdict& verdict) const;
  void place(const std::vector<std::string_view>& texts, RowVerdict& verdict) const;
  void give(RowVerdict& verdict, RowVerdict::Why why, size_t field, bool leaves_out) const;

  const RowTerms& terms_;
  const std::vector<std::string> secret_names_;  // before their texts: nothing
};

// Error (data): a text that is not UTF-8, which no plan can hold.
Error not_utf8(const std::string& place);

}  // namespace fugu::inline in_rows
