#include "fugu/law/budget_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "fugu/law/label_text.h"

namespace fugu::inline in_law {
namespace {

constexpr const char* kBudgetsHint =
    "give one number, or one for each that differs and * for the rest: HIV=0.1,A:B=0.2,*=1; quote a label "
    "that holds : , or =";
constexpr const char* kRest = "*";

Error bad_budgets(const std::string& message) {
  return Error(ErrorKind::kUsage, "--epsilon: " + message, kBudgetsHint);
}

// One item of such a list.
struct NamedNumber {
  std::string first;
  std::optional<std::string> second;
  std::string number;
  bool is_rest = false;
};

std::vector<NamedNumber> read_named(std::string_view text, const std::string& flag, const std::string& hint) {
  std::vector<NamedNumber> result;
  auto label = [&](size_t& at) {
    const auto taken = take_label(text, at, ":,=");
    if (!taken) throw Error(ErrorKind::kUsage, flag + ": a quote is not closed", hint);
    return *taken;
  };
  for (size_t at = 0; at <= text.size(); ++at) {
    NamedNumber& item = result.emplace_back();
    const bool quoted = at < text.size() && text[at] == '"';
    item.first = label(at);
    item.is_rest = !quoted && item.first == kRest;
    if (at < text.size() && text[at] == ':') {
      ++at;
      item.second = label(at);
    }
    if (at >= text.size() || text[at] != '=')
      throw Error(ErrorKind::kUsage, fmt::format("{}: '{}' is not followed by =", flag, item.first), hint);
    ++at;
    while (at < text.size() && text[at] != ',') item.number += text[at++];
  }
  return result;
}

uint32_t secret_at(const std::string& label, const std::vector<std::string>& secrets, const char* flag) {
  const auto found = std::find(secrets.begin(), secrets.end(), label);
  if (found != secrets.end()) return static_cast<uint32_t>(found - secrets.begin());
  throw no_such_secret(flag, label);
}

}  // namespace

bool names_budgets(std::string_view text) { return text.find('=') != std::string_view::npos; }

Epsilon common_budget(std::string_view text) {
  if (!names_budgets(text)) return Epsilon::parse(text, "--epsilon", ErrorKind::kUsage);
  std::optional<Epsilon> rest;
  for (const NamedNumber& item : read_named(text, "--epsilon", kBudgetsHint)) {
    if (!item.is_rest || item.second) continue;
    if (rest) throw bad_budgets("* is given twice");
    rest = Epsilon::parse(item.number, "--epsilon", ErrorKind::kUsage);
  }
  if (!rest) throw bad_budgets("nothing says what the others may spend");
  return *rest;
}

std::vector<OwnBudget> parse_own_budgets(std::string_view text, const std::vector<std::string>& secrets) {
  std::vector<OwnBudget> result;
  if (!names_budgets(text)) return result;
  const Epsilon rest = common_budget(text);
  std::set<std::pair<uint32_t, std::optional<uint32_t>>> seen;
  for (const NamedNumber& item : read_named(text, "--epsilon", kBudgetsHint)) {
    if (item.is_rest && !item.second) continue;
    OwnBudget own{secret_at(item.first, secrets, "--epsilon"),
                  {},
                  Epsilon::parse(item.number, "--epsilon", ErrorKind::kUsage)};
    if (item.second) {
      own.second = secret_at(*item.second, secrets, "--epsilon");
      if (own.first == *own.second) throw bad_budgets(fmt::format("'{}' is paired with itself", item.first));
      if (own.first > *own.second) std::swap(own.first, *own.second);
    }
    if (!seen.insert({own.first, own.second}).second)
      throw bad_budgets(item.second
                            ? fmt::format("the pair '{}' and '{}' is given twice", item.first, *item.second)
                            : fmt::format("'{}' is given twice", item.first));
    if (own.epsilon.value() > rest.value())
      throw bad_budgets(fmt::format("'{}' has more than *", item.first));
    result.push_back(std::move(own));
  }
  std::sort(result.begin(), result.end(), [](const OwnBudget& a, const OwnBudget& b) {
    return std::tuple(a.second.has_value(), a.first, a.second) <
           std::tuple(b.second.has_value(), b.first, b.second);
  });
  return result;
}

std::vector<Rational> parse_shares(std::string_view text, const std::vector<std::string>& secrets) {
  constexpr const char* kHintOfShares =
      "give each secret a number above 0, for example --shares HIV=0.02,flu=0.98";
  std::vector<Rational> shares(secrets.size(), Rational(0));
  for (const NamedNumber& item : read_named(text, "--shares", kHintOfShares)) {
    const uint32_t secret = secret_at(item.first, secrets, "--shares");
    const auto share = parse_number(item.number);
    if (item.second || !share || *share <= 0 || shares[secret] != 0) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--shares: '{}' is not given one number above 0", item.first), kHintOfShares);
    }
    shares[secret] = *share;
  }
  const auto lacking = static_cast<size_t>(std::count(shares.begin(), shares.end(), Rational(0)));
  if (lacking > 0) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--shares: {} of the {} secrets {} none", lacking, shares.size(),
                            lacking == 1 ? "has" : "have"),
                kHintOfShares);
  }
  const Rational sum = std::accumulate(shares.begin(), shares.end(), Rational(0));
  if (sum != 1) {
    throw Error(ErrorKind::kUsage, fmt::format("--shares: they add up to {}, not to 1", to_text(sum)),
                "write them as parts of 1, for example HIV=0.02,flu=0.98 or a=1/3,b=2/3");
  }
  return shares;
}

}  // namespace fugu::inline in_law
