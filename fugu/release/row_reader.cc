#include "fugu/release/row_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/models/table_count.h"

namespace fugu {

bool RowReader::is_missing(std::string_view text) const {
  return text.empty() || std::find(source_.na.begin(), source_.na.end(), text) != source_.na.end();
}

uint32_t RowReader::find(const Field* fields, uint64_t line) {
  key_.assign(fields[0].text);
  for (size_t k = 1; k < layout_.published() + layout_.released; ++k) {
    key_ += '\0';
    key_ += fields[k].text;
  }
  const size_t known = rows_.size();
  const size_t entry = rows_.add(key_, line);
  if (rows_.size() > known) rows_seen_.emplace_back();
  if (rows_seen_[entry].placed.kind == Placed::kUnknown) look(fields, line, entry);
  return static_cast<uint32_t>(entry);
}

// The value of the published fields, and which column decides where it is none: an unknown text before a
// missing one.
Placed RowReader::place(const Field* published, size_t& column) {
  if (layout_.released == 1) return values_[0].place(published[0].text);
  Point point;
  Placed result{Placed::kValue, 0};
  for (size_t c = 0; c < layout_.released; ++c) {
    const Placed here = values_[c].place(published[c].text);
    point.push_back(here.index);
    const bool worse = here.kind == Placed::kUnknown
                           ? result.kind != Placed::kUnknown
                           : here.kind == Placed::kMissing && result.kind == Placed::kValue;
    if (!worse) continue;
    result.kind = here.kind;
    column = c;
  }
  if (result.kind != Placed::kValue) return result;
  result.index = static_cast<int64_t>(joints_.size());
  joints_.push_back(std::move(point));
  return result;
}

// A row of texts that were not seen together before, or that were refused.
void RowReader::look(const Field* fields, uint64_t line, size_t entry) {
  auto fail = [&](size_t field, const char* what, const char* hint) {
    return Error(ErrorKind::kData,
                 fmt::format("{}, {}: {}", layout_.name.row(line), layout_.places[field], what), hint);
  };
  bool missing = false;
  const size_t published = layout_.published();
  std::string secret, group;
  for (size_t k = 0; k < published; ++k) {
    const bool gone = is_missing(fields[k].text);
    missing = missing || gone;
    if (gone && source_.missing == "error" && !drop_) {
      throw fail(k, "the field is missing", "--missing drop leaves such rows out");
    }
    const bool of_secret = k < layout_.secrets;
    std::string& label = of_secret ? secret : group;
    if (k > (of_secret ? 0 : layout_.secrets)) label += " & ";
    if (!of_secret) label += layout_.given_names[k - layout_.secrets] + " = ";
    label += gone ? std::string_view(kMissingLabel) : fields[k].text;
  }
  if (missing && (drop_ || source_.missing == "drop")) {
    rows_seen_[entry].placed = {Placed::kMissing, 0};
    return;
  }
  const bool known = !layout_.known_secrets || layout_.known_secrets->contains(secret);
  if (!known && !drop_) {
    throw fail(0, "the plan does not know this secret",
               "the plan promises nothing for it: calibrate with a table that has it, or leave such rows out "
               "with --missing drop");
  }
  const bool covered = !layout_.groups || layout_.groups->contains(group);
  if (!covered && !drop_) {
    throw fail(
        layout_.secrets, "the plan does not cover this group of the kept columns",
        "leave such rows out with --missing drop, release without --keep, or calibrate with such rows");
  }
  rows_seen_[entry].secret = std::move(secret);
  rows_seen_[entry].group = std::move(group);
  size_t column = 0;
  const Placed placed = known && covered ? place(fields + published, column) : Placed{Placed::kUnknown, 0};
  if (drop_ && placed.kind != Placed::kValue) {
    rows_seen_[entry].placed = {Placed::kMissing, 0};
    return;
  }
  if (placed.kind == Placed::kUnknown) {
    throw fail(
        published + column, "the plan does not know this value",
        "correct the row, calibrate with a table that has it, or leave such rows out with --missing drop");
  }
  if (placed.kind == Placed::kMissing && source_.missing != "drop") {
    throw fail(published + column, "the field is missing", "--missing drop leaves such rows out");
  }
  rows_seen_[entry].placed = placed;
}

void RowReader::collect(CellCounts& counts) const {
  for (const Seen& row : rows_seen_) {
    if (row.placed.kind != Placed::kValue) continue;
    int64_t atom = row.placed.index;
    if (layout_.released > 1) {
      const Point& point = joint(atom);
      atom = index_of(scenario_.points, point);
      if (atom == static_cast<int64_t>(scenario_.points.size()) ||
          scenario_.points[static_cast<size_t>(atom)] != point)
        atom = -1;
    }
    counts[{row.group, row.secret, atom}] += row.count;
  }
}

}  // namespace fugu
