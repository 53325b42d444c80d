#include "fugu/count/table_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "fugu/core/error.h"
#include "fugu/core/letters.h"
#include "fugu/core/number.h"
#include "fugu/count/column_name.h"
#include "fugu/count/csv_rows.h"
#include "fugu/rows/missing_marks.h"
#include "fugu/rows/person_draw.h"
#include "fugu/rows/strata.h"
#include "fugu/scenario/bags.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_count {
namespace {

class TableCounter {
 public:
  TableCounter(const TableColumns& columns, RowSource& rows)
      : columns_(columns), rows_(rows), head_(rows.head()) {}

  CountedTable count(const Progress& progress) {
    find_columns();
    find_terms();
    if (columns_.person.empty() && columns_.people.empty() && !columns_.rows_independent)
      watched_ = watched_columns(head_, used_, columns_.na);
    auto check_row = [this](const Field* fields, uint64_t line) { check(fields, line); };
    const RowCounts raw = rows_.count(used_, check_row, progress, watched_);
    table_.rows = raw.total;
    check_header(raw.rows);
    check_marks(raw.rows);
    check_people(head_, watched_, raw.watched);
    if (columns_.person.empty()) {
      for (const Tally::Entry& row : raw.rows.entries()) add(row);
    } else {
      add_people(raw.rows);
    }
    if (table_.cells.empty()) throw no_rows();
    if (!columns_.weight.empty()) find_unit();
    for (const Tally::Entry& group : parted_groups_.entries()) {
      auto& texts = table_.group_texts.emplace_back();
      for (std::string_view text : texts_in(group.key.substr(0, group.key.size() - 1)))
        texts.emplace_back(text);
    }
    return std::move(table_);
  }

 private:
  void find_columns() {
    if (columns_.secret.empty()) {
      throw Error(ErrorKind::kUsage, "--secret: no column is named", "name the column to hide");
    }
    table_.name = head_.name();
    std::vector<std::string> places;
    for (const std::string& text : columns_.secret) {
      size_t column = head_.column(text, "--secret");
      check_new(column, "--secret");
      used_.push_back(column);
      table_.secret_columns.push_back(head_.column_text(column));
      places.push_back(head_.column_place(column));
    }
    table_.secret_place = fmt::format("{}", fmt::join(places, " with "));
    std::vector<size_t> published;
    for (const std::string& text : columns_.published) {
      published.push_back(head_.column(text, "--public"));
      if (std::count(published.begin(), published.end(), published.back()) > 1)
        throw named_twice(published.back(), "--public");
      table_.published.push_back({.name = head_.column_text(published.back()),
                                  .place = head_.column_place(published.back()),
                                  .rows_per_person = columns_.rows_per_person});
    }
    for (const auto& [text, kind] : columns_.kinds) {
      const size_t column = head_.column(text, "--kind");
      for (size_t c = 0; c < published.size(); ++c) {
        if (published[c] == column) table_.published[c].kind = kind;
      }
    }
    find_groups(columns_.given, "--given", "name other columns, which an adversary may know", published,
                table_.given_columns);
    find_groups(columns_.known, "--known", "name other columns, which others may know about a person",
                published, table_.known_columns);
    used_.insert(used_.end(), published.begin(), published.end());
    find_extra(columns_.person, Extra::kPerson, "--person", "the column that says whose row it is");
    find_extra(columns_.weight, Extra::kWeight, "--weight", "the column of the weights");
    find_extra(columns_.people, Extra::kPeople, "--count", "the column of the numbers of people");
  }

  void find_extra(const std::string& text, Extra extra, const char* option, const char* what) {
    if (text.empty()) return;
    const size_t column = head_.column(text, option);
    const auto at = std::find(used_.begin(), used_.end(), column);
    if (at != used_.end()) {
      const auto place = static_cast<size_t>(at - used_.begin());
      const size_t secrets = columns_.secret.size();
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: {} is {}", option, head_.column_place(column),
                              place < secrets                         ? "the secret"
                              : place < secrets + given_names_.size() ? among()
                                                                      : "a released column"),
                  fmt::format("name {}, and use it for nothing else", what));
    }
    used_.push_back(column);
    terms_.extra = extra;
    table_.extra_column = head_.column_text(column);
  }

  const char* among() const { return columns_.known.empty() ? "among --given" : "among --known"; }

  // Columns that part people into groups.
  void find_groups(const std::vector<std::string>& texts, const char* option, const char* hint,
                   const std::vector<size_t>& published, std::vector<std::string>& names) {
    for (const std::string& text : texts) {
      const size_t column = head_.column(text, option);
      const auto secrets_end = used_.begin() + static_cast<ptrdiff_t>(columns_.secret.size());
      const bool secret = std::find(used_.begin(), secrets_end, column) != secrets_end;
      // Somebody may know one of several that are released; what is kept as it is, is not released.
      const bool released = (!columns_.known.empty() || published.size() == 1) &&
                            std::find(published.begin(), published.end(), column) != published.end();
      if (secret || released) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: {} is {}", option, head_.column_place(column),
                                secret                  ? "the secret"
                                : published.size() == 1 ? "the released column"
                                                        : "a released column"),
                    hint);
      }
      check_new(column, option);
      used_.push_back(column);
      names.push_back(head_.column_text(column));
    }
    const std::vector<std::string> prefixes = group_prefixes(names, columns_.header);
    given_names_.insert(given_names_.end(), prefixes.begin(), prefixes.end());
  }

  void check_new(size_t column, const char* option) const {
    if (std::find(used_.begin(), used_.end(), column) == used_.end()) return;
    throw named_twice(column, option);
  }

  Error named_twice(size_t column, const char* option) const {
    return Error(ErrorKind::kUsage, fmt::format("{}: {} is named twice", option, head_.column_place(column)),
                 "name each column once");
  }

  bool is_missing(std::string_view text) const { return means_missing(text, columns_.na); }

  void find_terms() {
    terms_.secrets = columns_.secret.size();
    terms_.given = given_names_.size();
    terms_.released = table_.published.size();
    terms_.given_names = given_names_;
    terms_.na = columns_.na;
    terms_.missing = columns_.missing;
    rule_.emplace(terms_);
  }

  void check(const Field* fields, uint64_t line) const {
    std::vector<std::string_view> texts;
    for (size_t k = 0; k < used_.size(); ++k) texts.push_back(fields[k].text);
    const RowVerdict verdict = rule_->judge(texts);
    if (verdict.kind != RowVerdict::kRefused) return;
    throw rule_->refusal(
        verdict, fmt::format("{}, {}", head_.name().row(line), head_.column_place(used_[verdict.field])));
  }

  void check_header(const Tally& rows) const {
    std::vector<ColumnName> names;
    for (size_t k = 0; k < used_.size(); ++k) {
      names.emplace_back(head_, used_[k], columns_.na);
      for (const Tally::Entry& row : rows.entries()) names.back().see(field_of(row.key, k));
    }
    bool header = false;
    for (size_t k = 0; asks_for_a_header(names) && !header && k < used_.size(); ++k)
      header = names[k].is_word() && shows_a_header(below(rows, k));
    check_names(head_, names, used_, header);
  }

  // Nobody's race is "?", unless somebody says so.
  void check_marks(const Tally& rows) const {
    const auto& values = columns_.not_missing;
    for (size_t k = 0; k < used_.size(); ++k) {
      std::set<std::string_view> marks;
      for (const Tally::Entry& row : rows.entries()) {
        const std::string_view text = field_of(row.key, k);
        if (looks_missing(text) && !is_missing(text) &&
            std::find(values.begin(), values.end(), text) == values.end())
          marks.insert(text);
      }
      if (marks.empty()) continue;
      throw unexplained_mark(fmt::format("{}: {}", head_.file, head_.column_place(used_[k])),
                             std::string(*marks.begin()));
    }
  }

  BelowWord below(const Tally& rows, size_t k) const {
    std::unordered_map<std::string_view, uint64_t> texts;
    for (const Tally::Entry& row : rows.entries()) texts[field_of(row.key, k)] += row.count;
    BelowWord result;
    for (const auto& [text, count] : texts) {
      if (is_missing(text)) continue;
      result.rows += count;
      result.single += count == 1 ? 1 : 0;
      result.numbers = result.numbers && looks_like_decimal(text);
    }
    return result;
  }

  static std::string_view field_of(std::string_view row, size_t k) {
    for (; k > 0; --k) row.remove_prefix(row.find('\0') + 1);
    return row.substr(0, row.find('\0'));
  }

  // The index of the label in `labels`. Error (data) when another has the same label.
  size_t index_of(const JoinedLabel& joined, const Tally::Entry& row, Tally& labels, Tally& parted,
                  const char* what) const {
    const auto index = add_label(joined, row.line, row.count, labels, parted);
    if (index) return *index;
    throw same_label(fmt::format("{}: {}, {}", table_.name.file, table_.name.row(row.line),
                                 &labels == &table_.secrets ? table_.secret_place
                                 : columns_.known.empty()   ? "the given columns"
                                                            : "the known columns"),
                     what);
  }

  // A missing field of a secret or given column of a row that counts: it is kept.
  void add_missing(size_t k, std::string_view text, const Tally::Entry& row) {
    if (missing_.add(k, text)) return;
    throw missing_in_two_ways(
        fmt::format("{}: {}, {}", table_.name.file, table_.name.row(row.line), head_.column_place(used_[k])));
  }

  // What a plan calls the small strata together is no stratum of its own.
  void check_not_others(std::string_view text, const Tally::Entry& row) const {
    if (text != kOtherGroups) return;
    throw Error(ErrorKind::kData,
                fmt::format("{}: {}, {}: plans use this text for all small groups together", table_.name.file,
                            table_.name.row(row.line), head_.column_place(used_[terms_.secrets])),
                "change the text in the file");
  }

  // A person whose number is written in two ways would be two.
  void check_people_once(const std::vector<PersonRow>& rows) const {
    Tally odd, people;  // numbers that are not written the shortest way, and everybody's texts
    for (const PersonRow& row : rows) {
      const size_t known = people.size();
      if (people.add(row.person, 0) < known || is_shortest_whole(row.person)) continue;
      const auto number = parse_decimal(row.person);
      if (number) odd.add(to_text(*number), 0);
    }
    for (const Tally::Entry& number : odd.entries()) {
      if (number.count > 1 || people.find(number.key)) {
        throw Error(ErrorKind::kData,
                    fmt::format("{}: the column that says whose row it is has one number written in two "
                                "ways, such as 7 and 7.0",
                                table_.name.file),
                    "write each person's number in one way, so that nobody counts twice");
      }
    }
  }

  static bool is_shortest_whole(std::string_view text) {
    return !text.empty() && text.size() < 19 && (text == "0" || text.front() != '0') &&
           std::all_of(text.begin(), text.end(), is_digit);
  }

  // Of each person one of the rows that are not left out.
  void add_people(const Tally& rows) {
    std::vector<PersonRow> candidates;
    std::vector<size_t> places;
    PersonJudge judge(*rule_);
    for (size_t k = 0; k < rows.size(); ++k) {
      if (!judge.is_value(rows[k].key)) {
        add(rows[k]);
        continue;
      }
      const auto [person, texts] = person_and_texts(rows[k].key);
      candidates.push_back({person, texts, rows[k].count});
      places.push_back(k);
    }
    check_people_once(candidates);
    if (columns_.rows_per_person > 1) return add_bags(rows, candidates, places);
    Tally drawn;
    std::vector<size_t> first;  // row of each
    for (size_t place : drawn_rows(candidates, columns_.person_seed, terms_)) {
      if (drawn.add(candidates[place].texts, 0) == first.size()) first.push_back(places[place]);
      ++table_.people;
    }
    for (size_t k = 0; k < first.size(); ++k) {
      Tally::Entry row = rows[first[k]];
      row.count = drawn[k].count;
      add(row);
    }
  }

  // Of each person several rows, as many as enough others have.
  void add_bags(const Tally& rows, const std::vector<PersonRow>& candidates,
                const std::vector<size_t>& places) {
    const std::vector<PersonBag> bags =
        drawn_bags(candidates, columns_.person_seed, terms_, columns_.rows_per_person);
    check_secrets(rows, bags, places);
    std::map<uint64_t, std::map<std::string, uint64_t>> people;  // by number of rows and secret
    for (const PersonBag& bag : bags) ++people[bag.rows.size()][secret_of(rows[places[bag.first]])];
    table_.numbers = numbers_of_rows(people, columns_.least_people);
    const RowNumbers released(table_.numbers.released);
    for (const PersonBag& bag : bags) {
      const uint64_t taken = released.released(bag.rows.size());
      if (taken == 0) continue;
      ++table_.people;
      std::set<std::pair<size_t, std::string_view>> seen;  // a person counts once for each text of a column
      CountedTable::Bag& counted = table_.bags.emplace_back();
      for (size_t k = 0; k < taken; ++k) {
        Tally::Entry row = rows[places[bag.rows[k]]];
        row.count = k == 0 ? 1 : 0;
        counted.secret = add_secret(row);
        row.count = 1;
        counted.values.push_back(add_value(row, texts_in(row.key), &seen));
        table_.cells.push_back({counted.secret, counted.values.back(), 0, 1});
      }
    }
  }

  std::string secret_of(const Tally::Entry& row) const {
    return rule_->judge(texts_in(row.key)).secret.label;
  }

  void check_secrets(const Tally& rows, const std::vector<PersonBag>& bags,
                     const std::vector<size_t>& places) const {
    uint64_t line = UINT64_MAX;
    for (const PersonBag& bag : bags) {
      if (!bag.one_secret) line = std::min(line, rows[places[bag.first]].line);
    }
    if (line == UINT64_MAX) return;
    throw several_secrets(
        fmt::format("{}: {}, {}", table_.name.file, table_.name.row(line), table_.secret_place));
  }

  // The masses in whole numbers without a common factor.
  void find_unit() {
    Integer whole(1), common(0);
    for (const Rational& mass : masses_) whole = lcm(whole, Integer(denominator(mass)));
    for (const Rational& mass : masses_) {
      table_.masses.emplace_back(numerator(mass) * (whole / denominator(mass)));
      common = gcd(common, table_.masses.back());
    }
    for (Integer& mass : table_.masses) mass /= common;
    table_.unit = Rational(common, whole);
  }

  // The row as often as it has people, where it stands for several.
  Tally::Entry times(Tally::Entry row, const Rational& mass) {
    if (columns_.people.empty()) return row;
    constexpr uint64_t kMost = uint64_t{1} << 60;
    const Integer people = numerator(mass) * row.count;
    if (people + table_.people > kMost) {
      throw Error(ErrorKind::kData, fmt::format("{}: the rows stand for too many people", table_.name.file),
                  "check the column of --count");
    }
    row.count = static_cast<uint64_t>(people);
    table_.people += row.count;
    return row;
  }

  // A distinct row that check() did not refuse.
  void add(const Tally::Entry& read) {
    const std::vector<std::string_view> texts = texts_in(read.key);
    const RowVerdict verdict = rule_->judge(texts);
    if (verdict.mass == 0) return;
    const Tally::Entry row = times(read, verdict.mass);
    if (verdict.kind == RowVerdict::kLeftOut) {
      table_.dropped += row.count;
      if (verdict.has_secret) table_.dropped_secrets[verdict.secret.label] += row.count;
      if (verdict.has_secret && verdict.has_group && !given_names_.empty())
        table_.dropped_groups[verdict.group.label][verdict.secret.label] += row.count;
      return;
    }
    if (columns_.known.size() == 1) check_not_others(texts[terms_.secrets], row);
    const size_t secret = add_secret(row);
    const size_t group =
        given_names_.empty() ? 0 : index_of(verdict.group, row, table_.groups, parted_groups_, "groups");
    table_.cells.push_back({secret, add_value(row, texts), group, row.count});
    if (!columns_.weight.empty()) masses_.push_back(verdict.mass * row.count);
  }

  // The row's secret among those that came before.
  size_t add_secret(const Tally::Entry& row) {
    const std::vector<std::string_view> texts = texts_in(row.key);
    for (size_t k = 0; k < terms_.published(); ++k) {
      if (rule_->is_missing(texts[k])) add_missing(k, texts[k], row);
    }
    return index_of(rule_->judge(texts).secret, row, table_.secrets, parted_, "secrets");
  }

  // The row's published texts among those that came before; those that the person has in `seen` count no
  // more.
  size_t add_value(const Tally::Entry& row, const std::vector<std::string_view>& texts,
                   std::set<std::pair<size_t, std::string_view>>* seen = nullptr) {
    std::vector<size_t> indices;
    for (size_t c = 0; c < table_.published.size(); ++c) {
      const std::string_view text = texts[terms_.published() + c];
      CountedColumn& column = table_.published[c];
      const bool counts = !seen || seen->emplace(c, rule_->label_of(text)).second;
      indices.push_back(column.values.add(rule_->label_of(text), row.line, counts ? row.count : 0));
      if (rule_->is_missing(text)) column.missing = indices.back();
    }
    if (indices.size() == 1) return indices.front();
    const auto [place, fresh] = joint_.try_emplace(indices, table_.joint.size());
    if (fresh) table_.joint.push_back(indices);
    return place->second;
  }

  Error no_rows() const {
    if (table_.rows == 0) {
      return Error(ErrorKind::kData, table_.name.file + ": the table has no rows",
                   columns_.header && !head_.row_word.empty() ? "if there is no header, give --no-header"
                                                              : "give a table with rows");
    }
    return Error(
        ErrorKind::kData,
        fmt::format("{}: no row is left: each has a missing field in {}{} or {}", table_.name.file,
                    table_.secret_place,
                    given_names_.empty()     ? ""
                    : columns_.known.empty() ? ", a given column"
                                             : ", a known column",
                    table_.published.size() == 1 ? table_.published.front().place : "a released column"),
        "check --na and the columns, or use --missing keep");
  }

  const TableColumns& columns_;
  RowSource& rows_;
  const TableHead& head_;
  // The secret's columns, then the given ones, then the published ones, then the extra one.
  std::vector<size_t> used_;
  Watched watched_;
  std::vector<Rational> masses_;                 // of the cells, where rows have weights
  std::vector<std::string> given_names_;         // as they stand in the groups' names
  RowTerms terms_;                               // of a row of used_
  std::optional<RowRule> rule_;                  // by these
  MissingTexts missing_;                         // of used_, where they are kept
  Tally parted_;                                 // secrets, before joining
  Tally parted_groups_;                          // groups, before joining
  std::map<std::vector<size_t>, size_t> joint_;  // places in table_.joint
  CountedTable table_;
};

}  // namespace

CountedTable count_table(const TableColumns& columns, const Progress& progress, const CountTuning& tuning,
                         RowSource* rows) {
  if (rows) return TableCounter(columns, *rows).count(progress);
  CsvRows file(columns.path,
               {.separator = columns.separator, .header = columns.header, .block_size = tuning.chunk_size},
               tuning.threads);
  return TableCounter(columns, file).count(progress);
}

}  // namespace fugu::inline in_count
