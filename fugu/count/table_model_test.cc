#include "fugu/count/table_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/support/temp_file.h"

namespace fugu {
namespace {

using Texts = std::vector<std::string>;
using Atoms = std::map<int64_t, uint64_t>;

// Secret s, published column x.
TableQuestion question_of(const std::string& path) {
  return {.table = {.path = path, .secret = {"s"}, .published = {"x"}},
          .epsilon = Epsilon::parse("0.5", "--epsilon", ErrorKind::kUsage)};
}

Atoms atoms_of(const Scenario& scenario, size_t secret) {
  Atoms atoms;
  const Distribution& given = scenario.priors.at(0).by_secret.at(secret);
  for (size_t k = 0; k < given.size(); ++k) atoms[given.atoms()[k]] = given.weights().small()[k];
  return atoms;
}

TEST(TableModel, CountsCategories) {
  TempFile file("s,x,z\nm,b,1\nf,a,2\nm,b,3\nm,c,4\n");
  TableCounts counts;
  Scenario scenario = scenario_from_table(question_of(file.path()), {}, &counts);
  EXPECT_EQ(counts.rows, 4U);
  EXPECT_EQ(counts.dropped, 0U);
  EXPECT_EQ(scenario.secrets, (Texts{"f", "m"}));
  ASSERT_EQ(scenario.priors.size(), 1U);
  EXPECT_EQ(scenario.priors[0].name, "empirical");
  EXPECT_EQ(atoms_of(scenario, 0), (Atoms{{1, 1}}));
  EXPECT_EQ(atoms_of(scenario, 1), (Atoms{{2, 2}, {3, 1}}));
  EXPECT_EQ(scenario.lattice, (Lattice{Rational(1), Rational(0)}));
  EXPECT_EQ(scenario.epsilon.text(), "0.5");
  EXPECT_TRUE(scenario.pairs.is_all());
  EXPECT_EQ(*scenario.source,
            (Source{.secret = {"s"}, .published = {"x"}, .columns = {{.labels = {"a", "b", "c"}}}}));
  EXPECT_EQ(scenario.value_text(3), "c");
}

TEST(TableModel, CountsNumbersByValueNotByText) {
  TempFile file("s,x\nm,1.0\nf,01\nm,1\nf,2.5\nf,+2.50\nm,-5e-1\n");
  Scenario scenario = scenario_from_table(question_of(file.path()), {});
  EXPECT_EQ(scenario.lattice, (Lattice{Rational(3, 2), Rational(1)}));
  EXPECT_EQ(atoms_of(scenario, 0), (Atoms{{0, 1}, {1, 2}}));
  EXPECT_EQ(atoms_of(scenario, 1), (Atoms{{-1, 1}, {0, 2}}));
  EXPECT_TRUE(scenario.source->columns[0].labels.empty());
}

TEST(TableModel, CountsSeveralColumnsTogether) {
  TempFile file("s,x,y\nm,b,1.5\nf,a,2\nm,b,1.50\nm,a,2\nf,b,2\n");
  TableQuestion question = question_of(file.path());
  question.table.published = {"y", "x"};
  Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(scenario.source->published, (Texts{"y", "x"}));
  EXPECT_EQ(scenario.lattice, (Lattice{Rational(1), Rational(0)}));
  ASSERT_EQ(scenario.axes.size(), 2U);
  EXPECT_EQ(scenario.axes[0].lattice, (Lattice{Rational(1, 2), Rational(0)}));
  EXPECT_EQ(scenario.source->columns[1].labels, (Texts{"a", "b"}));
  EXPECT_EQ(scenario.points, (std::vector<std::vector<int64_t>>{{3, 2}, {4, 1}, {4, 2}}));
  EXPECT_EQ(atoms_of(scenario, 0), (Atoms{{1, 1}, {2, 1}}));
  EXPECT_EQ(atoms_of(scenario, 1), (Atoms{{0, 2}, {1, 1}}));
  question.weights = {Rational(3), Rational(1, 4)};
  EXPECT_EQ(scenario_from_table(question, {}).axes[1].weight, Rational(1, 4));
}

TEST(TableModel, SnapsNumbersToTheStep) {
  TempFile file("s,x\nm,0.9\nm,1.24\nf,1.25\nf,-0.25\nf,7\n");
  TableQuestion question = question_of(file.path());
  question.shaping = {{.step = Rational(1, 2)}};
  Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(scenario.lattice, (Lattice{Rational(1, 2), Rational(0)}));
  EXPECT_EQ(atoms_of(scenario, 0), (Atoms{{0, 1}, {3, 1}, {14, 1}}));
  EXPECT_EQ(atoms_of(scenario, 1), (Atoms{{2, 2}}));
  EXPECT_EQ(scenario.source->columns[0].step, Rational(1, 2));
}

// The middles of bins are published: fewer than five people's digits do not move them, five people's do. One
// person with several rows may count several times, so as many times more are asked for.
TEST(TableModel, FewPeoplesDigitsMoveNoMiddle) {
  auto middle = [](int finer, const char* finest, const Rational& width, int rows = 1) {
    std::string text = "s,x,p\n";
    for (int k = 0; k < 200; ++k)
      text += std::string(k / rows % 2 == 0 ? "a," : "b,") +
              (k < finer ? finest : std::to_string(10 * (k % 9))) + "," + std::to_string(k / rows) + "\n";
    TempFile file(text);
    TableQuestion question = question_of(file.path());
    question.shaping = {{.bin = width}};
    if (rows > 1) {
      question.table.person = "p";
      question.table.person_seed = std::string(64, '0');
      question.table.rows_per_person = static_cast<uint64_t>(rows);
    }
    return scenario_from_table(question, {}).source->columns[0].bin->middle;
  };
  EXPECT_EQ(middle(0, "", Rational(20)), middle(4, "4.5", Rational(20)));
  EXPECT_EQ(middle(0, "", Rational(2)), middle(4, "4.5", Rational(2)));
  EXPECT_EQ(middle(0, "", Rational(2)), middle(4, "1e-300", Rational(2)));
  EXPECT_EQ(middle(0, "", Rational(2)), 0);
  EXPECT_EQ(middle(5, "4.5", Rational(2)), 1);
  EXPECT_EQ(middle(10, "4.5", Rational(2), 2), 0);
  EXPECT_EQ(middle(20, "4.5", Rational(2), 2), 1);
}

TEST(TableModel, OrdersAsAsked) {
  TempFile file("s,x\nlow,1\nhigh,10\nmid,2\n");
  TableQuestion question = question_of(file.path());
  question.shaping = {{.order = {"10", "never", "2", "1"}}};
  question.secret_order = {"low", "mid", "high"};
  question.pairs = "neighbours";
  Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(scenario.secrets, (Texts{"low", "mid", "high"}));
  EXPECT_EQ(atoms_of(scenario, 0), (Atoms{{4, 1}}));
  EXPECT_EQ(atoms_of(scenario, 1), (Atoms{{3, 1}}));
  EXPECT_EQ(atoms_of(scenario, 2), (Atoms{{1, 1}}));
  EXPECT_EQ(scenario.source->columns[0].labels, question.shaping.front().order);
  EXPECT_EQ(scenario.pair_count(), 2U);
}

TEST(TableModel, SortsByBytes) {
  TempFile file("s,x\nä,b\nz,B\nZ,é\n");
  Scenario scenario = scenario_from_table(question_of(file.path()), {});
  EXPECT_EQ(scenario.secrets, (Texts{"Z", "z", "ä"}));
  EXPECT_EQ(scenario.source->columns[0].labels, (Texts{"B", "b", "é"}));
}

TEST(TableModel, JoinsCompositeSecrets) {
  TempFile file("x,race,sex\n1,W,f\n2,W,m\n3,B,f\n1,W,f\n");
  TableQuestion question = question_of(file.path());
  question.table.secret = {"sex", "race"};
  Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(scenario.secrets, (Texts{"f & B", "f & W", "m & W"}));
  EXPECT_EQ(atoms_of(scenario, 1), (Atoms{{1, 2}}));
  EXPECT_EQ(scenario.source->secret, (Texts{"sex", "race"}));
}

TEST(TableModel, WithoutHeaderTheSourceHoldsNumbers) {
  TempFile file("m;3\nf;4\n");
  TableQuestion question = question_of(file.path());
  question.table.header = false;
  question.table.secret = {"1"};
  question.table.published = {"2"};
  Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(scenario.source->secret, Texts{"1"});
  EXPECT_EQ(scenario.source->published, Texts{"2"});
}

TEST(TableModel, DropsMissingRows) {
  TempFile file("s,x\nm,1\n,2\nf,?\nf,3\nNA,?\nf,\n");
  TableQuestion question = question_of(file.path());
  question.table.na = {"?", "NA"};
  question.table.missing = Missing::kDrop;
  TableCounts counts;
  Scenario scenario = scenario_from_table(question, {}, &counts);
  EXPECT_EQ(counts.rows, 6U);
  EXPECT_EQ(counts.dropped, 4U);
  EXPECT_EQ(scenario.secrets, (Texts{"f", "m"}));
  EXPECT_EQ(atoms_of(scenario, 0), (Atoms{{1, 1}}));
  EXPECT_EQ(scenario.source->na, (Texts{"?", "NA"}));
  EXPECT_EQ(scenario.source->missing, Missing::kDrop);
}

TEST(TableModel, KeepsMissingValuesAsOneLabel) {
  TempFile file("s,t,x\nm,1,a\n,1,?\nf,2,\n,2,b\nf,?,a\n");
  TableQuestion question = question_of(file.path());
  question.table.na = {"?"};
  question.table.missing = Missing::kKeep;
  Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(scenario.secrets, (Texts{"(missing)", "f", "m"}));
  EXPECT_EQ(scenario.source->columns[0].labels, (Texts{"(missing)", "a", "b"}));
  EXPECT_EQ(atoms_of(scenario, 0), (Atoms{{1, 1}, {3, 1}}));
  EXPECT_EQ(atoms_of(scenario, 1), (Atoms{{1, 1}, {2, 1}}));
  EXPECT_EQ(scenario.source->missing, Missing::kKeep);
  question.table.secret = {"s", "t"};
  EXPECT_EQ(scenario_from_table(question, {}).secrets,
            (Texts{"(missing) & 1", "(missing) & 2", "f & (missing)", "f & 2", "m & 1"}));
}

TEST(TableModel, KeepsMissingSecretsBesideNumbers) {
  TempFile file("s,x\nm,1\n,2\n");
  TableQuestion question = question_of(file.path());
  question.table.missing = Missing::kKeep;
  EXPECT_EQ(scenario_from_table(question, {}).secrets, (Texts{"(missing)", "m"}));
}

TEST(TableModel, OneValueAloneAndSecretAsPublic) {
  TempFile file("s,x\nm,5\nf,5\n");
  TableQuestion question = question_of(file.path());
  EXPECT_EQ(atoms_of(scenario_from_table(question, {}), 0), (Atoms{{5, 1}}));
  question.table.published = {"s"};
  Scenario scenario = scenario_from_table(question, {});
  EXPECT_EQ(atoms_of(scenario, 0), (Atoms{{1, 1}}));
  EXPECT_EQ(atoms_of(scenario, 1), (Atoms{{2, 1}}));
}

// Counting by maps of texts, for random tables with few and many distinct values.
RC_GTEST_PROP(TableModel, EqualsANaiveCount, ()) {
  auto secret = rc::gen::element<std::string>("a", "b", "\"c,d\"", "e \"f\"");
  auto rows = *rc::gen::container<std::vector<std::pair<std::string, int>>>(
      rc::gen::pair(secret, rc::gen::inRange(-20, 20)));
  rows.insert(rows.end(), {{"a", 0}, {"b", 1}});
  std::string text = "x,s\n";
  std::map<std::string, std::map<int, uint64_t>> naive;
  for (const auto& [name, value] : rows) {
    text += std::to_string(value) + (value % 2 ? ".0," : " , ") + name + "\r\n";
    ++naive[name == "\"c,d\"" ? "c,d" : name][value];
  }
  TempFile file(text);
  TableCounts counts;
  Scenario scenario = scenario_from_table(question_of(file.path()), {}, &counts);
  RC_ASSERT(counts.rows == rows.size());
  RC_ASSERT(scenario.secrets.size() == naive.size());
  for (size_t s = 0; s < scenario.secrets.size(); ++s) {
    std::map<int, uint64_t> found;
    for (auto [atom, count] : atoms_of(scenario, s)) {
      found[static_cast<int>(scenario.lattice.value(atom))] = count;
    }
    RC_ASSERT(found == naive.at(scenario.secrets[s]));
  }
}

std::string shared_data(const std::string& path) {
  return std::string(FUGU_SOURCE_DIR "/../shared/data/") + path;
}

TEST(TableModelOnRealData, Adult) {
  std::string path = shared_data("adult/adult.data");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  TableQuestion question = question_of(path);
  question.table.header = false;
  question.table.secret = {"9"};
  question.table.published = {"7"};
  question.table.na = {"?"};
  question.table.missing = Missing::kDrop;
  TableCounts counts;
  Scenario scenario = scenario_from_table(question, {}, &counts);
  EXPECT_EQ(counts.rows, 32561U);
  EXPECT_EQ(counts.dropped, 1843U);
  EXPECT_EQ(scenario.secrets, (Texts{"Amer-Indian-Eskimo", "Asian-Pac-Islander", "Black", "Other", "White"}));
  EXPECT_EQ(scenario.source->columns[0].labels.size(), 14U);
  EXPECT_EQ(scenario.source->columns[0].labels[0], "Adm-clerical");

  question.table.secret = {"10"};
  question.table.published = {"1"};
  question.table.missing = Missing::kError;
  scenario = scenario_from_table(question, {}, &counts);
  EXPECT_EQ(scenario.secrets, (Texts{"Female", "Male"}));
  EXPECT_EQ(scenario.priors[0].by_secret[0].total(), 10771);
  EXPECT_EQ(scenario.priors[0].by_secret[1].total(), 21790);
  EXPECT_EQ(scenario.lattice, (Lattice{Rational(1), Rational(0)}));
}

TEST(TableModelOnRealData, Bank) {
  std::string path = shared_data("bank/bank-full.csv");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no " << path;
  TableQuestion question = question_of(path);
  question.table.secret = {"marital"};
  question.table.published = {"age"};
  TableCounts counts;
  Scenario scenario = scenario_from_table(question, {}, &counts);
  EXPECT_EQ(counts.rows, 45211U);
  EXPECT_EQ(scenario.secrets, (Texts{"divorced", "married", "single"}));
  EXPECT_EQ(scenario.priors[0].by_secret[1].total(), 27214);
  question.table.published = {"job"};
  EXPECT_THROW(scenario_from_table(question, {}), Error) << "288 people's job is unknown";
  question.table.not_missing = {"unknown"};
  EXPECT_EQ(scenario_from_table(question, {}).source->columns[0].labels.size(), 12U);
}

}  // namespace
}  // namespace fugu
