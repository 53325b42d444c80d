// Which rows of each person are released, by a plan that takes some (rows/person_draw.h): a first pass over
// the table, before anything is drawn.
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
#include "fugu/rows/person_draw.h"
#include "fugu/scenario/scenario.h"

namespace fugu::inline in_release {

class ChosenRows {
 public:
  // Precondition: layout.person, and the scenario's source names one. Memory for distinct rows of every
  // person. Errors of RowSource::count() and of RowRule::refusal(). Where several rows of a person are taken:
  // Error (data) of people whose rows have different secrets, Error (guarantee) where the bags are not those
  // that the plan was made from.
  ChosenRows(RowSource& source, const RowLayout& layout, const Scenario& scenario, const Progress& progress);

  // Whether this row is one of the person's that are released: true as often as it was chosen, whatever
  // thread asks first. A person who is not among them has no row. `texts` are parted by NUL.
  bool take(std::string_view person, std::string_view texts);

  // As if this row of the person had not come yet: it was refused, and is read again for its line.
  void give_back(std::string_view person, std::string_view texts);

  // The chosen rows; equal ones of a person are one, as often as times().
  size_t size() const { return choices_.size(); }
  std::string_view texts(size_t k) const { return texts_[choices_[k].texts].key; }
  uint64_t line(size_t k) const { return choices_[k].line; }
  uint64_t times(size_t k) const { return choices_[k].times; }

  // Error (io) where take() has not said yes for every chosen row: the rows are not those that were read
  // before.
  void check_taken(const std::string& file) const;

 private:
  struct Choice {
    size_t texts;  // which of texts_
    uint64_t line;
    uint32_t times;
  };
  void choose(std::string_view person, std::string_view texts, uint64_t line);
  void choose_bags(const std::vector<PersonRow>& rows, const std::vector<uint64_t>& lines,
                   const RowLayout& layout, const RowTerms& terms, const Scenario& scenario);
  // Of this person with these texts; size() where there is none.
  size_t find(std::string_view person, std::string_view texts) const;

  Tally people_;
  Tally texts_;                                    // of the chosen rows
  std::vector<Choice> choices_;                    // by person
  std::vector<size_t> first_;                      // of each person's, by people_
  std::unique_ptr<std::atomic<uint32_t>[]> left_;  // of each choice: how often it has not been taken
};

}  // namespace fugu::inline in_release
