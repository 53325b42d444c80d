#include "fugu/release/row_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/release/left_out_row.h"

namespace fugu {

bool RowReader::is_missing(std::string_view text) const { return means_missing(text, source_.na); }

uint32_t RowReader::find(const Field* fields, uint64_t line) {
  key_.assign(fields[0].text);
  for (size_t k = 1; k < layout_.published() + layout_.released; ++k) {
    key_ += '\0';
    key_ += fields[k].text;
  }
  const size_t known = rows_.size();
  const size_t entry = rows_.add(key_, line);
  if (rows_.size() > known) {
    rows_seen_.emplace_back();
    for (size_t k = 0; k < std::min(names_.size(), layout_.published() + layout_.released); ++k)
      names_[k].see(fields[k].text);
  }
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

// Whether a prior that may be this person's gives mass to the value.
bool RowReader::has_mass(const Placed& placed, const std::string& group) const {
  if (!layout_.values) return true;
  const std::string known = layout_.given == source_.given.size() ? group : "";
  return layout_.released == 1 ? layout_.values->has(known, placed.index)
                               : layout_.values->has(known, joint(placed.index));
}

Error RowReader::fail(size_t field, uint64_t line, const char* what, const char* hint) const {
  return Error(ErrorKind::kData,
               fmt::format("{}, {}: {}", layout_.name.row(line), layout_.places[field], what), hint);
}

// What becomes of a row that is to be left out for a field.
Placed RowReader::left_out(size_t field, uint64_t line) const {
  if (layout_.keeps)
    throw seen_to_be_left_out(fmt::format("{}, {}", layout_.name.row(line), layout_.places[field]));
  return {Placed::kMissing, 0};
}

// The labels of a row's secret and group, and the first of their fields for which it is to be left out.
std::optional<size_t> RowReader::join(const Field* fields, JoinedLabel& secret, JoinedLabel& group,
                                      uint64_t line) const {
  std::optional<size_t> leaves;
  for (size_t k = 0; k < layout_.published(); ++k) {
    const std::string_view text = fields[k].text;
    const bool gone = is_missing(text);
    if (gone && source_.missing == "error" && !drop_)
      throw fail(k, line, "the field is missing", "--missing drop leaves such rows out");
    // What is missing has that label, and nothing else.
    const bool named = !gone && source_.missing == "keep" && text == kMissingLabel;
    if (named && !drop_) {
      throw fail(k, line, "the text is the label that --missing keep gives to missing fields",
                 "change the text in the file, or leave such rows out with --missing drop");
    }
    if (!leaves && (named || (gone && (drop_ || source_.missing == "drop")))) leaves = k;
    const std::string_view label = gone ? std::string_view(kMissingLabel) : text;
    if (k < layout_.secrets) {
      secret.add("", label);
    } else {
      group.add(layout_.given_names[k - layout_.secrets], label);
    }
  }
  return leaves;
}

// The value of a row, or kMissing where the row is to be left out for it.
Placed RowReader::value_of(const Field* fields, uint64_t line, const std::string& group) {
  const size_t published = layout_.published();
  size_t column = 0;
  Placed placed = place(fields + published, column);
  const bool together = placed.kind == Placed::kValue && layout_.released > 1;
  if (placed.kind == Placed::kValue && !has_mass(placed, group)) placed = {};
  const bool missing = placed.kind == Placed::kMissing;
  if (placed.kind != Placed::kValue && !drop_ && !(missing && source_.missing == "drop")) {
    if (missing)
      throw fail(published + column, line, "the field is missing", "--missing drop leaves such rows out");
    throw fail(
        published + column, line,
        together ? "the plan does not know this value together with those of the other released columns"
                 : "the plan does not know this value",
        "correct the row, calibrate with a table that has it, or leave such rows out with --missing drop");
  }
  return placed.kind == Placed::kValue ? placed : left_out(published + column, line);
}

// A row of texts that were not seen together before, or that were refused.
void RowReader::look(const Field* fields, uint64_t line, size_t entry) {
  const size_t published = layout_.published();
  JoinedLabel secret, group;
  if (const auto field = join(fields, secret, group, line)) {
    rows_seen_[entry].placed = left_out(*field, line);
    return;
  }
  const bool plain = !layout_.only_plain_labels || splits_once(secret.label, secret_names_);
  const bool known = !layout_.known_secrets || (plain && layout_.known_secrets->contains(secret.label));
  if (!known && !drop_) {
    throw plain
        ? fail(0, line, "the plan does not know this secret",
               "the plan promises nothing for it: calibrate with a table that has it, or leave such "
               "rows out with --missing drop")
        : fail(0, line, "joined with ' & ', this secret has the text of another one as well",
               "replace ' & ' inside the values of the secret's columns and calibrate again, or leave "
               "such rows out with --missing drop");
  }
  const bool covered =
      !layout_.groups || (layout_.groups->contains(group.label) &&
                          (!layout_.only_plain_labels || splits_once(group.label, layout_.given_names)));
  if (!covered && !drop_) {
    throw fail(layout_.secrets, line, "the plan does not cover this group of the kept columns",
               "release without --keep, or calibrate with such rows");
  }
  rows_seen_[entry].secret = std::move(secret);
  rows_seen_[entry].group = std::move(group);
  if (!known || !covered) {
    rows_seen_[entry].placed = left_out(known ? layout_.secrets : 0, line);
    return;
  }
  const Placed placed = value_of(fields, line, rows_seen_[entry].group.label);
  rows_seen_[entry].placed = placed;
  if (placed.kind != Placed::kValue) return;
  for (size_t k = 0; k < published; ++k) {
    if (is_missing(fields[k].text)) missing_.add(k, fields[k].text);
  }
}

std::string RowReader::place_of(size_t first, size_t count) const {
  const auto begin = layout_.places.begin() + static_cast<ptrdiff_t>(first);
  return fmt::format("{}: {}", layout_.name.file,
                     fmt::join(begin, begin + static_cast<ptrdiff_t>(count), " with "));
}

void RowReader::check_labels(LabelsSeen& seen) const {
  if (seen.names.empty()) seen.names = layout_.names;
  for (size_t k = 0; k < names_.size(); ++k) seen.names[k].see(names_[k]);
  if (const auto column = seen.missing.add(missing_)) throw missing_in_two_ways(place_of(*column, 1));
  if (layout_.only_plain_labels) return;  // which no two share
  // Of one column a label is its text.
  for (const Seen& row : rows_seen_) {
    if (row.placed.kind != Placed::kValue) continue;
    if (layout_.secrets > 1 && !add_label(row.secret, 0, 1, seen.secrets, seen.parted_secrets))
      throw same_label(place_of(0, layout_.secrets), "secrets");
    if (layout_.given > 1 && !add_label(row.group, 0, 1, seen.groups, seen.parted_groups))
      throw same_label(place_of(layout_.secrets, layout_.given), "groups");
  }
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
    counts[{row.group.label, row.secret.label, atom}] += row.count;
  }
}

}  // namespace fugu
