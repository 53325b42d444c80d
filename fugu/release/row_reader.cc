#include "fugu/release/row_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/table/row_key.h"

namespace fugu::inline in_release {

uint32_t RowReader::number(const Field* fields, uint64_t line) {
  key_.assign(fields[0].text);
  for (size_t k = 1; k < terms_.fields(); ++k) {
    key_ += '\0';
    key_ += fields[k].text;
  }
  const size_t known = rows_.size();
  const size_t entry = rows_.add(key_, line);
  if (rows_.size() > known) {
    rows_seen_.emplace_back();
    counts_.push_back(0);
    indices_.push_back(0);
    for (size_t k = 0; k < std::min(names_.size(), terms_.fields()); ++k) names_[k].see(fields[k].text);
  }
  if (rows_seen_[entry].placed.kind == Placed::kUnknown) look(fields, line, entry);
  return static_cast<uint32_t>(entry);
}

// A row of texts that were not seen together before, or that were refused.
void RowReader::look(const Field* fields, uint64_t line, size_t entry) {
  std::vector<std::string_view> texts;
  for (size_t k = 0; k < terms_.fields(); ++k) texts.push_back(fields[k].text);
  RowVerdict verdict = rule_.judge(texts);
  if (verdict.kind == RowVerdict::kRefused) {
    if (layout_.person) return;
    throw refusal(verdict, line);
  }
  Seen& seen = rows_seen_[entry];
  const bool outside = verdict.why == RowVerdict::kSmallStratum;
  if (verdict.kind == RowVerdict::kLeftOut) seen.placed = {Placed::kMissing, 0};
  if (verdict.kind == RowVerdict::kLeftOut && !outside) return;
  seen.secret = std::move(verdict.secret);
  seen.group = std::move(verdict.group);
  seen.stratum = verdict.stratum;
  if (outside) return;
  seen.placed = {Placed::kValue, verdict.value.front()};
  if (layout_.draw) {
    const auto place = layout_.draw->place(verdict.stratum.known, verdict.value);
    if (!place) throw Error(ErrorKind::kBug, "a row that the plan knows has no place", "please report this");
    seen.placed.index = *place;
  }
  indices_[entry] = seen.placed.index;
  ++released_;
  seen.value = std::move(verdict.value);
  for (size_t k = 0; k < terms_.published(); ++k) {
    if (rule_.is_missing(texts[k])) missing_.add(k, texts[k]);
  }
}

Error RowReader::refusal(const RowVerdict& verdict, uint64_t line) const {
  return rule_.refusal(verdict, fmt::format("{}, {}", layout_.name.row(line), layout_.places[verdict.field]));
}

void RowReader::check_taken(uint32_t number, uint64_t line) const {
  if (rows_seen_[number].placed.kind != Placed::kUnknown) return;
  throw refusal(rule_.judge(texts_in(rows_[number].key)), line);
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
  if (terms_.only_plain_labels) return;  // which no two share
  // Of one column a label is its text.
  for (size_t k = 0; k < rows_seen_.size(); ++k) {
    const Seen& row = rows_seen_[k];
    if (!row.is_counted() || counts_[k] == 0) continue;
    if (terms_.secrets > 1 && !add_label(row.secret, 0, 1, seen.secrets, seen.parted_secrets))
      throw same_label(place_of(0, terms_.secrets), "secrets");
    if (terms_.given > 1 && !add_label(row.group, 0, 1, seen.groups, seen.parted_groups))
      throw same_label(place_of(terms_.secrets, terms_.given), "groups");
  }
}

void RowReader::add_weighted(uint32_t number, std::string_view weight, uint64_t line, uint64_t times) {
  if (!rows_seen_[number].is_counted()) return;
  const auto mass = mass_of(Extra::kWeight, weight);
  if (!mass) {
    throw no_mass(Extra::kWeight,
                  fmt::format("{}, {}", layout_.name.row(line), layout_.places[*layout_.weight]));
  }
  if (*mass == 0) return;
  add(number, times);
  rows_seen_[number].mass += *mass * times;
}

void RowReader::collect(const std::vector<Point>& points, CellCounts& counts, CellMasses& masses) const {
  for (size_t k = 0; k < rows_seen_.size(); ++k) {
    const Seen& row = rows_seen_[k];
    if (!row.is_counted() || counts_[k] == 0) continue;
    const bool outside = row.placed.kind != Placed::kValue;  // of whose values nothing is known
    int64_t atom = outside ? -1 : row.value.front();
    if (terms_.released > 1 && !outside) {
      atom = index_of(points, row.value);
      if (atom == static_cast<int64_t>(points.size()) || points[static_cast<size_t>(atom)] != row.value)
        atom = -1;
    }
    counts[{row.group.label, row.secret.label, atom}] += counts_[k];
    if (layout_.weight) masses[{row.group.label, row.secret.label, atom}] += row.mass;
  }
}

}  // namespace fugu::inline in_release
