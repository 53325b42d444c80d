#include "fugu/ask/crowd_question.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>

#include "fugu/ask/lists.h"
#include "fugu/core/error.h"
#include "fugu/mechanism/family.h"

namespace fugu::inline in_ask {
namespace {

CrowdPairs read_pairs(const std::string& text) {
  if (text.empty()) return CrowdPairs::kBoth;
  for (CrowdPairs pairs : {CrowdPairs::kBoth, CrowdPairs::kValues, CrowdPairs::kAbsent}) {
    if (text == crowd_pairs_name(pairs)) return pairs;
  }
  throw usage(fmt::format("--pairs: '{}' is unknown", text), "use one of both, values, absent");
}

uint64_t read_users(const std::string& text) {
  uint64_t users = 0;
  const char* end = text.data() + text.size();
  const auto [read, failed] = std::from_chars(text.data(), end, users);
  if (failed != std::errc() || read != end || users < 1 || users > 10'000'000) {
    throw usage(fmt::format("--users: '{}' is not a number of users", text),
                "give a number from 1 to 10,000,000");
  }
  return users;
}

// Users who are all alike are read as one, and copied.
UserBeliefs read_beliefs(const CrowdOptions& options, const std::vector<std::string>& letters) {
  if (options.table) return beliefs_of(*options.table, letters, "probabilities");
  if (!options.probabilities.empty()) {
    const std::string place = options.probabilities == "-" ? "standard input" : options.probabilities;
    return beliefs_of(read_user_table(options.probabilities), letters, place);
  }
  const auto p = parse_number(options.p);
  if (!p || *p < 0 || *p > 1)
    throw usage(fmt::format("--p: '{}' is not a probability", options.p),
                "give a number from 0 to 1, such as 0.7");
  return beliefs_of({{}, {{*p}}, {1}}, letters, "--p");
}

// A list of numbers, or the name of a file.
std::vector<std::vector<Rational>> read_values(const std::string& text,
                                               const std::vector<std::string>& letters) {
  std::vector<Rational> row;
  if (text.empty()) {
    for (size_t k = 0; k < letters.size(); ++k) row.emplace_back(k);
    return {row};
  }
  const auto items = split_list(text, "--values");
  for (const std::string& item : items) {
    if (const auto value = parse_number(item)) row.push_back(*value);
  }
  if (row.size() == items.size()) return {row};
  if (items.size() == letters.size() && items.size() > 1 && access(text.c_str(), F_OK) != 0)
    throw usage("--values: not every value is a number", "for example --values 0,1,5, or the name of a file");
  return values_of(read_user_table(text), letters, text == "-" ? "standard input" : text);
}

}  // namespace

void CrowdOptions::check() const {
  const bool alike = !users.empty() || !p.empty();
  const bool listed = !probabilities.empty() || table;
  if (listed == alike) {
    throw usage(alike ? "--probabilities: --users is also given" : "no users are given",
                "give --users N --p P for users who are alike, or --probabilities FILE");
  }
  if (alike && (users.empty() || p.empty()))
    throw usage(p.empty() ? "--p is missing" : "--users is missing", "for example --users 25 --p 0.7");
  if (!users.empty()) read_users(users);
  read_pairs(pairs);
}

std::vector<std::string> CrowdOptions::noises(const Budget& budget, bool several) const {
  std::vector<std::string> names = split_list(noise, "--noise");
  for (const std::string& name : names) family_named(name);
  if (names.empty()) names = {"laplace"};
  if (noise.empty() && several && !budget.delta.is_zero()) names.emplace_back("gaussian");
  if (names.size() > 1 && !several)
    throw usage("--noise: a plan has one noise", "name one, or add --compare to see them side by side");
  return names;
}

Crowd read_crowd(const CrowdOptions& options) {
  options.check();
  UserBeliefs beliefs = read_beliefs(options, split_list(options.letters, "--letters"));
  const auto values = read_values(options.values, beliefs.letters);
  if (options.users.empty()) return make_crowd(std::move(beliefs), values, read_pairs(options.pairs));
  if (values.size() > 1)
    throw usage("--values: users who are alike have the same values",
                "give one list, or --probabilities FILE");
  return make_crowd(std::move(beliefs), values, read_pairs(options.pairs), read_users(options.users));
}

}  // namespace fugu::inline in_ask
