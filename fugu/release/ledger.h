// The ledger: what was released of a dataset, and how much of its budget is left.
//
// One SQLite file, mode 0600: it holds the plans, and with them the counts. An account is a dataset's name
// and its secret columns. It is not the table's digest: one appended row must not buy a fresh budget. A
// release is written down before its output appears, so a crash in between costs budget and never privacy;
// whoever writes holds the file's only lock from before the sum is made, so that two cannot spend the last of
// it.
//
// What all releases of an account promise together is the least sound bound of docs/math.md, section 10,
// against the frequencies of any of their tables. Where nothing is sound the release is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/core/progress.h"
#include "fugu/plan/plan.h"
#include "fugu/table/sqlite.h"
#include "fugu/table/table_head.h"
#include "fugu/verify/compose.h"

namespace fugu {

struct SpendRequest {
  std::string dataset;
  std::optional<Epsilon> budget = {};      // needed by the first release of an account
  std::optional<Delta> budget_delta = {};  // 0 when the first release names none
  std::string time = {};                   // as it will be shown
  // Where the release is about to appear: an absolute path, or a database and its table; empty for standard
  // output.
  std::string output = {};
  std::vector<std::string> kept = {};  // given columns that are released beside
  std::optional<TableHead> table =
      {};  // of the table that is released, where it can be seen (ledger_names.h)
};

struct Account {
  std::string dataset;
  std::vector<std::string> secret;  // column names, sorted
  Rational epsilon, delta;          // the budget
};

// What is spent once a release is written down.
struct Spent {
  int64_t id = 0;
  Account account;
  Composition together;               // of all releases that count, this one included
  size_t releases = 0;                // how many these are
  std::optional<int64_t> other_data;  // an earlier release whose frequencies are not this one's
  bool other_secret = false;  // the dataset has an account for another secret, where this does not count

  // Of the budget's epsilon. The bounds are not sums: this is not what one more release may have.
  Rational left() const { return Rational(account.epsilon - together.epsilon); }
};

enum class ReleaseState { kSpent, kDone, kVoid };

struct LedgerRelease {
  int64_t id = 0;
  std::string time, dataset;
  std::vector<std::string> secret, published;
  std::string digest;  // of the counts
  std::string output;
  std::vector<std::string> kept;
  ReleaseState state = ReleaseState::kSpent;
  std::string reason;  // why it is void
  Plan plan;
};

struct AccountView {
  Account account;
  std::vector<LedgerRelease> releases;
  std::optional<Composition> together;  // absent when nothing counts, or nothing is known
};

class Ledger {
 public:
  // Opens an existing ledger. Error (io) when there is none, Error (usage) when it is not the owner's alone
  // (ledger_file.h), Error (data) when the file is another thing.
  explicit Ledger(const std::string& path);

  // Opens the ledger, or makes it, and writes the release down: when this returns, it is on the disk.
  // Precondition: the plan verifies. Error (usage): no budget where one is needed, or another than before;
  // names that are not the table's own; a file that is not the owner's alone.
  // Error (budget): the budget would be passed, another column was released before, or no bound is sound;
  // then nothing is written.
  static std::pair<Ledger, Spent> spend(const std::string& path, const Plan& plan,
                                        const SpendRequest& request, const Progress& progress = {});

  // The output has appeared.
  void mark_done(int64_t id);
  // Counts the release no more. Error (usage) when there is none of that number, when it is void already, has
  // appeared, may yet appear because its process is still running, or went where that cannot be seen.
  void void_release(int64_t id, const std::string& reason);

  std::vector<AccountView> accounts();

 private:
  struct Fresh {};
  Ledger(const std::string& path, Fresh);
  void check_schema();
  void make_schema();
  std::optional<Account> find_account(const std::string& dataset, const std::vector<std::string>& secret);
  std::vector<LedgerRelease> releases_of(const Account& account);
  bool check_other_accounts(const std::string& dataset, const Source& source,
                            const std::vector<std::string>& kept);

  std::string path_;
  Database database_;
};

// SHA-256 of the frequencies that a plan was made from.
std::string counts_digest(const Scenario& scenario);

// "spent", "done", "void".
std::string state_name(ReleaseState state);

}  // namespace fugu
