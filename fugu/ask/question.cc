#include "fugu/ask/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "fugu/ask/flags.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/read_shaping.h"
#include "fugu/core/error.h"
#include "fugu/count/csv_rows.h"
#include "fugu/count/database_rows.h"
#include "fugu/database/database_url.h"
#include "fugu/file/text_file.h"
#include "fugu/law/budget_list.h"
#include "fugu/mechanism/family.h"
#include "fugu/plan/file_kind.h"
#include "fugu/plan/publishable.h"
#include "fugu/sample/random.h"
#include "fugu/scenario/columns.h"
#include "fugu/scenario/domain.h"
#include "fugu/scenario/sampling.h"
#include "fugu/scenario/scenario_json.h"

namespace fugu::inline in_ask {
namespace {

std::optional<Rational> read_step(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text.find(',') != std::string::npos)
    throw usage("--step: a scenario file has one step", "give one for all its columns");
  const auto step = parse_number(text);
  if (!step || *step <= 0)
    throw usage(fmt::format("--step: '{}' is not a number greater than 0", text), "for example --step 0.01");
  return step;
}

Delta read_delta(const std::string& text) {
  return text.empty() ? Delta() : Delta::parse(text, "--delta", ErrorKind::kUsage);
}

std::optional<Promise> read_promise(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (const auto named = promise_named(text)) return named;
  throw usage(fmt::format("--promise: '{}' is unknown", text), "use one of odds, belief, belief-both");
}

bool releases_all(const QuestionOptions& options) {
  return split_list(options.published, "--public") == std::vector<std::string>{kAllColumns};
}

// What several columns do not go with; where they are named, that is said before anything is read.
void check_several(const QuestionOptions& options, const std::vector<std::string>& published) {
  if (published.size() < 2) return;
  if (!options.delta.empty() && !read_delta(options.delta).is_zero())
    throw usage("--delta: this works with one released column only",
                "leave out --delta, or release one column");
  if (!options.confidence.empty()) {
    throw usage("--confidence: this works with one released column only",
                "leave out --confidence, or release one column");
  }
}

// The table's rows, where they do not come from a file, or where its head must be looked at beforehand.
std::shared_ptr<RowSource> open_rows(const QuestionOptions& options) {
  if (options.rows) return options.rows;
  if (auto database = open_database_of(options)) return std::make_shared<DatabaseRows>(std::move(database));
  if (!releases_all(options) && !options.remembered) return nullptr;
  return std::make_shared<CsvRows>(
      options.table, CsvOptions{.separator = read_separator(options.separator), .header = !options.no_header},
      0, options.remembered);
}

std::vector<Rational> read_weights(const QuestionOptions& options, size_t columns) {
  if (options.noise_shares.empty()) return {};
  if (columns == 1)
    throw usage("--noise-shares: there is one column", "shares are for several columns, as in --public a,b");
  return parse_weights(split_list(options.noise_shares, "--noise-shares"), columns, "--noise-shares",
                       ErrorKind::kUsage);
}

Missing read_missing(const std::string& text) {
  if (text.empty()) return Missing::kError;
  if (const auto named = missing_named(text)) return *named;
  throw usage(fmt::format("--missing: '{}' is unknown", text), "use one of error, drop, keep");
}

std::vector<std::pair<std::string, KindSaid>> read_kinds(const std::string& text) {
  std::vector<std::pair<std::string, KindSaid>> result;
  for (const std::string& item : split_list(text, "--kind")) {
    const size_t sign = item.rfind('=');
    if (sign == std::string::npos || sign == 0)
      throw usage(fmt::format("--kind: '{}' is not COL=KIND", item), kKindHint);
    const auto kind = kind_named(std::string_view(item).substr(sign + 1));
    if (!kind) throw usage(fmt::format("--kind: '{}' is unknown", item.substr(sign + 1)), kKindHint);
    for (const auto& [column, said] : result) {
      if (column == item.substr(0, sign))
        throw usage(fmt::format("--kind: column '{}' is named twice", column), "name each once");
    }
    result.emplace_back(item.substr(0, sign), *kind);
  }
  return result;
}

std::optional<Rational> read_confidence(const std::string& text) {
  if (text.empty()) return std::nullopt;
  auto confidence = parse_number(text);
  if (!confidence || *confidence <= 0 || *confidence >= 1) {
    throw usage(fmt::format("--confidence: '{}' is not a number between 0 and 1", text),
                "for example --confidence 0.95");
  }
  return confidence;
}

// How many people there are in all, or with each of the secrets.
Sampling read_population(const std::string& text, const std::vector<std::string>& secrets) {
  Sampling result{Sampling::Kind::kPart};
  const std::vector<std::string> items = split_list(text, "--population");
  if (items.size() == 1 && items[0].find('=') == std::string::npos) {
    result.total = read_count(items[0], "--population", "people");
    return result;
  }
  result.population.assign(secrets.size(), 0);
  for (const std::string& item : items) {
    const size_t sign = item.rfind('=');
    const auto found = std::find(secrets.begin(), secrets.end(), item.substr(0, sign));
    if (sign == std::string::npos || found == secrets.end()) {
      throw usage(fmt::format("--population: '{}' is not SECRET=N", item),
                  "give one number, or one for each secret, for example --population F=2000,M=3000");
    }
    uint64_t& people = result.population[static_cast<size_t>(found - secrets.begin())];
    if (people != 0)
      throw usage(fmt::format("--population: '{}' is named twice", *found), "name each secret once");
    people = read_count(item.substr(sign + 1), "--population", "people");
  }
  const auto lacking = std::count(result.population.begin(), result.population.end(), uint64_t{0});
  if (lacking > 0) {
    throw usage(
        fmt::format("--population: there is no number for {} of the {} secrets", lacking, secrets.size()),
        "give one number for each secret, or one for all together");
  }
  return result;
}

// How the people came to be in the table, and what is known of their frequencies.
void read_bounds(const QuestionOptions& options, Scenario& scenario) {
  if (options.census && !options.population.empty())
    throw usage("--population: --census is also given", "give one of the two");
  if (options.census) scenario.sampling = {Sampling::Kind::kCensus};
  if (!options.population.empty()) scenario.sampling = read_population(options.population, scenario.secrets);
  check_sampling(scenario, ErrorKind::kUsage);
  if (!scenario.confidence && !options.bounds.empty()) {
    throw usage("--bounds: without a confidence the table's frequencies are taken as the truth",
                "add --confidence, for example --confidence 0.95, or leave out --bounds");
  }
  if (!scenario.confidence || scenario.is_joint()) return;
  if (!options.bounds.empty()) {
    const auto kind = bound_kind_named(options.bounds);
    if (!kind) {
      throw usage(fmt::format("--bounds: '{}' is unknown", options.bounds), "use one of boxes, band, both");
    }
    scenario.bounded_by = *kind;
  } else if (options.scenario.empty()) {
    scenario.bounded_by = usual_bounds(scenario);
  }
}

uint64_t rows_per_person(const QuestionOptions& options) {
  return options.rows_per_person.empty() ? 1
                                         : read_count(options.rows_per_person, "--rows-per-person", "rows");
}

uint64_t read_min_group(const QuestionOptions& options) {
  if (options.min_group.empty()) return kMinGroup;
  if (options.given.empty() && options.known.empty() && rows_per_person(options) == 1) {
    throw usage("--min-group: there are no groups",
                "name the columns that make them with --known or --given");
  }
  return read_count(options.min_group, "--min-group", "people");
}

// Secret like the noise: whoever knows it knows which of a person's rows was taken.
std::string draw_seed() {
  std::array<uint64_t, 4> words{};
  SecureRandom().fill(words);
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", words[0], words[1], words[2], words[3]);
}

void check_person(const QuestionOptions& options) {
  if (!options.rows_per_person.empty()) {
    if (options.person.empty()) {
      throw usage("--rows-per-person: no column says whose row it is",
                  "name it with --person, for example --person patient_nbr");
    }
    if (rows_per_person(options) > 1 && options.range == "clamp" && options.clip.empty()) {
      throw usage("--range: with several rows per person, both ends of the range may come from one person",
                  "give the ends with --clip, or leave out --range clamp");
    }
  }
  const std::pair<const std::string&, const char*> extras[] = {
      {options.person, "--person"}, {options.weight, "--weight"}, {options.people, "--count"}};
  for (const auto& [one, name] : extras) {
    for (const auto& [other, second] : extras) {
      if (name != second && !one.empty() && !other.empty())
        throw usage(fmt::format("{}: {} is also given", second, name), "give one of the two");
    }
  }
  if (!options.weight.empty() && !options.confidence.empty()) {
    throw usage("--confidence: this needs numbers of rows, and --weight replaces them by weights",
                "leave out --confidence or --weight");
  }
  if (!options.person.empty() && options.rows_independent) {
    throw usage("--rows-independent: --person says that rows of one person belong together",
                "give one of the two");
  }
}

Question question_of_file(const QuestionOptions& options) {
  if (const std::string name = said_already(options, "scenario"); !name.empty()) {
    throw usage(fmt::format("--scenario: {} cannot be used with a scenario file", name),
                fmt::format("leave out {}, or give a table instead of --scenario", name));
  }
  ScenarioOverrides overrides;
  if (const auto epsilons = options.epsilons(); !epsilons.empty()) overrides.epsilon = epsilons.front();
  overrides.promised = read_promise(options.promise);
  if (names_budgets(options.epsilon)) overrides.budgets = options.epsilon;
  overrides.shares = options.shares;
  if (!options.delta.empty()) overrides.delta = read_delta(options.delta);
  if (!options.pairs.empty()) overrides.pairs = options.pairs;
  overrides.step = read_step(options.step);
  overrides.weights = split_list(options.noise_shares, "--noise-shares");
  overrides.confidence = read_confidence(options.confidence);
  if (!options.closeness.empty()) overrides.closeness = read_closeness(options.closeness);
  const std::string place = options.scenario == "-" ? "standard input" : options.scenario;
  const Json json = parse_json(read_text(options.scenario), place);
  check_kind(json, FileKind::kScenario, place);
  return {scenario_from_json(json, place, overrides), std::nullopt};
}

Question question_of_table(const QuestionOptions& options, const Progress& progress) {
  if (options.table.empty() && !options.rows) {
    throw usage("no table is given",
                "name a CSV file, - for standard input, or a scenario with --scenario FILE");
  }
  if (options.secret.empty()) {
    throw usage("--secret: no column is given", "name the column to hide, for example --secret race");
  }
  if (options.published.empty()) {
    throw usage("--public: no column is given",
                "name the column to release, for example --public occupation");
  }
  const auto epsilons = options.epsilons();
  if (epsilons.empty()) {
    throw usage("--epsilon: no epsilon is given",
                "add --epsilon, for example --epsilon 0.5; smaller hides more");
  }
  check_person(options);
  if (!options.except.empty() && !releases_all(options)) {
    throw usage("--except: this works with --public all only",
                "name only the columns to release with --public, or give --public all");
  }
  std::vector<std::string> published = split_list(options.published, "--public");
  std::shared_ptr<RowSource> source;
  if (releases_all(options)) {
    source = open_rows(options);
    published = released_columns(options, source->head());
  }
  check_several(options, published);
  const auto confidence = read_confidence(options.confidence);
  if (confidence && !options.merge_rare.empty()) {
    // What is merged because few of it were seen is rarer in the table than in truth.
    throw usage("--merge-rare: a confidence does not hold for categories chosen by their counts",
                "leave out --merge-rare or --confidence");
  }
  const ReadShaping shaping = read_shaping(options, published);
  if (!source) source = open_rows(options);
  TableQuestion question{.table = {.path = options.table,
                                   .secret = split_list(options.secret, "--secret"),
                                   .published = published,
                                   .given = split_list(options.given, "--given"),
                                   .known = split_list(options.known, "--known"),
                                   .separator = read_separator(options.separator),
                                   .header = !options.no_header,
                                   .na = split_list(options.na, "--na"),
                                   .missing = read_missing(options.missing),
                                   .kinds = read_kinds(options.kind),
                                   .not_missing = split_list(options.not_missing, "--not-missing"),
                                   .person = options.person,
                                   .person_seed = options.person.empty() ? "" : draw_seed(),
                                   .rows_per_person = rows_per_person(options),
                                   .least_people = read_min_group(options),
                                   .weight = options.weight,
                                   .people = options.people,
                                   .rows_independent = options.rows_independent},
                         .rows = source,
                         .secret_order = split_list(options.secret_order, "--secret-order"),
                         .shaping = shaping.own,
                         .common = shaping.common,
                         .weights = read_weights(options, published.size()),
                         .epsilon = epsilons.front(),
                         .delta = read_delta(options.delta),
                         .min_group = read_min_group(options),
                         .closeness = read_closeness(options.closeness),
                         .confidence = confidence,
                         .also = split_list(options.also, "--also")};
  if (!options.pairs.empty()) question.pairs = options.pairs;
  question.promised = read_promise(options.promise).value_or(Promise::kOdds);
  if (names_budgets(options.epsilon)) question.budgets = options.epsilon;
  question.shares = options.shares;
  TableCounts rows;
  BeforeShaping before;
  Scenario scenario = scenario_from_table(question, progress, &rows, &before);
  return {std::move(scenario), rows, std::move(before)};
}

std::optional<bool> read_range(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "clamp") return true;
  if (text == "free") return false;
  throw usage(fmt::format("--range: '{}' is unknown", text), "use one of free, clamp");
}

}  // namespace

std::vector<std::string> released_columns(const QuestionOptions& options, const TableHead& head) {
  if (!releases_all(options)) return split_list(options.published, "--public");
  for (size_t k = 0; k < head.header.size(); ++k) {
    if (head.header[k] != kAllColumns) continue;
    throw usage("--public: all means every column, and one column has that name",
                fmt::format("name that column by its number, {}, or list the columns to release", k + 1));
  }
  std::set<size_t> used;
  auto use = [&](const std::vector<std::string>& names, const char* option) {
    for (const std::string& name : names) {
      const size_t column = head.column(name, option);
      const bool fresh = used.insert(column).second;
      if (!fresh && std::string_view(option) == "--except") {
        throw usage(fmt::format("--except: {} would not be released anyway", head.column_place(column)),
                    "leave it out: name only columns without another role, each once");
      }
    }
  };
  use(split_list(options.secret, "--secret"), "--secret");
  use(split_list(options.known, "--known"), "--known");
  use(split_list(options.given, "--given"), "--given");
  const std::pair<const std::string&, const char*> extras[] = {
      {options.person, "--person"}, {options.weight, "--weight"}, {options.people, "--count"}};
  for (const auto& [name, option] : extras) {
    if (!name.empty()) use({name}, option);
  }
  use(split_list(options.except, "--except"), "--except");
  std::vector<std::string> released;
  for (size_t column = 0; column < head.columns; ++column) {
    if (!used.contains(column)) released.push_back(head.column_text(column));
  }
  if (released.empty())
    throw usage("--public: every column has another role", "leave at least one column to release");
  return released;
}

Rational read_closeness(const std::string& text) {
  if (text.empty()) return Rational(0);
  const auto lambda = parse_number(text);
  if (!lambda || *lambda < 0) {
    throw usage(fmt::format("--closeness: '{}' is not a number of at least 0", text),
                "for example --closeness 0.05, which covers beliefs within about 5 % of a prior's");
  }
  return *lambda;
}

std::shared_ptr<DatabaseTable> open_database_of(const QuestionOptions& options, bool writes,
                                                const std::function<void()>& stop) {
  const std::pair<bool, const char*> naming[] = {{!options.database_table.empty(), "--table"},
                                                 {!options.query.empty(), "--query"}};
  if (!is_database(options.table)) {
    for (const auto& [given, name] : naming) {
      if (given) {
        throw usage(fmt::format("{}: TABLE is not a database", name),
                    "give a database URL, such as postgresql://host/name or sqlite:file.db");
      }
    }
    return nullptr;
  }
  if (options.database_table.empty() == options.query.empty()) {
    throw usage(options.query.empty() ? "TABLE is a database: say which of its tables"
                                      : "--query: --table is also given",
                "give one of --table NAME and --query SQL");
  }
  if (const std::string name = said_already(options, "database"); !name.empty())
    throw usage(fmt::format("{}: this cannot be used with a database", name),
                fmt::format("leave out {}", name));
  return open_database({.url = options.table,
                        .table = options.database_table,
                        .query = options.query,
                        .writes = writes,
                        .stop = stop});
}

std::optional<char> read_separator(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "tab" || text == "\\t") return '\t';
  if (text.size() != 1) {
    throw usage(fmt::format("--separator: '{}' is not one character", text),
                "for example --separator ';' or --separator tab");
  }
  return text[0];
}

std::vector<Epsilon> QuestionOptions::epsilons() const {
  std::vector<Epsilon> result;
  if (names_budgets(epsilon)) return {common_budget(epsilon)};
  // Nobody asks for an epsilon of 0, but many write a comma where others write a point.
  const size_t comma = epsilon.find(',');
  if (comma != std::string::npos && epsilon.find_first_not_of('0') == comma &&
      epsilon.find_first_not_of("0123456789", comma + 1) == std::string::npos && epsilon.size() > comma + 1) {
    throw usage(fmt::format("--epsilon: '{}' has a comma, which separates several epsilons", epsilon),
                fmt::format("write a point: --epsilon 0.{}", epsilon.substr(comma + 1)));
  }
  for (const std::string& item : split_list(epsilon, "--epsilon")) {
    result.push_back(Epsilon::parse(item, "--epsilon", ErrorKind::kUsage));
  }
  return result;
}

std::vector<std::string> QuestionOptions::noises() const {
  std::vector<std::string> result = split_list(noise, "--noise");
  for (const std::string& name : result) family_named(name);
  return result;
}

void check_is_no_input(const QuestionOptions& options, const std::string& output) {
  std::vector<std::string> inputs = options.priors;
  inputs.insert(inputs.end(), {options.table, options.scenario});
  for (const std::string& input : inputs) {
    if (same_file(file_behind(input), output))
      throw usage(output + ": this is the input", "give the output another name");
  }
}

Question read_question(const QuestionOptions& options, const Progress& progress) {
  options.noises();  // before any reading
  const auto clamp = read_range(options.range);
  Question question =
      options.scenario.empty() ? question_of_table(options, progress) : question_of_file(options);
  read_bounds(options, question.scenario);
  if (question.scenario.confidence) {
    if (!options.priors.empty()) {
      throw usage("--prior: a confidence is about counts, and a prior from a file has none",
                  "leave out --prior, or leave out --confidence");
    }
    check_columns(question.scenario, ErrorKind::kUsage);
    domain_of(question.scenario, ErrorKind::kUsage);  // says what must be declared before anything is solved
    check_population(question.scenario, ErrorKind::kUsage);
  }
  if (!options.priors.empty() && question.scenario.rows_per_person() > 1) {
    throw usage("--prior: this cannot be used with several rows per person",
                "leave out --prior or --rows-per-person");
  }
  for (const std::string& file : options.priors) {
    const std::string place = file == "-" ? "standard input" : file;
    const Json priors = parse_json(read_text(file), place);
    add_priors(question.scenario, priors, place);
    try {
      if (question.before.unshaped) add_priors(*question.before.unshaped, priors, place);
    } catch (const Error&) {
      question.before.unshaped.reset();  // its values lie elsewhere
    }
  }
  if (clamp == false && question.scenario.source && question.scenario.source->shape().is_categorical() &&
      !question.scenario.is_joint()) {
    throw usage("--range free: the column holds categories, and there are none beyond the last",
                "leave --range out");
  }
  if (clamp) {
    if (!question.scenario.source) question.scenario.source.emplace();
    question.scenario.source->clamp = clamp;
    if (*clamp && question.rows) question.scenario.source->range_people = kPublishMin;
  }
  return question;
}

}  // namespace fugu::inline in_ask
