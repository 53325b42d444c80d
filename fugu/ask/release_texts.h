// What is asked of a release besides its question and plan, in texts.
#pragma once

#include <string>

namespace fugu::inline in_ask {

// Empty text is a flag not given.
struct ReleaseTexts {
  std::string plan = {};
  std::string keep = {};
  std::string keep_unprotected = {};
  std::string publish_min = {};
  bool new_data = false, nearest = false, shuffle = false, keep_order = false;
};

// Where it goes.
struct ReleaseOutput {
  std::string output = {};
  std::string into = {};
  bool force = false;
};

// Which budget it is counted against.
struct LedgerTexts {
  std::string path = {};
  std::string dataset = {};
  std::string budget = {};
  std::string budget_delta = {};
  bool values_unchanged = false;

  bool given() const { return !path.empty(); }
};

}  // namespace fugu::inline in_ask
