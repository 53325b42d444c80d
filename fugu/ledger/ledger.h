// The ledger: what was released of a dataset, and how much of its budget is left.
//
// One SQLite file, mode 0600: it holds the plans, and with them the counts. An account is a dataset's name
// and its secret columns. It is not the table's digest: one appended row must not buy a fresh budget. A
// release is written down before its output appears, so a crash in between costs budget and never privacy;
// whoever writes holds the file's only lock from before the sum is made, so that two cannot spend the last of
// it.
//
// What all releases of an account promise together is the least sound bound of docs/math.md, section 10,
// against the frequencies of any of their tables (ledger_sum.h). Where nothing is sound the release is
// refused. Releases of other accounts of the dataset count in it where they release its column, or where
// their secrets share a column with its own: a constant column beside the secret must not buy a fresh budget.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fugu/compose/compose.h"
#include "fugu/core/progress.h"
#include "fugu/database/sqlite.h"
#include "fugu/plan/plan.h"
#include "fugu/table/table_head.h"

namespace fugu::inline in_ledger {

// What a release saw of its rows: by it the ledger finds out which releases are of the same values.
struct RowsSeen {
  std::string digest = {};  // ReleaseSummary::rows_digest; empty when nothing is read yet
  bool counted = false;     // the plan's counts are those of the rows
  bool drops = false;       // rows may have been left out for what they hold
};

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
  RowsSeen rows = {};
  // The user's word: nobody's value of the released column, nor of a kept one, has changed since its first
  // release in this dataset. People may have come, or left.
  bool values_unchanged = false;
  bool reserve = false;  // nothing is released: what later releases of the columns may spend (family.h)
};

struct Account {
  std::string dataset;
  std::vector<std::string> secret;  // column names, sorted
  Rational epsilon, delta;          // the budget
};

// How many releases fit; or more, where nobody looked further.
struct More {
  int64_t releases = 0;
  bool or_more = false;
  friend bool operator==(const More&, const More&) = default;
};

// Of an account whose releases are all Laplace noise on one column: their influences add up, for each step,
// and what is left may go to any releases of the same values (compose/influence.h).
struct InfluenceLeft {
  double spent = 0;                 // rounded up
  std::optional<double> most = {};  // what the budget allows, rounded down; absent: any amount
  std::string column = {};          // the one whose values these are
  // Rounded down. Precondition: there is a most.
  double left() const;
};

// What is spent once a release is written down.
struct Spent {
  int64_t id = 0;
  Account account;
  Composition together;                  // of all releases that count, this one included
  size_t releases = 0;                   // how many these are
  std::vector<std::string> assumptions;  // about their values, in sentences
  std::optional<int64_t> other_data;     // an earlier release whose frequencies are not this one's
  // The dataset has an account whose secret shares no column with this one, where this does not count.
  bool other_secret = false;
  std::optional<More> more = {};                // like this one, after it
  std::optional<InfluenceLeft> influence = {};  // with this one

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
  RowsSeen rows;                  // its digest salted
  bool values_unchanged = false;  // the word that came with it
  bool reserved = false;          // a reservation: nothing was released

  bool counts() const { return state != ReleaseState::kVoid; }
};

// What is left of a reservation, by column: of influence for each step, rounded down.
struct ReservedColumn {
  std::string name;
  double influence = 0, left = 0;
};
struct Reservation {
  int64_t id = 0;
  std::vector<ReservedColumn> columns = {};
  std::vector<int64_t> members = {};  // releases that keep within it
};

struct AccountView {
  Account account;
  std::vector<LedgerRelease> releases = {};  // its own
  std::vector<Reservation> reservations = {};
  size_t counted = 0;                        // how many releases count, those of other accounts included
  std::optional<Composition> together = {};  // absent when nothing counts, or no bound is known
  std::vector<std::string> assumptions = {};
  std::optional<InfluenceLeft> influence = {};
  int64_t last = 0;               // the last of its releases that counts; 0 when there is none
  std::optional<More> more = {};  // like that one
};

// What would become of a release, before anything is spent.
struct Outlook {
  Account account;
  size_t releases = 0;                          // that count already
  std::optional<Composition> spent = {};        // by these; absent when none counts, or no bound is known
  std::optional<Composition> together = {};     // with the release; absent when it would be refused
  std::string refusal = {}, hint = {};          // why it would be
  More more = {};                               // like it: itself and further ones
  std::optional<InfluenceLeft> influence = {};  // without it
  std::optional<double> of_release = {};        // its own influence, rounded up
  std::string column = {};                      // what it releases
  std::vector<std::string> assumptions = {};
};

class Ledger {
 public:
  // Opens an existing ledger. Error (io) when there is none, Error (usage) when it is not the owner's alone
  // (ledger_file.h), Error (data) when the file is another thing.
  explicit Ledger(const std::string& path);

  // Opens the ledger, or makes it, and writes the release down: when this returns, it is on the disk.
  // Precondition: the plan verifies. Error (usage): no budget where one is needed, or another than before;
  // names that are not the table's own; a word that the counts contradict; a file that is not the owner's
  // alone. Error (budget): a budget would be passed, a column that another release changed would be written
  // as it is, or no bound is sound; then nothing is written.
  static std::pair<Ledger, Spent> spend(const std::string& path, const Plan& plan,
                                        const SpendRequest& request, const Progress& progress = {});

  // What spend() would say, and how many releases like this one fit; nothing is written. Without a digest of
  // rows they are taken to be those of the last release with the same columns and frequencies. Error (usage)
  // where there would be no account, or where spend() has one.
  static Outlook ask(const std::string& path, const Plan& plan, const SpendRequest& request);
  // Fills in what is left after a release, as far as that can be told.
  void look_ahead(Spent& spent);

  // The output has appeared.
  void mark_done(int64_t id);
  // Counts the release no more. Error (usage) when there is none of that number, when it is void already, has
  // appeared, may yet appear because its process is still running, or went where that cannot be seen; of a
  // reservation when a release keeps within it.
  void void_release(int64_t id, const std::string& reason);

  std::vector<AccountView> accounts();

 private:
  struct Fresh {};
  Ledger(const std::string& path, Fresh);
  std::vector<Account> accounts_of(const std::string& dataset);
  // All that was written down of the dataset, in order.
  std::vector<LedgerRelease> releases_of(const std::string& dataset);
  int64_t write_down(const Plan& plan, const SpendRequest& request);

  std::string path_;
  Database database_;
};

// SHA-256 of the frequencies that a plan was made from.
std::string counts_digest(const Scenario& scenario);

// "spent", "done", "void".
std::string state_name(ReleaseState state);
// The same, and "reserved".
std::string state_name(const LedgerRelease& release);

}  // namespace fugu::inline in_ledger
