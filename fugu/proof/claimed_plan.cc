#include "fugu/proof/claimed_plan.h"

#include <algorithm>
#include <set>

#include "fugu/core/json_read.h"
#include "fugu/proof/refusals.h"

namespace fugu::inline in_proof {
namespace {

constexpr int64_t kMostRange = 1'000'000;
constexpr const char* kHint = "the plan was changed or cut off; calibrate again";

int64_t index_on(const Lattice& lattice, const Json& value, const std::string& place) {
  const auto index = lattice.index(need_number(value, place));
  if (!index) throw data_error(place, "a value is no lattice point", kHint);
  return *index;
}

std::vector<int64_t> read_point(const Json& value, const std::vector<Lattice>& lattices,
                                const std::string& place) {
  const Json::Array& parts = need_array(value, place);
  if (parts.size() != lattices.size()) throw data_error(place, "a value has other columns", kHint);
  std::vector<int64_t> point;
  for (size_t c = 0; c < parts.size(); ++c) point.push_back(index_on(lattices[c], parts[c], place));
  return point;
}

int64_t atom_at(const Claim& claim, const std::vector<int64_t>& point) {
  const auto found = std::lower_bound(claim.points.begin(), claim.points.end(), point);
  if (found == claim.points.end() || *found != point)
    throw does_not_verify("rows that no prior knows trade places");
  return found - claim.points.begin();
}

// The two sides of a distribution as the file has them; of several columns a value is a point, and the atoms
// are numbered later.
struct ListedLaw {
  std::vector<int64_t> atoms;
  std::vector<std::vector<int64_t>> points;
  std::vector<Rational> masses;
};

ListedLaw read_law(const Json& json, const std::vector<Lattice>& lattices, bool joint,
                   const std::string& place) {
  ListedLaw law;
  for (const Json& value : need_array(need(json, "values", place), place + ".values")) {
    if (!joint) {
      law.atoms.push_back(index_on(lattices.front(), value, place));
      continue;
    }
    law.points.push_back(read_point(value, lattices, place + ".values"));
  }
  for (const Json& mass : need_array(need(json, "mass", place), place + ".mass")) {
    law.masses.push_back(need_number(mass, place));
    if (law.masses.back() < 0) throw data_error(place, "a mass is negative", kHint);
  }
  const bool some =
      std::any_of(law.masses.begin(), law.masses.end(), [](const Rational& mass) { return mass > 0; });
  if (law.atoms.size() + law.points.size() != law.masses.size() || !some)
    throw data_error(place, "the masses are not those of the values", kHint);
  return law;
}

PairSet read_pairs(const Json& json, const std::vector<std::string>& secrets, const std::string& place) {
  if (const std::string* word = json.if_string(); word && *word == "all") return PairSet::all();
  std::vector<SecretPair> pairs;
  for (const Json& item : need_array(json, place)) {
    std::vector<uint32_t> ends;
    for (const std::string& name : need_strings(item, place)) {
      const auto found = std::find(secrets.begin(), secrets.end(), name);
      if (found != secrets.end()) ends.push_back(static_cast<uint32_t>(found - secrets.begin()));
    }
    if (ends.size() != 2 || ends[0] == ends[1])
      throw data_error(place, "a pair must have two secrets", kHint);
    pairs.emplace_back(ends[0], ends[1]);
  }
  if (pairs.empty()) throw data_error(place, "the list of pairs is empty", kHint);
  return PairSet::of(std::move(pairs));
}

uint32_t secret_index(const std::string& name, const std::vector<std::string>& secrets,
                      const std::string& place) {
  const auto found = std::find(secrets.begin(), secrets.end(), name);
  if (found == secrets.end()) throw data_error(place, "there is no such secret", kHint);
  return static_cast<uint32_t>(found - secrets.begin());
}

// What is promised: of the odds or in belief, and the budgets that differ.
void read_limits(Claim& claim, const Json& scenario, const std::string& place) {
  if (const Json* promise = scenario.find("promise")) {
    const auto named = promise_named(need_string(*promise, place + ".promise"));
    if (!named) throw data_error(place + ".promise", "there is no such promise", kHint);
    claim.promised = *named;
  }
  const Json* budgets = scenario.find("budgets");
  for (const Json& item : budgets ? need_array(*budgets, place + ".budgets") : Json::Array{}) {
    std::vector<uint32_t> of;
    for (const std::string& name : need_strings(need(item, "secrets", place + ".budgets"), place))
      of.push_back(secret_index(name, claim.secrets, place + ".budgets"));
    if (of.empty() || of.size() > 2) throw data_error(place + ".budgets", "a budget is of one or two", kHint);
    std::sort(of.begin(), of.end());
    const Rational epsilon = need_number(need(item, "epsilon", place + ".budgets"), place + ".budgets");
    OwnBudget own{of.front(), {}, Epsilon::parse(to_text(epsilon), place + ".budgets", ErrorKind::kData)};
    if (of.size() == 2) own.second = of.back();
    claim.own_budgets.push_back(std::move(own));
  }
}

// In the order of the secrets.
std::vector<Rational> read_shares(const Json* json, const std::vector<std::string>& secrets,
                                  const std::string& place) {
  std::vector<Rational> shares;
  if (!json) return shares;
  for (const std::string& secret : secrets) shares.push_back(need_number(need(*json, secret, place), place));
  return shares;
}

// Every lattice point from the first to the last of each range, which increase.
std::vector<int64_t> read_domain(const Json& json, const Lattice& lattice, const std::string& place) {
  std::vector<int64_t> domain;
  for (const Json& range : need_array(json, place)) {
    const Json::Array& ends = need_array(range, place);
    if (ends.size() != 2) throw data_error(place, "a range has two ends", kHint);
    const int64_t low = index_on(lattice, ends[0], place), high = index_on(lattice, ends[1], place);
    if (high < low || high - low > kMostRange || (!domain.empty() && low <= domain.back()))
      throw data_error(place, "the ranges must increase", kHint);
    for (int64_t value = low; value <= high; ++value) domain.push_back(value);
  }
  return domain;
}

// Which priors are those of groups, by what a table's source says. Bounds depend on it.
void read_groups(const Json* source, Claim& claim, const std::string& place) {
  if (!source || source->is_null()) return;
  for (const char* chosen : {"merged", "rare"}) {
    const Json* names = source->find(chosen);
    if (claim.confidence && names && !need_array(*names, place).empty())
      throw does_not_verify("no bounds hold for what was put together because it is rare");
  }
  if (claim.confidence && source->find("weight"))
    throw does_not_verify("a confidence is about numbers of rows, and these are weights");
  const Json* given = source->find("given");
  const std::vector<std::string> columns = given ? need_strings(*given, place) : std::vector<std::string>{};
  if (columns.empty()) return;
  const Json* said = source->find("header");
  const bool header = !said || !said->if_boolean() || *said->if_boolean();
  for (Prior& prior : claim.priors) {
    if (is_group_name(prior.name, columns.front(), header)) prior.kind = Prior::Kind::kGroup;
  }
}

// Where several rows of a person are released, each has the noise of the first.
void check_rows_alike(const Json* source, const Claim& claim, const Mechanism& mechanism,
                      const std::string& place) {
  const Json* person = source && !source->is_null() ? source->find("person") : nullptr;
  const Rational rows =
      person ? need_number(need(*person, "rows", place + ".person"), place + ".person.rows") : Rational(1);
  if (rows == 1) return;
  const JointNoise* joint = std::get_if<JointNoise>(&mechanism);
  const Rational columns = Rational(claim.axes.size()) / rows;
  bool alike = joint && joint->columns.size() == claim.axes.size() && rows > 1 && denominator(columns) == 1;
  for (auto c = static_cast<size_t>(columns); alike && c < claim.axes.size(); ++c) {
    const size_t before = c - static_cast<size_t>(columns);
    alike =
        joint->columns[c] == joint->columns[before] && claim.axes[c].lattice == claim.axes[before].lattice;
  }
  if (!alike) throw does_not_verify("the rows of a person do not have the same noise");
}

// Epsilon, delta and what closeness leaves of them.
Claim read_promise(const Json& scenario, const std::string& place) {
  auto number = [&](const char* key) {
    const Json* json = scenario.find(key);
    return json && !json->is_null() ? need_number(*json, place + "." + key) : Rational(0);
  };
  const Epsilon epsilon =
      Epsilon::parse(to_text(need_number(need(scenario, "epsilon", place), place)), place, ErrorKind::kData);
  Claim claim{epsilon};
  const Json* by = scenario.find("closeness_by");  // a plan without is of a version that knew one way
  const bool boxes = by && need_string(*by, place + ".closeness_by") == "boxes";
  claim.promise({epsilon, Delta::parse(to_text(number("delta")), place, ErrorKind::kData)},
                number("closeness"), boxes ? Closeness::By::kBoxes : Closeness::By::kBudget, place,
                ErrorKind::kData);
  const Rational confidence = number("confidence");
  if (confidence < 0 || confidence >= 1) throw data_error(place, "the confidence must be below 1", kHint);
  if (confidence > 0) claim.confidence = confidence;
  return claim;
}

uint64_t read_people(const Json& json, const std::string& place) {
  const Rational people = need_number(json, place);
  if (denominator(people) != 1 || people < 1 || people >= Rational(Integer(1) << 53))
    throw data_error(place, "a population is a number of people", kHint);
  return static_cast<uint64_t>(numerator(people));
}

// Which bounds the counts have, and how they were drawn: boxes of independent draws where nothing is said.
void read_sampling(Claim& claim, const Json& scenario, const std::string& place) {
  if (const Json* bounds = scenario.find("bounds")) {
    const auto kind = bound_kind_named(need_string(*bounds, place + ".bounds"));
    if (!kind) throw data_error(place + ".bounds", "these bounds are unknown", kHint);
    claim.bounded_by = *kind;
  }
  const Json* sampling = scenario.find("sampling");
  if (!sampling || sampling->is_null()) return;
  if (const std::string* word = sampling->if_string()) {
    if (*word != "census" || claim.confidence)
      throw data_error(place + ".sampling", "a census takes no confidence", kHint);
    claim.sampling.kind = Sampling::Kind::kCensus;
    return;
  }
  claim.sampling.kind = Sampling::Kind::kPart;
  const Json& population = need(*sampling, "population", place + ".sampling");
  if (!population.if_object()) {
    claim.sampling.total = read_people(population, place + ".sampling");
    return;
  }
  for (const std::string& secret : claim.secrets)
    claim.sampling.population.push_back(read_people(need(population, secret, place), place + ".sampling"));
}

void read_lattices(Claim& claim, const Json& json, const std::string& place) {
  if (!json.if_array()) {
    claim.lattice = lattice_from_json(json, place);
    return;
  }
  for (const Json& axis : *json.if_array()) claim.axes.push_back({lattice_from_json(axis, place)});
  if (claim.axes.size() < 2 || claim.axes.size() > kMaxColumns)
    throw data_error(place, "several columns have a lattice each", kHint);
}

using ListedPriors = std::vector<std::vector<ListedLaw>>;

// Of several columns: numbers the points that have mass under some prior.
void number_points(Claim& claim, ListedPriors& listed) {
  std::set<std::vector<int64_t>> points;
  for (const auto& prior : listed) {
    for (const ListedLaw& law : prior) {
      for (size_t k = 0; k < law.points.size(); ++k) {
        if (law.masses[k] > 0) points.insert(law.points[k]);
      }
    }
  }
  claim.points.assign(points.begin(), points.end());
  for (auto& prior : listed) {
    for (ListedLaw& law : prior) {
      for (const auto& point : law.points)
        law.atoms.push_back(std::lower_bound(claim.points.begin(), claim.points.end(), point) -
                            claim.points.begin());
    }
  }
}

// Masses of one prior become integers by one factor, as they are read elsewhere.
void add_priors(Claim& claim, const std::vector<std::string>& names, ListedPriors listed) {
  if (claim.is_joint()) number_points(claim, listed);
  for (size_t p = 0; p < listed.size(); ++p) {
    Integer common(1);
    for (const ListedLaw& law : listed[p]) {
      for (const Rational& mass : law.masses) {
        if (denominator(mass) != 1) common = lcm(common, Integer(denominator(mass)));
      }
    }
    claim.priors.push_back({names[p], {}});
    for (ListedLaw& law : listed[p]) {
      if (common != 1) {
        for (Rational& mass : law.masses) mass *= common;
      }
      claim.priors.back().by_secret.push_back(Distribution::from_masses(law.atoms, law.masses));
    }
  }
}

}  // namespace

std::optional<ClaimedPlan> read_claim(const Json& plan, const std::string& place) {
  const Json& scenario = need(plan, "scenario", place);
  Claim claim = read_promise(scenario, place);
  read_lattices(claim, need(scenario, "lattice", place), place + ".lattice");
  std::vector<Lattice> lattices;
  for (const Axis& axis : claim.axes) lattices.push_back(axis.lattice);
  if (lattices.empty()) lattices.push_back(claim.lattice);

  std::vector<std::string> names;
  std::vector<std::vector<std::string>> known;
  ListedPriors listed;
  std::vector<std::vector<Rational>> shares;
  for (const Json& item : need_array(need(scenario, "priors", place), place + ".priors")) {
    names.push_back(need_string(need(item, "name", place), place + ".name"));
    const Json* texts = item.find("known");
    known.push_back(texts ? need_strings(*texts, place + ".known") : std::vector<std::string>{});
    const Json& given = need(item, "given", place);
    if (!given.if_object()) throw data_error(place + ".given", "this must be an object", kHint);
    if (listed.empty()) {
      for (const auto& [secret, unused] : *given.if_object()) claim.secrets.push_back(secret);
    }
    if (given.if_object()->size() != claim.secrets.size())
      throw data_error(place + ".given", "the priors do not have the same secrets", kHint);
    listed.emplace_back();
    for (const std::string& secret : claim.secrets) {
      const Json& law = need(given, secret, place + ".given");
      if (law.find("gaussian") || law.find("mixture")) return std::nullopt;
      listed.back().push_back(read_law(law, lattices, claim.is_joint(), place + ".given"));
    }
    shares.push_back(read_shares(item.find("shares"), claim.secrets, place + ".shares"));
  }
  if (listed.empty() || claim.secrets.size() < 2)
    throw data_error(place, "there must be a prior and two secrets", kHint);
  add_priors(claim, names, std::move(listed));
  read_sampling(claim, scenario, place);
  for (size_t p = 0; p < known.size(); ++p) {
    claim.priors[p].known = known[p];
    claim.priors[p].shares = shares[p];
  }
  read_groups(scenario.find("source"), claim, place + ".source");
  claim.pairs = read_pairs(need(scenario, "pairs", place), claim.secrets, place + ".pairs");
  read_limits(claim, scenario, place);

  std::optional<BoxedLaws> boxed;
  if (claim.has_boxes()) {
    check_columns(claim, ErrorKind::kGuarantee);
    if (claim.confidence) {
      const Json& domain = need(need(plan, "guarantee", place), "domain", place + ".guarantee");
      boxed = boxes_of(claim, read_domain(domain, claim.lattice, place + ".guarantee.domain"));
    } else {
      boxed = boxes_of(claim, claim.values());
    }
  }
  auto atom_of = [&](const Json& value, const std::string& where) {
    return claim.is_joint() ? atom_at(claim, read_point(value, lattices, where))
                            : index_on(claim.lattice, value, where);
  };
  Mechanism mechanism =
      mechanism_from_json(need(plan, "mechanism", place), claim.lattice, atom_of, place + ".mechanism");
  check_rows_alike(scenario.find("source"), claim, mechanism, place + ".source");
  return ClaimedPlan{std::move(claim), std::move(boxed), std::move(mechanism)};
}

bool same_claim(const Claim& a, const Claim& b) {
  const bool same_axes = std::equal(a.axes.begin(), a.axes.end(), b.axes.begin(), b.axes.end(),
                                    [](const Axis& x, const Axis& y) { return x.lattice == y.lattice; });
  return same_axes && a.epsilon == b.epsilon && a.delta == b.delta && a.lattice == b.lattice &&
         a.secrets == b.secrets && a.priors == b.priors && a.pairs == b.pairs && a.promised == b.promised &&
         a.own_budgets == b.own_budgets && a.confidence == b.confidence && a.bounded_by == b.bounded_by &&
         a.sampling == b.sampling && a.closeness == b.closeness && a.points == b.points;
}

}  // namespace fugu::inline in_proof
