#include "fugu/plan/left_out_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fugu::inline in_plan {
namespace {

// The rows of one secret under one prior.
struct SecretRows {
  Integer gone{0}, there{0};
};

// The largest of some ratios; nullopt where one has no limit.
class Largest {
 public:
  // P(event | s) / P(event | t), from how often it happened among so many.
  void add(const Integer& s, const Integer& all_s, const Integer& t, const Integer& all_t) {
    if (s == 0 || all_s == 0 || all_t == 0) return;
    if (t == 0) {
      limit_.reset();
    } else if (limit_) {
      limit_ = std::max(*limit_, Rational(s * all_t, all_s * t));
    }
  }
  // Rounded up.
  std::string words() const {
    if (!limit_) return "without limit";
    const Integer thousandths = -floor(Rational(-*limit_ * 1000));
    return fmt::format("by a factor of up to {}", to_text(Rational(thousandths, Integer(1000))));
  }

 private:
  std::optional<Rational> limit_{Rational(1)};
};

struct Odds {
  Largest gone, there;

  void add(const SecretRows& s, const SecretRows& t) {
    const Integer all_s = s.gone + s.there, all_t = t.gone + t.there;
    gone.add(s.gone, all_s, t.gone, all_t);
    there.add(s.there, all_s, t.there, all_t);
  }
};

// Of the scenario's secrets, then of those that have no other rows than dropped ones.
std::vector<SecretRows> rows_of(const Scenario& scenario, const Prior& prior,
                                const std::map<std::string, uint64_t>& dropped) {
  std::vector<SecretRows> rows;
  for (const Distribution& given : prior.by_secret) rows.push_back({Integer(0), given.total()});
  for (const auto& [secret, count] : dropped) {
    const auto found = std::find(scenario.secrets.begin(), scenario.secrets.end(), secret);
    if (found == scenario.secrets.end()) {
      rows.push_back({Integer(count), Integer(0)});
    } else {
      rows[static_cast<size_t>(found - scenario.secrets.begin())].gone = count;
    }
  }
  return rows;
}

}  // namespace

std::vector<std::string> dropped_notes(const Scenario& scenario) {
  if (!scenario.source || scenario.source->dropped.empty()) return {};
  Odds odds;
  for (const Prior& prior : scenario.priors) {
    const auto dropped = scenario.source->dropped.find(prior.name);
    if (dropped == scenario.source->dropped.end()) continue;
    const std::vector<SecretRows> rows = rows_of(scenario, prior, dropped->second);
    const size_t secrets = scenario.secrets.size();
    for (const SecretPair& pair : scenario.pairs.list(secrets)) {
      odds.add(rows[pair.first], rows[pair.second]);
      odds.add(rows[pair.second], rows[pair.first]);
    }
    for (size_t gone = secrets; scenario.pairs.is_all() && gone < rows.size(); ++gone) {
      for (const SecretRows& other : rows) odds.add(other, rows[gone]);
    }
  }
  return {fmt::format(
      "rows with a missing field were dropped, and nothing is proved of that: in this table a row that is "
      "dropped changes the odds between two secrets {}, and one that is there {}",
      odds.gone.words(), odds.there.words())};
}

}  // namespace fugu::inline in_plan
