// The smallest fault that an audit finds: faults with a size are planted in right releases, and the smallest
// size is looked for at which twenty of twenty audits find it. docs/audit.md has the table, and this holds
// it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <random>

#include "fugu/audit/audit.h"
#include "fugu/audit/memory_file.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/count/table_model.h"
#include "fugu/file/atomic_file.h"
#include "fugu/mechanism/family.h"
#include "fugu/sample/mechanism_sampler.h"
#include "fugu/sample/random.h"
#include "tests/support/audit_checks.h"
#include "tests/support/random_scenario.h"
#include "tests/support/temp_file.h"
#include "tests/support/text_rows.h"

namespace fugu {
namespace {

using testing::csv, testing::fields_of, testing::Rows, testing::rows_of;

constexpr int kRuns = 20;
constexpr std::array kSizes{0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.05, 0.07,
                            0.1,   0.15,  0.2,  0.3,   0.5,  0.7,  1.0};
constexpr std::array<size_t, 3> kTables{1'000, 10'000, 100'000};  // rows, all told
const Rational kUsual(999, 1000);

struct Table {
  std::vector<std::string> header;
  Rows rows;

  size_t place(const std::string& name) const {
    return static_cast<size_t>(std::find(header.begin(), header.end(), name) - header.begin());
  }
  bool has(const std::string& name) const { return place(name) < header.size(); }
  std::string& at(size_t row, const std::string& name) { return rows[row][place(name)]; }
  const std::string& at(size_t row, const std::string& name) const { return rows[row][place(name)]; }
  std::string text() const { return csv(header, rows); }
};

Table read(const std::string& path) {
  std::ifstream first(path), all(path);
  std::string line;
  std::getline(first, line);
  return {fields_of(line), rows_of(all)};
}

Table right_release(const Plan& plan, const std::string& path) {
  MemoryFile out;
  release_rows(plan, path, out.descriptor());
  return read(out.path());
}

class Chance {
 public:
  bool operator()(double probability) { return uniform_(engine_) < probability; }

 private:
  std::mt19937_64 engine_{std::random_device{}()};
  std::uniform_real_distribution<double> uniform_{0, 1};
};

// What a fault of a size does to the released rows of a table.
using Fault = std::function<void(const Plan& plan, const Table& in, Table& out, double size)>;

void scale_too_small(const Plan& plan, const Table& in, Table& out, double size) {
  const Scale scale{plan.noise().scale->value * (1 - size)};
  const MechanismSampler sampler(family_named("laplace")->at(scale, plan.scenario.lattice, 0));
  std::vector<int64_t> index;
  for (size_t row = 0; row < in.rows.size(); ++row) index.push_back(std::stoll(in.at(row, "x")));
  SecureRandom random;
  sampler.release(random, index);
  for (size_t row = 0; row < index.size(); ++row) out.at(row, "x") = std::to_string(index[row]);
}

void noise_of_the_row_before(const Plan&, const Table& in, Table& out, double size) {
  Chance chance;
  for (size_t row = in.rows.size(); --row > 0;) {
    const auto noise = std::stoll(out.at(row - 1, "x")) - std::stoll(in.at(row - 1, "x"));
    if (chance(size)) out.at(row, "x") = std::to_string(std::stoll(in.at(row, "x")) + noise);
  }
}

void kept(const Plan&, const Table& in, Table& out, double size) {
  Chance chance;
  for (size_t row = 0; row < in.rows.size(); ++row) {
    if (chance(size)) out.at(row, "x") = in.at(row, "x");
  }
}

// The value that a secret has most often.
void biased(const Plan&, const Table& in, Table& out, double size) {
  std::map<std::string, std::map<std::string, size_t>> counts;
  for (size_t row = 0; row < in.rows.size(); ++row) ++counts[in.at(row, "s")][in.at(row, "x")];
  std::map<std::string, std::string> typical;
  for (const auto& [secret, values] : counts)
    typical[secret] = std::max_element(values.begin(), values.end(), [](const auto& a, const auto& b) {
                        return a.second < b.second;
                      })->first;
  Chance chance;
  for (size_t row = 0; row < in.rows.size(); ++row) {
    if (chance(size)) out.at(row, "x") = typical[in.at(row, "s")];
  }
}

// Outputs of rows with the same value change hands: one secret gets the even ones, the other the odd ones.
void dealt(const Plan&, const Table& in, Table& out, double size) {
  Chance chance;
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> of_value;
  for (size_t row = 0; row < in.rows.size(); ++row)
    if (chance(size)) of_value[{in.at(row, "x"), in.has("k") ? in.at(row, "k") : ""}].push_back(row);
  auto is_odd = [](const std::string& text) { return text.back() % 2 != 0; };
  for (auto& [value, rows] : of_value) {
    std::vector<std::string> outputs;
    for (size_t row : rows) outputs.push_back(out.at(row, "x"));
    std::stable_partition(outputs.begin(), outputs.end(), is_odd);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](size_t a, size_t b) { return in.at(a, "s") < in.at(b, "s"); });
    for (size_t k = 0; k < rows.size(); ++k) out.at(rows[k], "x") = outputs[k];
  }
}

// Rows are drawn as those of the other stratum.
void drawn_in_the_other_stratum(const Plan& plan, const Table& in, Table& out, double size) {
  Table other = in;
  for (size_t row = 0; row < in.rows.size(); ++row) other.at(row, "k") = in.at(row, "k") == "u" ? "v" : "u";
  const TempFile file(other.text());
  const Table drawn = right_release(plan, file.path());
  Chance chance;
  for (size_t row = 0; row < in.rows.size(); ++row) {
    if (chance(size)) out.at(row, "x") = drawn.at(row, "x");
  }
}

// The second row of a person is the first one's output once more.
void rows_repeated(const Plan&, const Table& in, Table& out, double size) {
  Chance chance;
  for (size_t row = 1; row < in.rows.size(); row += 2) {
    if (chance(size)) out.at(row, "x") = out.at(row - 1, "x");
  }
}

enum class Kind { kNumbers, kLetters, kStrata, kPersons };

// The table of a kind: the secret, the value, and in strata what is known, or of persons whose the row is.
Table table_of(Kind kind, size_t rows) {
  if (kind == Kind::kNumbers) return {{"s", "x"}, testing::two_secrets(rows, 1)};
  if (kind == Kind::kLetters) return {{"s", "x"}, testing::two_secrets(rows, 1, true)};
  Table table{{"s", "x", kind == Kind::kStrata ? "k" : "p"},
              testing::two_secrets(rows, 1, kind == Kind::kStrata)};
  for (size_t row = 0; row < rows; ++row) {
    if (kind == Kind::kStrata) {
      // In v the secrets are nearer to one another, so that less moves.
      table.rows[row].push_back(row % 2 == 0 ? "u" : "v");
      if (row % 8 == 1) table.rows[row][0] = table.rows[row][0] == "a" ? "b" : "a";
    } else {
      if (row % 2 == 1) table.rows[row][0] = table.rows[row - 1][0];
      table.rows[row].push_back(fmt::format("p{}", row / 2));
    }
  }
  return table;
}

Plan plan_of(Kind kind, const std::string& method, const std::string& path) {
  TableQuestion question{.epsilon = testing::epsilon_of(kind == Kind::kPersons ? "1" : "0.3")};
  question.table.path = path;
  question.table.secret = {"s"};
  question.table.published = {"x"};
  if (kind == Kind::kStrata) question.table.known = {"k"};
  if (kind == Kind::kPersons) {
    question.table.person = "p";
    question.table.person_seed = std::string(64, '7');
    question.table.rows_per_person = 2;
  }
  return calibrate(scenario_from_table(question, {}), method, "laplace");
}

struct Case {
  const char* name;   // of the test
  const char* fault;  // as docs/audit.md has it
  bool of_file;
  Kind kind;
  const char* method;
  Fault plant;

  // What stands in the table before the sizes.
  std::string row() const { return fmt::format("| {} | {} |", fault, of_file ? "file" : "plan"); }
  friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.name; }
};

// One audit of a release with a fault of a size: what found it, or nothing.
class Audited {
 public:
  Audited(const Case& one, size_t rows)
      : case_(one),
        rows_(rows),
        table_(table_of(one.kind, one.of_file ? rows : 10'000)),
        file_(table_.text()),
        plan_(plan_of(one.kind, one.method, file_.path())) {}

  Audit audit(double size) const { return case_.of_file ? of_file(size) : of_plan(size); }

  // By which check it is seen best, and where by none by the odds.
  std::optional<std::string> found(double size) const {
    const Audit done = audit(size);
    const Check* best = nullptr;
    for (const Check& check : done.checks)
      if (check.fault && (best == nullptr || check.rarity < best->rarity)) best = &check;
    if (best != nullptr) return best->name;
    return done.contradicts() ? std::optional<std::string>("odds") : std::nullopt;
  }

 private:
  Audit of_plan(double size) const {
    const RowReleaser releaser = [&](const Plan& plan, const std::string& path, int output) {
      Table out = right_release(plan, path);
      case_.plant(plan, read(path), out, size);
      const std::string text = out.text();
      write_all(output, text.data(), text.size(), "test");
    };
    const size_t apart = case_.kind == Kind::kPersons || case_.kind == Kind::kStrata ? 4 : 2;
    return audit_with(plan_, {.draws = rows_ / apart, .confidence = kUsual}, releaser, {});
  }
  Audit of_file(double size) const {
    Table out = right_release(plan_, file_.path());
    case_.plant(plan_, table_, out, size);
    const TempFile released(out.text());
    return fugu::audit(plan_, ReleasedFiles{released.path(), file_.path()},
                       {.draws = 10'000, .confidence = kUsual}, {});
  }

  const Case& case_;
  size_t rows_;
  Table table_;
  TempFile file_;
  Plan plan_;
};

struct Smallest {
  size_t place = kSizes.size();  // among the sizes; their number where none is found
  std::string by;
};

// By halves: what is found stays found where it is larger.
Smallest smallest(const Audited& audited) {
  Smallest found;
  size_t low = 0;
  while (low < found.place) {
    const size_t middle = (low + found.place) / 2;
    std::map<std::string, int> by;
    bool always = true;
    for (int run = 0; run < kRuns && always; ++run) {
      const auto check = audited.found(kSizes[middle]);
      always = check.has_value();
      if (always) ++by[*check];
    }
    if (!always) {
      low = middle + 1;
      continue;
    }
    found.place = middle;
    found.by = std::max_element(by.begin(), by.end(), [](const auto& a, const auto& b) {
                 return a.second < b.second;
               })->first;
  }
  return found;
}

std::string text_of(size_t place) {
  return place < kSizes.size() ? fmt::format("{:g} %", kSizes[place] * 100) : "–";
}

// The sizes that docs/audit.md states for a fault; nothing where it has no such row.
std::vector<size_t> documented(const Case& one) {
  std::ifstream page(FUGU_SOURCE_DIR "/docs/audit.md");
  std::vector<size_t> places;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with(one.row())) continue;
    std::istringstream cells(line.substr(one.row().size()));
    for (std::string cell; places.size() < kTables.size() && std::getline(cells, cell, '|');) {
      size_t place = 0;
      while (place < kSizes.size() && cell.find(" " + text_of(place) + " ") == std::string::npos) ++place;
      places.push_back(place);
    }
  }
  return places;
}

class SmallestFault : public ::testing::TestWithParam<Case> {};

TEST_P(SmallestFault, IsAsDocumented) {
  if (std::getenv("FUGU_SANITIZED") != nullptr) GTEST_SKIP() << "too slow there";
  const Case& one = GetParam();
  const std::vector<size_t> stated = documented(one);
  EXPECT_EQ(stated.size(), kTables.size()) << "docs/audit.md has no row for it";
  std::string row = one.row();
  std::map<std::string, int> by;
  for (size_t k = 0; k < kTables.size(); ++k) {
    const Smallest found = smallest(Audited(one, kTables[k]));
    row += fmt::format(" {} |", text_of(found.place));
    if (!found.by.empty()) ++by[found.by];
    // Twenty of twenty is chance at the edge: one size more is as documented.
    if (k < stated.size()) {
      EXPECT_LE(found.place, stated[k] + 1) << kTables[k] << " rows";
    }
  }
  std::string checks;
  for (const auto& [check, times] : by)
    checks += (checks.empty() ? "" : ", ") + (check == "odds" ? check : "`" + check + "`");
  std::cout << row << " " << checks << " |\n";
}

const Case kCases[] = {
    {"noise_scale", "noise: the scale is too small by", false, Kind::kNumbers, "exact", scale_too_small},
    {"noise_scale_file", "noise: the scale is too small by", true, Kind::kNumbers, "exact", scale_too_small},
    {"noise_reused", "noise: rows with the noise of the row before", false, Kind::kNumbers, "exact",
     noise_of_the_row_before},
    {"noise_reused_file", "noise: rows with the noise of the row before", true, Kind::kNumbers, "exact",
     noise_of_the_row_before},
    {"noise_kept", "noise: rows without noise", false, Kind::kNumbers, "exact", kept},
    {"noise_kept_file", "noise: rows without noise", true, Kind::kNumbers, "exact", kept},
    {"noise_biased_file", "noise: outputs that are the secret's most frequent value", true, Kind::kNumbers,
     "exact", biased},
    {"channel_kept", "channel: rows kept as they are", false, Kind::kLetters, "channel", kept},
    {"channel_kept_file", "channel: rows kept as they are", true, Kind::kLetters, "channel", kept},
    {"channel_biased_file", "channel: outputs that are the secret's most frequent value", true,
     Kind::kLetters, "channel", biased},
    {"swap_kept", "swap: rows kept as they are (flows too small by as much)", false, Kind::kLetters, "swap",
     kept},
    {"swap_kept_file", "swap: rows kept as they are (flows too small by as much)", true, Kind::kLetters,
     "swap", kept},
    {"swap_biased_file", "swap: outputs that are the secret's most frequent value", true, Kind::kLetters,
     "swap", biased},
    {"swap_dealt_file", "swap: odd outputs dealt to one secret", true, Kind::kLetters, "swap", dealt},
    {"strata_kept", "swap with known columns: rows kept as they are", false, Kind::kStrata, "swap", kept},
    {"strata_kept_file", "swap with known columns: rows kept as they are", true, Kind::kStrata, "swap", kept},
    {"strata_other", "swap with known columns: rows drawn in the other stratum", false, Kind::kStrata, "swap",
     drawn_in_the_other_stratum},
    {"strata_other_file", "swap with known columns: rows drawn in the other stratum", true, Kind::kStrata,
     "swap", drawn_in_the_other_stratum},
    {"strata_dealt_file", "swap with known columns: odd outputs dealt to one secret", true, Kind::kStrata,
     "swap", dealt},
    {"persons_repeated", "two rows of a person: the second one's output is the first one's", false,
     Kind::kPersons, "exact", rows_repeated},
    {"persons_kept", "two rows of a person: rows without noise", false, Kind::kPersons, "exact", kept},
};

// Counted over both strata together, what one of them keeps too often the other keeps too rarely.
TEST(AuditFault, RowsDrawnInTheOtherStratumAreCaughtByTheLaw) {
  const Case one{"", "", false, Kind::kStrata, "swap", drawn_in_the_other_stratum};
  EXPECT_TRUE(testing::check_named(Audited(one, 20'000).audit(0.7), "law").fault);
}

TEST(AuditFault, RowsOfAPersonThatRepeatOneAreCaughtByTheRows) {
  const Case one{"", "", false, Kind::kPersons, "exact", rows_repeated};
  EXPECT_TRUE(testing::check_named(Audited(one, 4'000).audit(0.25), "rows").fault);
}

INSTANTIATE_TEST_SUITE_P(Audit, SmallestFault, ::testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace fugu
