#include "fugu/ask/job.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "fugu/ask/job_rows.h"

namespace fugu {
namespace {

Job read(const std::string& members) {
  return job_from_json(
      parse_json("{\"format\": \"fugu-job\", \"version\": 1" + (members.empty() ? "" : ", " + members) + "}",
                 "j"),
      "j");
}

std::string refused(const std::string& members) {
  try {
    read(members);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_FALSE(error.hint().empty());
    return error.message();
  }
  return "nothing";
}

TEST(Job, ColumnsBecomeFlags) {
  const Job job = read(
      R"("table": {"file": "t.csv", "na": ["?", "a,b"], "header": false, "missing": "drop"},
         "columns": {"b": {"role": "given"}, "race": {"role": "secret"}, "sex": {"role": "secret"},
                     "age": {"role": "public", "kind": "number", "clip": [20, 70.50], "step": 1}, "x,y": {"role": "out", "kind": "code"}},
         "secrets": {"pairs": [["A", "B"], ["A", "*"], ["c:d", "e,f"]], "min_group": 10, "priors": ["p.json"]},
         "budget": {"epsilon": 0.50, "closeness": "1/20"}, "mechanism": {"method": "optimal", "asymmetric": true},
         "release": {"keep": ["b"], "publish_min": 3}, "outputs": {"release": "o.csv", "plan": "p"})");
  EXPECT_EQ(job.question.table, "t.csv");
  EXPECT_EQ(job.question.na, "?,\"a,b\"");
  EXPECT_TRUE(job.question.no_header);
  EXPECT_EQ(job.question.secret, "race,sex");
  EXPECT_EQ(job.question.given, "b");
  EXPECT_EQ(job.question.published, "age");
  EXPECT_EQ(job.question.kind, "age=number,\"x,y=code\"");
  EXPECT_EQ(job.question.clip, "20:70.50");
  EXPECT_EQ(job.question.step, "1");
  EXPECT_EQ(job.question.pairs, "A:B,A:*,\"c:d\":\"e,f\"");
  EXPECT_EQ(job.question.epsilon, "0.50");
  EXPECT_EQ(job.question.closeness, "1/20");
  EXPECT_EQ(job.question.priors, std::vector<std::string>{"p.json"});
  EXPECT_EQ(job.plan.method, "optimal");
  EXPECT_TRUE(job.plan.asymmetric);
  EXPECT_EQ(job.release.keep, "b");
  EXPECT_EQ(job.release.publish_min, "3");
  EXPECT_EQ(job.files.plan, "p");
  EXPECT_EQ(job.columns, (std::vector<std::string>{"b", "race", "sex", "age", "x,y"}));
  EXPECT_TRUE(job.releases());
  EXPECT_FALSE(read("").releases());
}

// A text that each kind of flag takes.
std::string text_for(const JobRow& row) {
  static const std::map<FlagKind, std::string> kTexts = {
      {FlagKind::kNumber, "0.5"},      {FlagKind::kSpan, "-1:2.50"},
      {FlagKind::kNames, "a,\"b,c\""}, {FlagKind::kNamesOrFile, "b,\"@here\""},
      {FlagKind::kValues, "1,b"},      {FlagKind::kPairs, "A:B"},
      {FlagKind::kPeople, "7"},        {FlagKind::kSwitch, "yes"},
      {FlagKind::kNotSwitch, "yes"}};
  if (row.names_columns()) return "a=code,\"b,c=number\"";
  const auto found = kTexts.find(row.flag.kind);
  return found == kTexts.end() ? std::string(row.flag.name) : found->second;
}

TEST(Job, EveryFlagComesBack) {
  Job job;
  for (const JobRow& row : job_rows()) row.add(job, row.is_role() ? row.key + " column" : text_for(row));
  job.question.priors = {"one.json", "two.json"};
  const Job again = job_from_json(parse_json(job_text(job), "j"), "j");
  for (const JobRow& row : job_rows()) EXPECT_EQ(row.texts(again), row.texts(job)) << row.key;
  EXPECT_EQ(job_text(again), job_text(job));
  EXPECT_GT(job_rows().size(), 45u);
}

// JSON has no -0 that it gives back as it stands.
TEST(Job, NumbersAreWrittenAsTheyStand) {
  for (const char* number : {"\"-0\"", "0.50", "1e-6", "\"1/3\"", "18446744073709551616"}) {
    const std::string text = job_text(read(std::string(R"("budget": {"delta": )") + number + "}"));
    EXPECT_NE(text.find(number), std::string::npos) << text;
    EXPECT_EQ(job_text(job_from_json(parse_json(text, "j"), "j")), text);
  }
}

TEST(Job, SeveralColumnsHaveSettingsOfTheirOwn) {
  const std::string columns =
      R"("columns": {"s": {"role": "secret"}, "a": {"role": "public", "step": 1}, "b": {"role": "public"},
                                             "c": {"role": "public", "step": 0.5}})";
  const Job job = read(columns);
  EXPECT_EQ(job.question.step, "a=1;c=0.5");
  EXPECT_EQ(job_text(job_from_json(job_to_json(job), "j")), job_text(job));
  const Job shaped = read(R"("columns": {"a": {"role": "public", "bin": 5, "order": ["x", "y"]},
                                         "b": {"role": "public", "clip": ["2024-01-05", "2024-01-20"],
                                               "bin_edges": ["2024-01-06", "2024-01-08"], "map": "m.csv"}})");
  EXPECT_EQ(shaped.question.bin, "a=5");
  EXPECT_EQ(shaped.question.order, "a=x,y");
  EXPECT_EQ(shaped.question.clip, "b=2024-01-05:2024-01-20");
  EXPECT_EQ(shaped.question.bin_edges, "b=2024-01-06,2024-01-08");
  EXPECT_EQ(job_in_folder(shaped, "folder").question.map, "b=folder/m.csv");
  EXPECT_EQ(job_text(job_from_json(job_to_json(shaped), "j")), job_text(shaped));
  EXPECT_EQ(refused(R"("columns": {"a": {"role": "public"}, "b": {"role": "given", "bin": 5}})"),
            "j.columns.b.bin: this is said of a released column");
  const Job both =
      read(R"("columns": {"a": {"role": "public"}, "b": {"role": "public"}}, "shape": {"step": 1})");
  EXPECT_EQ(both.question.step, "1");
  EXPECT_EQ(job_text(job_from_json(job_to_json(both), "j")), job_text(both));
}

TEST(Job, WhatIsWrongIsNamedByItsPlace) {
  EXPECT_EQ(refused(R"("seed": 1)"), "j: the key \"seed\" is unknown");
  EXPECT_EQ(refused(R"("budget": {"epsilom": 1})"), "j.budget: the key \"epsilom\" is unknown");
  EXPECT_EQ(refused(R"("budget": {"epsilon": true})"),
            "j.budget.epsilon: this is not a number that fugu can use");
  EXPECT_EQ(refused(R"("budget": {"epsilon": [1, 2]})"),
            "j.budget.epsilon: this is not a number that fugu can use");
  EXPECT_EQ(refused(R"("budget": 3)"), "j.budget: this must be an object");
  EXPECT_EQ(refused(R"("secrets": {"pairs": [["a\u0000", "b"]]})"), "j.secrets.pairs[0]: this is not a name");
  EXPECT_EQ(refused(R"("secrets": {"priors": ["p.json", "q\u0000"]})"),
            "j.secrets.priors: this is not a text that the flag takes");
  EXPECT_EQ(refused(R"("table": {"header": "no"})"), "j.table.header: this must be true or false");
  EXPECT_EQ(refused(R"("table": {"na": []})"), "j.table.na: the list is empty");
  EXPECT_EQ(refused(R"("table": {"missing": ""})"),
            "j.table.missing: this is not a text that the flag takes");
  EXPECT_EQ(refused(R"("columns": {"a": {"role": "hidden"}})"),
            "j.columns[\"a\"].role: there is no such role");
  EXPECT_EQ(refused(R"("columns": {"a": {"epsilon": 1}})"),
            "j.columns[\"a\"]: the key \"epsilon\" is unknown");
  EXPECT_EQ(refused(R"("columns": {"a": {"kind": "x=code"}})"), "j.columns.a.kind: this has a = in it");
  EXPECT_EQ(refused(R"("columns": {"": {}})"), "j.columns[\"\"]: this is not the name of a column");
  EXPECT_EQ(refused(R"("columns": {"a": {"role": "public", "clip": [1]}})"),
            "j.columns[\"a\"].clip: a range has two ends");
  EXPECT_EQ(refused(R"("columns": {"a": {"role": "public", "clip": [1, 2]}}, "shape": {"clip": "1:2"})"),
            "j.columns[\"a\"].clip: this is said under \"shape\" as well");
  EXPECT_EQ(refused(R"("secrets": {"pairs": [["A"]]})"), "j.secrets.pairs[0]: a pair has two secrets");
  EXPECT_EQ(refused(R"("table": {"file": "postgresql://me:word@host/db"})"),
            "j.table.file: a job holds no password");
  EXPECT_THROW(job_from_json(parse_json("{\"format\": \"plan\", \"version\": 1}", "j"), "j"), Error);
  EXPECT_THROW(job_from_json(parse_json("{\"format\": \"fugu-job\", \"version\": 2}", "j"), "j"), Error);
  EXPECT_THROW(job_from_json(parse_json("{\"version\": 1}", "j"), "j"), Error);
}

RC_GTEST_PROP(JobProperty, NamesAndTextsOfAnyLettersComeBack, ()) {
  auto text = [] {
    std::string letters =
        *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,\"=:@ -*1"))));
    return letters;
  };
  Json columns = Json::object(), job = Json::object(), table = Json::object(), secrets = Json::object();
  const char* roles[] = {"secret", "public", "given", "out"};
  for (const char* role : roles) {
    const std::string name = text();
    if (columns.find(name)) continue;
    Json column = Json::object();
    column.add("role", Json::string(role));
    if (*rc::gen::arbitrary<bool>()) column.add("kind", Json::string("code"));
    if (role == roles[1]) column.add("order", Json::strings({text(), text()}));
    columns.add(name, std::move(column));
  }
  table.add("na", Json::strings({text(), text()}));
  secrets.add("secret_order", Json::strings({text(), text(), ""}));
  job.add("format", Json::string("fugu-job"));
  job.add("version", Json::number(1LL));
  job.add("table", std::move(table));
  job.add("columns", std::move(columns));
  job.add("secrets", std::move(secrets));
  const Json again = job_to_json(job_from_json(job, "j"));
  RC_ASSERT(again.canonical() == job.canonical());
}

TEST(Job, ASettingThatBeginsLikeItsColumnComesBack) {
  const Job job = read(R"("columns": {"\",": {"role": "public", "order": [",=", ","]}})");
  EXPECT_EQ(job.question.order, "\",=\",=\",\",\"");
  EXPECT_EQ(job_to_json(job).find("columns")->canonical(), R"({"\",":{"order":[",=",","],"role":"public"}})");
}

TEST(Job, NothingOfTheRunIsInIt) {
  for (const JobRow& row : job_rows()) {
    for (const char* none : {"force", "plan", "new-data", "values-unchanged", "scenario"})
      EXPECT_TRUE(row.section == "outputs" || std::string(row.flag.name) != none) << none;
  }
}

TEST(Job, PathsLieInItsFolder) {
  const Job job = job_in_folder(
      read(
          R"("table": {"file": "t.csv"}, "secrets": {"priors": ["../p.json", "/q.json"]}, "mechanism": {"loss": "l.csv"},
              "ledger": {"file": "b.db"}, "outputs": {"release": "o.csv", "statement": "s.json"})"),
      "jobs");
  EXPECT_EQ(job.question.table, "jobs/t.csv");
  EXPECT_EQ(job.question.priors, (std::vector<std::string>{"p.json", "/q.json"}));
  EXPECT_EQ(job.plan.loss, "jobs/l.csv");
  EXPECT_EQ(job.ledger.path, "jobs/b.db");
  EXPECT_EQ(job.files.statement, "jobs/s.json");
  EXPECT_EQ(job_in_folder(read(R"("table": {"file": "sqlite:d.db"}, "mechanism": {"loss": "absolute"})"), "x")
                .question.table,
            "sqlite:x/d.db");
  EXPECT_EQ(job_in_folder(read(R"("mechanism": {"loss": "absolute"})"), "x").plan.loss, "absolute");
  EXPECT_EQ(job_in_folder(read(R"("table": {"file": "postgresql:///d"})"), "x").question.table,
            "postgresql:///d");
}

TEST(Job, SaysItsCommand) {
  const auto words = job_words(read(
      R"("table": {"file": "t.csv", "header": false}, "columns": {"1": {"role": "secret"}, "2": {"role": "public", "clip": [-1, 2]}},
         "budget": {"epsilon": 1}, "outputs": {"release": "o.csv"})"));
  EXPECT_EQ(words,
            (std::vector<std::string>{"fugu", "release", "t.csv", "--secret", "1", "--public", "2",
                                      "--epsilon", "1", "--clip=-1:2", "--no-header", "--output", "o.csv"}));
  EXPECT_EQ(job_words(read(R"("table": {"file": "-t"}, "outputs": {"plan": "p.json"})")),
            (std::vector<std::string>{"fugu", "calibrate", "./-t", "--output", "p.json"}));
}

TEST(Job, ErrorsOfFlagsNameTheFile) {
  const Error said =
      named_in_job(usage("--epsilon: no epsilon is given", "add --epsilon, for example"), "j.json");
  EXPECT_EQ(said.kind(), ErrorKind::kData);
  EXPECT_EQ(said.message(), "j.json: budget.epsilon: no epsilon is given");
  EXPECT_EQ(said.hint(), "add budget.epsilon, for example");
  EXPECT_EQ(named_in_job(usage("columns: t.csv has no column 'x'", "h"), "j").message(),
            "j: columns: t.csv has no column 'x'");
  EXPECT_EQ(named_in_job(usage("columns: x", "h"), "j").kind(), ErrorKind::kData);
  EXPECT_EQ(named_in_job(usage("--bin-edges: x", "h"), "j").message(), "j: \"bin_edges\" of the column: x");
  EXPECT_EQ(named_in_job(usage("--secret: x", "h"), "j").message(), "j: the role \"secret\": x");
  EXPECT_EQ(
      named_in_job(usage("--secret: x", "name the column to hide, for example --secret race"), "j").hint(),
      "name the column to hide, for example \"race\": {\"role\": \"secret\"}");
  EXPECT_EQ(named_in_job(usage("--rows-independent: x", "--person id takes one row per person"), "j").hint(),
            "\"id\": {\"role\": \"person\"} takes one row per person");
  EXPECT_EQ(named_in_job(usage("--secret: x", "release with --secret as before"), "j").hint(),
            "release with the role \"secret\" as before");
  auto hint_of = [](const char* hint) { return named_in_job(usage("--epsilon: x", hint), "j").hint(); };
  EXPECT_EQ(hint_of("add --epsilon, for example --epsilon 0.5; smaller hides more"),
            "add budget.epsilon, for example \"budget\": {\"epsilon\": 0.5}; smaller hides more");
  EXPECT_EQ(hint_of("for example --clip 20:70, or for example --step 0.01"),
            "for example \"clip\": [20, 70], or for example \"step\": 0.01");
  EXPECT_EQ(hint_of("for example --separator ';' or --separator tab"),
            "for example table.separator ';' or table.separator tab");
  EXPECT_EQ(named_in_job(usage("out.csv: the file exists", "give --force"), "j").kind(), ErrorKind::kUsage);
}

}  // namespace
}  // namespace fugu
