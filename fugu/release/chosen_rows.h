// Which row of each person is released, by a plan that takes one (rows/person_draw.h): a first pass over the
// table, before anything is drawn.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/count/row_source.h"
#include "fugu/release/row_reader.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_release {

class ChosenRows {
 public:
  // Precondition: layout.person. Memory for distinct rows of every person. Errors of RowSource::count() and
  // of RowRule::refusal().
  ChosenRows(RowSource& source, const RowLayout& layout, const Person& person, const Progress& progress);

  // Whether this row is the person's that is released: true once for each person, whatever thread asks first.
  // A person who is not among them has no row. `texts` are parted by NUL.
  bool take(std::string_view person, std::string_view texts);

  // As if the person's row had not come yet: it was refused, and is read again for its line.
  void give_back(std::string_view person);

  // The chosen rows, one of each person.
  size_t size() const { return choices_.size(); }
  std::string_view texts(size_t k) const { return texts_[choices_[k]].key; }
  uint64_t line(size_t k) const { return people_[k].line; }

  // Error (io) where take() has not said yes for everybody: the rows are not those that were read before.
  void check_taken(const std::string& file) const;

 private:
  Tally people_;                 // with the lines of their rows
  Tally texts_;                  // of the chosen rows
  std::vector<size_t> choices_;  // by person: which of these texts
  std::unique_ptr<std::atomic<bool>[]> taken_;
};

}  // namespace fugu::inline in_release
