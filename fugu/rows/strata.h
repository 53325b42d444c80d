// The groups of people who agree in a plan's given or known columns: how they are called, and what becomes of
// a row by the stratum that it belongs to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fugu/scenario/scenario.h"

namespace fugu::inline in_rows {

// What stands before the texts of these columns in a group's name.
std::vector<std::string> group_prefixes(const std::vector<std::string>& columns, bool header);

// The name of the group whose columns have these texts, a missing one as its label.
std::string group_name(const std::vector<std::string>& columns, bool header,
                       const std::vector<std::string>& texts);

// Where a row of a plan with known columns belongs.
struct Stratum {
  enum Kind : uint8_t {
    kOwn,      // a stratum that the promise is made for by itself
    kMerged,   // a small one: the promise is made for all small ones together, so that the row is released
               // without what is known
    kLeftOut,  // a small one that no promise is made for: the row is not released
    kUnknown,  // none that the plan has
  } kind = kUnknown;
  const std::vector<std::string>* known =
      nullptr;  // as Prior has it, of the first two; lives as long as Strata
};

// A group by its name: what becomes of its rows, and what is known of its people (as Prior has it; empty
// where it is left out).
struct StratumPlace {
  std::string name;
  Stratum::Kind kind;
  std::vector<std::string> known;
};

class Strata {
 public:
  // Precondition: the scenario's source has known columns.
  explicit Strata(const Scenario& scenario);
  // The same of those that all() gave.
  explicit Strata(const std::vector<StratumPlace>& places);

  // By the name of the group that the known columns make.
  Stratum of(const std::string& name) const;
  std::vector<StratumPlace> all() const;

 private:
  struct Place {
    Stratum::Kind kind;
    std::vector<std::string> known;
  };
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace fugu::inline in_rows
