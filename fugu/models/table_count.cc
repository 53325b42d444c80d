#include "fugu/models/table_count.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/table/csv.h"
#include "fugu/table/utf8.h"

namespace fugu {
namespace {

class TableCounter {
 public:
  TableCounter(const TableColumns& columns, const Progress& progress)
      : columns_(columns),
        reader_(columns.path, {.separator = columns.separator, .header = columns.header}, progress) {}

  CountedTable count() {
    find_columns();
    reader_.select(used_);
    count_raw();
    for (const Tally::Entry& entry : raw_.entries()) add(entry);
    if (table_.rows == table_.dropped) throw no_rows();
    return std::move(table_);
  }

 private:
  void find_columns() {
    if (columns_.secret.empty()) {
      throw Error(ErrorKind::kUsage, "--secret: no column is named",
                  "give the column that must not be learned");
    }
    table_.file = reader_.name();
    std::vector<std::string> places;
    for (const std::string& text : columns_.secret) {
      size_t column = reader_.column(text, "--secret");
      if (std::find(used_.begin(), used_.end(), column) != used_.end()) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--secret: {} is named twice", reader_.column_place(column)),
                    "name each column once");
      }
      used_.push_back(column);
      table_.secret_columns.push_back(reader_.column_text(column));
      places.push_back(reader_.column_place(column));
    }
    table_.secret_place = fmt::format("{}", fmt::join(places, " with "));
    used_.push_back(reader_.column(columns_.published, "--public"));
    table_.published_column = reader_.column_text(used_.back());
    table_.published_place = reader_.column_place(used_.back());
  }

  // Texts as they stand; NUL, which no field holds, parts them. Each distinct row is looked at once, when it
  // is new.
  void count_raw() {
    Record record;
    std::string key;
    while (reader_.next(record)) {
      key.assign(record.fields[0].text);
      for (size_t k = 1; k < used_.size(); ++k) {
        key += '\0';
        key += record.fields[k].text;
      }
      size_t known = raw_.size();
      raw_.add(key, record.line);
      if (raw_.size() > known) check(record);
      ++table_.rows;
    }
  }

  bool is_missing(std::string_view text) const {
    return text.empty() || std::find(columns_.na.begin(), columns_.na.end(), text) != columns_.na.end();
  }

  void check(const Record& record) const {
    for (size_t k = 0; k < used_.size(); ++k) {
      std::string_view text = record.fields[k].text;
      auto fail = [&](const char* what, const char* hint) {
        return Error(ErrorKind::kData,
                     fmt::format("{}: line {}, {}: {}", reader_.name(), record.line,
                                 reader_.column_place(used_[k]), what),
                     hint);
      };
      if (!is_utf8(text)) throw fail("the text is not UTF-8", "save the file as UTF-8");
      if (is_missing(text)) {
        if (columns_.missing == Missing::kError) {
          throw fail(
              "the field is missing",
              "--missing drop leaves such rows out, --missing keep makes them a category; --na names other "
              "texts that mean missing");
        }
      } else if (columns_.missing == Missing::kKeep && text == kMissingLabel) {
        throw fail("the text is the label that --missing keep gives to missing fields",
                   "--na \"(missing)\" makes the two one, or change the text in the file");
      }
    }
  }

  // A distinct row: its missing fields handled, its secret columns joined.
  void add(const Tally::Entry& row) {
    std::string parted, joined;  // equal in number as long as joining makes no two secrets one
    std::string_view rest = row.key;
    std::string_view published;
    bool has_missing = false, missing = false;
    for (size_t k = 0; k < used_.size(); ++k) {
      size_t end = std::min(rest.find('\0'), rest.size());
      std::string_view text = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      missing = is_missing(text);
      has_missing = has_missing || missing;
      if (missing) text = kMissingLabel;
      if (k + 1 == used_.size()) {
        published = text;
      } else {
        parted.append(text).append(1, '\0');
        joined.append(k == 0 ? "" : " & ").append(text);
      }
    }
    if (has_missing && columns_.missing == Missing::kDrop) {
      table_.dropped += row.count;
      return;
    }
    size_t secret = table_.secrets.add(joined, row.line, row.count);
    if (parted_.add(parted, row.line) != secret) {
      throw Error(
          ErrorKind::kData,
          fmt::format("{}: line {}, {}: two different secrets have the same text when joined with ' & '",
                      table_.file, row.line, table_.secret_place),
          "replace ' & ' inside the values of these columns");
    }
    size_t value = table_.values.add(published, row.line, row.count);
    if (missing) table_.missing_value = value;
    table_.cells.push_back({secret, value, row.count});
  }

  Error no_rows() const {
    if (table_.rows == 0) {
      return Error(ErrorKind::kData, table_.file + ": the table has no rows",
                   columns_.header ? "without a header, say --no-header" : "give a table with rows");
    }
    return Error(ErrorKind::kData,
                 fmt::format("{}: no row is left: in each, {} or {} is missing", table_.file,
                             table_.secret_place, table_.published_place),
                 "check --na and the columns, or use --missing keep");
  }

  const TableColumns& columns_;
  CsvReader reader_;
  std::vector<size_t> used_;  // the secret's columns, then the published one
  Tally raw_;                 // rows as they stand
  Tally parted_;              // secrets, before joining
  CountedTable table_;
};

}  // namespace

CountedTable count_table(const TableColumns& columns, const Progress& progress) {
  return TableCounter(columns, progress).count();
}

}  // namespace fugu
