#include "fugu/release/rows_reader.h"

#include <algorithm>
#include <utility>

#include "fugu/core/error.h"
#include "fugu/csv/csv_field.h"
#include "fugu/table/hot.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_release {

bool are_alone(const ReleaseColumns& columns) {
  const RowLayout& rows = columns.rows;
  return !rows.person && !rows.weight && columns.covered.empty() && rows.watched.columns.empty();
}

RowsReader::RowsReader(const ReleaseInput& input, const ReleaseColumns& columns, ChosenRows* chosen)
    : input_(input),
      columns_(columns),
      layout_(columns.rows),
      chosen_(chosen),
      scanner_(input.layout()),
      reader_(layout_),
      watched_(layout_.watched) {}

RowsDone RowsReader::read(const RowsToRelease& rows, uint64_t first_line) {
  RowsDone read;
  kept_.clear();
  if (are_alone(columns_)) {
    read_alone(rows, first_line, read);
  } else {
    read_among_others(rows.chunk, first_line, read);
  }
  read.released = numbers_.size();
  return read;
}

void RowsReader::read_alone(const RowsToRelease& rows, uint64_t first_line, RowsDone& read) {
  // A record has a byte after each field, but for the last one of the table. Of a database fewer columns
  // are read than it has.
  const size_t most = rows.part ? rows.part->rows() : rows.chunk.text().size() / input_.layout().columns + 1;
  if (room_.size() < most) room_.resize(most);
  if (input_.order() && !has_learnt_) learn();
  uint32_t* end = room_.data();
  if (rows.part) {
    read.scanned = {rows.part->rows(), rows.part->lines};
    end = read_remembered(*rows.part);
  } else {
    RowReader& reader = reader_;
    read.scanned = scanner_.scan(rows.chunk, first_line,
                                 [&](const Field* fields, uint64_t line, std::string_view)
                                     FUGU_HOT_LAMBDA { *end++ = reader.scanned_number(fields, line); });
  }
  if (!reader_.releases_all()) {
    end = std::remove_if(room_.data(), end, [&](uint32_t number) {
      const bool is_value = reader_.placed(number).kind == Placed::kValue;
      if (is_value || !reader_.is_counted(number)) return !is_value;
      reader_.add(number);
      ++read.outside;
      return true;
    });
  }
  numbers_ = {room_.data(), end};
  for (const uint32_t number : numbers_) reader_.add(number);
}

// Their numbers, without a look at their texts.
uint32_t* RowsReader::read_remembered(const RowOrder::Part& part) {
  auto known_as = [&known = input_.numbers(part.counter)](size_t number) { return known[number]; };
  return part.wide.empty() ? std::ranges::transform(part.narrow, room_.data(), known_as).out
                           : std::ranges::transform(part.wide, room_.data(), known_as).out;
}

// Every row that was counted, in the order of their first lines: what is refused is the first in the table,
// and the reader gives them the same numbers.
void RowsReader::learn() {
  const Tally& rows = input_.distinct();
  for (size_t row = 0; row < rows.size(); ++row) {
    std::vector<Field> fields;
    for (std::string_view text : texts_in(rows[row].key)) fields.push_back({text, text});
    if (reader_.number(fields.data(), rows[row].line) != row)
      throw Error(ErrorKind::kBug, "rows that were counted are not told apart", "please report this");
  }
  has_learnt_ = true;
}

void RowsReader::read_among_others(const Chunk& chunk, uint64_t first_line, RowsDone& read) {
  const size_t first_kept = layout_.terms.fields(), fields_kept = columns_.covered.size();
  const size_t first_watched = layout_.wanted.size() - layout_.watched.columns.size();
  room_.clear();
  auto visit = [&](const Field* fields, uint64_t line, std::string_view) FUGU_HOT_LAMBDA {
    const uint32_t number = reader_.scanned_number(fields, line);
    const Placed placed = reader_.placed(number);
    for (size_t k = first_watched; k < layout_.wanted.size(); ++k)
      watched_.add(k - first_watched, fields[k].text);
    if (chosen_) {
      const std::string_view person = fields[*layout_.person].text;
      if (!chosen_->take(person, reader_.texts(number))) {
        const bool left_out = placed.kind == Placed::kMissing && !reader_.is_counted(number);
        read.undrawn += left_out ? 0 : 1;
        return;
      }
      if (placed.kind == Placed::kUnknown) chosen_->give_back(person, reader_.texts(number));
      reader_.check_taken(number, line);
    }
    if (!reader_.is_counted(number)) return;
    if (layout_.weight) {
      reader_.add_weighted(number, fields[*layout_.weight].text, line);
    } else {
      reader_.add(number);
    }
    if (placed.kind != Placed::kValue) {
      ++read.outside;
      return;
    }
    room_.push_back(number);
    for (size_t k = 0; k < fields_kept; ++k) {
      const Field& field = fields[first_kept + k];
      reader_.see_kept(first_kept + k, field.text);
      // The promise for a small stratum is not made to those who know which one it is.
      const bool hidden = reader_.stratum(number).kind == Stratum::kMerged;
      kept_.push_back(columns_.covered[k] ? text_of_group(hidden ? "" : field.text) : field.raw);
    }
  };
  read.scanned = scanner_.scan(chunk, first_line, visit);
  numbers_ = room_;
}

// How a covered field is written: by its meaning alone. Blanks, quotes, or how a missing one was written
// may go with the secret, and the plan speaks of groups, not of texts.
std::string_view RowsReader::text_of_group(std::string_view text) {
  std::string written = reader_.rule().is_missing(text) ? "" : csv_field(text, input_.head().separator);
  return *texts_.insert(std::move(written)).first;
}

}  // namespace fugu::inline in_release
