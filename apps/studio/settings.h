// What the studio is started with.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/studio/connection.h"
#include "fugu/ask/command_line.h"
#include "fugu/ledger/ledger.h"

namespace fugu::studio {

// How releases are counted against a budget.
struct LedgerUse {
  std::string path = {};          // empty: there is no ledger
  MoreFlags flags = {};           // of a command line that does the same
  bool values_unchanged = false;  // the user's word (SpendRequest)
  std::function<SpendRequest(const std::string& output)> request = {};
  std::function<std::string(const Spent&)> told = {};  // for people
  std::function<std::string(const Plan&)> ahead = {};  // what a release by it would spend, for people
};

struct Settings {
  std::vector<std::string> tables = {};
  std::string folder = ".";   // where releases are written
  bool folder_named = false;  // its tables may be named by the page
  int port = 0;               // 0: any that is free
  LedgerUse ledger = {};
  Limits limits = {};
};

}  // namespace fugu::studio
