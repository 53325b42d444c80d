// The flags by which a release is counted against a budget.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "fugu/core/json.h"
#include "fugu/ledger/ledger.h"

namespace fugu::cli {

// Empty text is a flag not given.
struct LedgerOptions {
  std::string path = {};
  std::string dataset = {};
  std::string budget = {};
  std::string budget_delta = {};
  bool values_unchanged = false;

  bool given() const { return !path.empty(); }
  // Error (usage) for flags that make no request, as far as can be known before the work.
  void check() const;
  // Error (usage) for a file that is not the owner's alone (ledger_file.h).
  void check_file() const;
  // What is asked of the ledger now. `output` is where the release will appear.
  SpendRequest request(const std::string& output) const;
};
void add_ledger_options(CLI::App& command, LedgerOptions& options);

// What is left, for people: lines as fugu release prints them.
std::string spent_text(const Spent& spent);
// {"release", "dataset", "budget", "spent", "left", "releases", "other_data", "assumptions"}.
Json spent_to_json(const Spent& spent);

}  // namespace fugu::cli
