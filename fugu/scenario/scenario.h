// The question: what is secret, who may believe what, which pairs, which budget.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fugu/law/claim.h"
#include "fugu/scenario/column_shape.h"
#include "fugu/scenario/missing.h"

namespace fugu::inline in_scenario {

// Whose a row is, where a person may have several: up to so many rows of each are counted and released, drawn
// by the seed (rows/person_draw.h). Of more than one the value is the person's bag of rows (scenario/bags.h).
struct Person {
  std::string column;
  std::string seed;   // 64 hexadecimal digits; private
  uint64_t rows = 1;  // 1 to kMostRowsOfPerson
  friend bool operator==(const Person&, const Person&) = default;
};

// Of how few people a text or number is not published, where the owner does not say otherwise.
inline constexpr uint64_t kPublishMin = 5;

// How much each row weighs, where masses are sums of weights in place of numbers of rows.
struct RowWeight {
  std::string column;
  Rational unit = 1;  // > 0: masses are whole multiples of it
  // By published column: the lattice indices of its values, increasing, and how many rows have each; for what
  // few people share.
  std::vector<std::vector<std::pair<int64_t, uint64_t>>> rows = {};
  friend bool operator==(const RowWeight&, const RowWeight&) = default;
};

// Where the numbers came from, so that a release applies the same map to the same columns.
struct Source {
  std::vector<std::string> secret;     // column names
  std::vector<std::string> published;  // column names ("public" in JSON)
  // What the columns' texts are and what was done to them: one for each, or just one; never empty. Of bags of
  // rows one for each axis, those of every row the same.
  std::vector<ColumnShape> columns = std::vector<ColumnShape>(1);
  std::vector<std::string> na = {};  // texts read as missing besides the empty field
  Missing missing = Missing::kError;
  bool header = true;  // the table's first line names its columns
  // Whether released values are held within the range; absent: categories are.
  std::optional<bool> clamp = {};
  // Of numbers without a clip: how many people's values lie at or beyond either end of that range; 0 for the
  // outermost values.
  uint64_t range_people = 0;
  // Columns that an adversary may know (docs/math.md, section 9): each group of people who agree in them is a
  // prior of its own, if it has at least min_group people with each secret.
  std::vector<std::string> given = {};
  uint64_t min_group = 0;
  // Columns that everybody may know: they are written as they are, and what is promised is promised within
  // each stratum of people who agree in them, if it has at least min_group people with each secret. There is
  // no prior of the whole table then, and nothing is given.
  std::vector<std::string> known = {};
  // Further beliefs beside what the table says (scenario/further_priors.h), as people ask for them.
  std::vector<std::string> also = {};
  std::vector<std::string> merged = {};    // smaller groups or strata, together the prior kOtherGroups
  std::vector<std::string> left_out = {};  // groups that are part of the first prior only, strata of none
  // Rows that `drop` left out although their secret is there, by prior and secret (plan/left_out_rows.h);
  // private.
  std::map<std::string, std::map<std::string, uint64_t>> dropped = {};
  std::optional<Person> person = {};
  std::optional<RowWeight> weight = {};
  std::string people = {};        // the column that says how many people a row stands for ("count" in JSON)
  bool rows_independent = false;  // the owner says so of rows that look like several of one person
  friend bool operator==(const Source&, const Source&) = default;

  // Of the one column; of several one that says nothing.
  const ColumnShape& shape() const;
  // The columns that part people into groups: those that are known, or else those that are given.
  const std::vector<std::string>& grouping() const { return known.empty() ? given : known; }
  bool has_strata() const { return !known.empty(); }
  // Whether a secret column is itself among the released ones, as its owner may ask.
  bool releases_secret() const;
};

// The prior of a table as a whole.
inline constexpr const char* kWholeTable = "empirical";

// A claim about a table or a list of values, and what they are.
struct Scenario : Claim {
  std::optional<Source> source{};
  // With a confidence: values of no mass that a scenario lists because they may occur (scenario/domain.h);
  // increasing.
  std::vector<int64_t> unseen{};
  friend bool operator==(const Scenario&, const Scenario&) = default;

  // Whether some prior states a normal law or a mixture.
  bool has_laws() const;

  // How many rows of a person are released at most.
  uint64_t rows_per_person() const { return source && source->person ? source->person->rows : 1; }
  // How many columns a released row has.
  size_t released_columns() const { return is_joint() ? axes.size() / rows_per_person() : 1; }

  // What the table itself says: the first prior, where columns are known the first of each stratum.
  std::vector<const Prior*> own_priors() const;
  // The values that they give mass to, increasing.
  std::vector<int64_t> own_support() const;
  // How often each of these values occurs, in proportion: the first prior's masses as they were written,
  // summed over the secrets. Of masses that a model computed each secret weighs the same.
  // Where columns are known, of all strata, or of the people with these texts alone.
  std::vector<Integer> population(const std::vector<int64_t>& values) const;
  std::vector<Integer> population(const std::vector<int64_t>& values,
                                  const std::vector<std::string>& known) const;
  // How many rows have each of these values, where masses are weights; else the same.
  std::vector<Integer> people(const std::vector<int64_t>& values) const;
  // The least and the greatest lattice index of a value: of the categories, or of the priors' values; with a
  // confidence, of all that can occur.
  std::pair<int64_t, int64_t> bounds() const;
  // The same of a released value that is held within a range: the ends of the clip where there is one, which
  // say nothing of the data; else the values of the range_people-th lowest and highest person; else, and
  // where there are too few people for that, the bounds.
  std::pair<int64_t, int64_t> range() const;
  // Whether the range is that of the range_people-th.
  bool has_range_of_people() const;
  // Whether released values are held within that range: categories always are.
  bool clamps() const;
  // The released value at a lattice index as people write it: a label, or a number.
  std::string value_text(int64_t index) const;

  // How the axis-th of several columns' texts are read and shaped: the source's where it has one.
  const ColumnShape& shape(size_t axis) const;
  // The axis-th column by itself: its lattice and shape, and the margins of every prior. Of bags of rows an
  // axis is a column of one of the rows, padding among it. Precondition: there are several.
  Scenario column(size_t axis) const;
};

// Tells the priors of groups of the given columns by their names: a file has nothing else.
void mark_groups(Scenario& scenario);

}  // namespace fugu::inline in_scenario
