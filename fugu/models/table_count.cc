#include "fugu/models/table_count.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/models/row_counts.h"
#include "fugu/table/chunks.h"
#include "fugu/table/utf8.h"

namespace fugu {
namespace {

class TableCounter {
 public:
  TableCounter(const TableColumns& columns, const CountTuning& tuning)
      : columns_(columns),
        tuning_(tuning),
        reader_(columns.path,
                {.separator = columns.separator, .header = columns.header, .block_size = tuning.chunk_size}),
        head_(reader_.head()) {}

  CountedTable count(const Progress& progress) {
    find_columns();
    auto check_row = [this](const Field* fields, uint64_t line) { check(fields, line); };
    RowCounts raw = count_rows(reader_, used_, check_row, tuning_.threads, progress);
    table_.rows = raw.total;
    for (const Tally::Entry& row : raw.rows.entries()) add(row);
    if (table_.rows == table_.dropped) throw no_rows();
    return std::move(table_);
  }

 private:
  void find_columns() {
    if (columns_.secret.empty()) {
      throw Error(ErrorKind::kUsage, "--secret: no column is named",
                  "give the column that must not be learned");
    }
    table_.file = head_.file;
    std::vector<std::string> places;
    for (const std::string& text : columns_.secret) {
      size_t column = head_.column(text, "--secret");
      if (std::find(used_.begin(), used_.end(), column) != used_.end()) {
        throw Error(ErrorKind::kUsage, fmt::format("--secret: {} is named twice", head_.column_place(column)),
                    "name each column once");
      }
      used_.push_back(column);
      table_.secret_columns.push_back(head_.column_text(column));
      places.push_back(head_.column_place(column));
    }
    table_.secret_place = fmt::format("{}", fmt::join(places, " with "));
    used_.push_back(head_.column(columns_.published, "--public"));
    table_.published_column = head_.column_text(used_.back());
    table_.published_place = head_.column_place(used_.back());
  }

  bool is_missing(std::string_view text) const {
    return text.empty() || std::find(columns_.na.begin(), columns_.na.end(), text) != columns_.na.end();
  }

  void check(const Field* fields, uint64_t line) const {
    for (size_t k = 0; k < used_.size(); ++k) {
      std::string_view text = fields[k].text;
      auto fail = [&](const char* what, const char* hint) {
        return Error(ErrorKind::kData,
                     fmt::format("line {}, {}: {}", line, head_.column_place(used_[k]), what), hint);
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
  CountTuning tuning_;
  ChunkReader reader_;
  const TableHead& head_;
  std::vector<size_t> used_;  // the secret's columns, then the published one
  Tally parted_;              // secrets, before joining
  CountedTable table_;
};

}  // namespace

CountedTable count_table(const TableColumns& columns, const Progress& progress, const CountTuning& tuning) {
  return TableCounter(columns, tuning).count(progress);
}

}  // namespace fugu
