#include "fugu/rows/field_values.h"

#include <algorithm>

#include "fugu/rows/joined_label.h"

namespace fugu::inline in_rows {

FieldValues::FieldValues(const Source& source, const Lattice& lattice, std::pair<int64_t, int64_t> range,
                         const std::vector<int64_t>* known)
    : known_(known ? std::optional(*known) : std::nullopt),
      na_(source.na),
      shape_(source.shape(), lattice),
      keeps_missing_(source.missing == Missing::kKeep),
      range_(range) {}

Placed FieldValues::place(std::string_view text) const {
  const Placed placed = find(text);
  const bool known = placed.kind != Placed::kValue || !known_ ||
                     std::binary_search(known_->begin(), known_->end(), placed.index);
  return known ? placed : Placed{};
}

Placed FieldValues::find(std::string_view text) const {
  const bool missing = means_missing(text, na_);
  if (shape_.reads_categories()) {
    // A category of that very name is no missing field.
    const bool kept = keeps_missing_ && missing, named = keeps_missing_ && text == kMissingLabel;
    if (kept && shape_.index(kMissingLabel)) return {Placed::kValue, *shape_.index(kMissingLabel)};
    if (named) return {};
  }
  if (missing) return {Placed::kMissing, 0};
  const auto mapped = shape_.mapped(text);
  const auto index = mapped ? shape_.place(*mapped) : std::nullopt;
  if (shape_.reads_categories()) return index ? Placed{Placed::kValue, *index} : Placed{};
  // Beyond the range of every prior the promise says nothing.
  return index && *index >= range_.first && *index <= range_.second ? Placed{Placed::kValue, *index}
                                                                    : Placed{};
}

}  // namespace fugu::inline in_rows
