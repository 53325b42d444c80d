#include "fugu/release/release.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "fugu/calibrate/calibrate.h"
#include "fugu/count/csv_rows.h"
#include "fugu/count/table_model.h"
#include "fugu/release/receipt.h"
#include "tests/support/random_scenario.h"
#include "tests/support/temp_file.h"

namespace fugu {
namespace {

TableQuestion question_for(const std::string& path, const std::string& epsilon) {
  TableQuestion question{.epsilon = testing::epsilon_of(epsilon)};
  question.table.path = path;
  question.table.secret = {"s"};
  question.table.published = {"x"};
  return question;
}

// These tables are small: hardly a value in them is shared by five.
std::string released(ReleaseRequest request, const Plan& plan, ReleaseSummary* summary = nullptr) {
  request.publish_min = 1;
  TempFile out("");
  const int file = ::open(out.path().c_str(), O_WRONLY | O_TRUNC);
  ReleaseSummary result = release_table(request, plan, file, out.path(), {});
  ::close(file);
  if (summary) *summary = result;
  std::ifstream stream(out.path(), std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// A table whose secrets have equal laws needs no noise: what comes out is what went in, less the secret
// column.
TEST(Release, WithoutNoiseTheColumnComesBackAsItWas) {
  const std::pair<const char*, const char*> tables[] = {
      {"s,x\na,1\nb,1\na,2\nb,2\n", "x\n1\n1\n2\n2\n"},
      {"s,x\r\na,1\r\nb,1\r\n", "x\r\n1\r\n1\r\n"},
      {"s,x\na,1\nb,1", "x\n1\n1"},  // no final newline
      {"s;x\na;\"1\"\nb;1\n",
       "x\n1\n1\n"},  // quotes only where a text needs them: they may go with the secret
      {"\xef\xbb\xbfs,x\na,1\nb,1\n", "\xef\xbb\xbfx\n1\n1\n"},       // byte order mark
      {"s,x\na,0.50\nb,0.5\na,2\nb,2\n", "x\n0.5\n0.5\n2.0\n2.0\n"},  // the lattice's digits
      {"s, x\na, -1\nb, -1\na, 3\nb, 3\n", "x\n-1\n-1\n3\n3\n"},      // blanks
      {"s,x\na,\"q, \"\"z\"\"\"\nb,\"q, \"\"z\"\"\"\na,ü\nb,ü\n",
       "x\n\"q, \"\"z\"\"\"\n\"q, \"\"z\"\"\"\nü\nü\n"},
      {"s,x\na,\"two\nlines\"\nb,\"two\nlines\"\na,c\nb,c\n", "x\n\"two\nlines\"\n\"two\nlines\"\nc\nc\n"},
      {"s,x\na,1\nb,1\n\n\n", "x\n1\n1\n"},
  };
  for (const auto& [in, out] : tables) {
    TempFile file(in);
    const Plan plan =
        calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
    ASSERT_TRUE(plan.noise().is_none());
    for (size_t chunk : {size_t{16}, size_t{40}, size_t{1} << 20}) {
      for (size_t threads : {1, 2, 7}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        EXPECT_EQ(released({.input = file.path(), .chunk_size = chunk}, plan), out)
            << in << " in chunks of " << chunk;
      }
    }
  }
}

std::string refusal(const ReleaseRequest& request, const Plan& plan, ErrorKind kind);

// A table that was counted a moment ago, with what was remembered of its order, in chunks of this size.
struct CountedFile {
  CountedFile(const std::string& path, size_t most_order, size_t chunk)
      : remembered(std::make_shared<RememberedRows>(most_order)),
        request{.input = path, .counted = file_state(path), .counted_rows = remembered, .chunk_size = chunk},
        scenario(count(path, chunk)) {}

  std::shared_ptr<RememberedRows> remembered;
  ReleaseRequest request;
  Scenario scenario;

 private:
  Scenario count(const std::string& path, size_t chunk) {
    TableQuestion question = question_for(path, "0.1");
    question.rows = std::make_shared<CsvRows>(path, CsvOptions{.block_size = chunk}, 0, remembered);
    TableCounts counts;
    Scenario counted = scenario_from_table(question, {}, &counts);
    request.total = counts.rows;
    return counted;
  }
};

// Whether all of the order was remembered, some of it or nothing.
TEST(Release, ARememberedOrderGivesTheSameRows) {
  std::string rows, column;
  for (int k = 0; k < 700; ++k) {
    const std::string value = std::to_string(k * k % 7), zeros = k % 50 == 0 ? ".000000000000" : "";
    for (const char* secret : {"a", "b"}) rows += secret + ("," + value) + zeros + "\n";
    column += value + "\n" + value + "\n";
  }
  for (const std::string end : {"", "\n\n", "a,\"3\"\nb,3"}) {
    const std::string out = "x\n" + column + (end.size() > 2 ? "3\n3" : "");
    TempFile file("s,x\n" + rows + end);
    for (const size_t chunk : {size_t{16}, size_t{1000}, size_t{1} << 20}) {
      for (const size_t most : {size_t{0}, size_t{300}, size_t{1} << 20}) {
        const CountedFile counted(file.path(), most, chunk);
        const Plan plan = calibrate(counted.scenario, "exact", "laplace");
        ASSERT_TRUE(plan.noise().is_none());
        EXPECT_EQ(counted.remembered->order().whole, most > 300);
        for (const size_t threads : {1, 7}) {
          const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
          ReleaseSummary summary;
          EXPECT_EQ(released(counted.request, plan, &summary), out) << most << " bytes, chunks of " << chunk;
          EXPECT_EQ(summary.rows, 1400 + (end.size() > 2 ? 2 : 0));
        }
        ReleaseRequest kept = counted.request;  // for which the rows are read again
        kept.keep_unprotected = {"s"};
        EXPECT_EQ(refusal(kept, plan, ErrorKind::kUsage), "--keep-unprotected: column 's' is the secret");
        kept.keep_unprotected = {};
        kept.digest_rows = true;
        ReleaseSummary digested;
        EXPECT_EQ(released(kept, plan, &digested), out);
        EXPECT_NE(digested.rows_digest, "");
      }
    }
  }
}

// The file is opened, and only its head is read: it may be cut off behind that.
TEST(Release, OfARememberedOrderNoRowIsReadAgain) {
  std::string rows;
  for (int k = 0; k < 5000; ++k) rows += k % 2 == 0 ? "a,1\nb,1\n" : "a,2\nb,2\n";
  TempFile file("s,x\n" + rows);
  CountedFile counted(file.path(), size_t{1} << 20, 1000);
  const Plan plan = calibrate(counted.scenario, "exact", "laplace");
  const std::string whole = released(counted.request, plan);
  std::filesystem::resize_file(file.path(), 4000);
  counted.request.counted = file_state(file.path());
  EXPECT_EQ(released(counted.request, plan), whole);
}

// Of rows that trade places only the counts are needed: those that come out are those of the table.
TEST(Release, CountedRowsInRandomOrderAreTheSameRows) {
  std::string rows = "s,x\n", sorted = "x\n";
  for (int k = 0; k < 300; ++k) rows += "a,\"one, two\"\nb,\"one, two\"\nb,z\na,z\n";
  for (int k = 0; k < 600; ++k) sorted += "\"one, two\"\n";
  for (int k = 0; k < 600; ++k) sorted += "z\n";
  TempFile file(rows);
  const CountedFile counted(file.path(), 0, size_t{1} << 20);
  const Plan plan = calibrate(counted.scenario, "swap", "laplace");
  std::stringstream out(released(counted.request, plan));
  std::vector<std::string> lines;
  for (std::string line; std::getline(out, line);) lines.push_back(line + "\n");
  EXPECT_FALSE(std::is_sorted(lines.begin() + 1, lines.end()));
  std::sort(lines.begin() + 1, lines.end());
  EXPECT_EQ(fmt::format("{}", fmt::join(lines, "")), sorted);
}

// Kept columns stand where they stood; the secret is never among them.
TEST(Release, KeptColumnsStayInPlaceAndTheSecretNever) {
  TempFile file("k,s,x,l\n\"1,5\",a,1,u\n2,b,1,v\n");
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
  ReleaseSummary summary;
  EXPECT_EQ(released({.input = file.path(), .keep_unprotected = {"l", "k"}}, plan, &summary),
            "k,x,l\n\"1,5\",1,u\n2,1,v\n");
  EXPECT_EQ(summary.kept_unprotected, (std::vector<std::string>{"k", "l"}));
  EXPECT_THROW(released({.input = file.path(), .keep_unprotected = {"s"}}, plan), Error);
  EXPECT_THROW(released({.input = file.path(), .keep_unprotected = {"nope"}}, plan), Error);
}

std::string refusal(const ReleaseRequest& request, const Plan& plan, ErrorKind kind) {
  try {
    released(request, plan);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.message();
    return error.message();
  }
  return "released";
}

TEST(Release, OtherTablesAreRefusedUnlessTheyAreCalledNew) {
  TempFile file("s,x\na,1\nb,1\na,2\nb,2\n"), more("s,x\na,1\nb,1\na,2\nb,2\na,1\n"),
      fewer("s,x\na,1\nb,1\na,2\n");
  TempFile swapped("s,x\nb,1\nb,1\na,2\na,2\n");
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
  for (const TempFile* other : {&more, &fewer, &swapped}) {
    EXPECT_EQ(refusal({.input = other->path()}, plan, ErrorKind::kGuarantee),
              other->path() + ": the table is not the one that the plan was made from");
    EXPECT_NE(released({.input = other->path(), .new_data = true}, plan), "");
  }
  // New data need not have the secret at all.
  TempFile bare("x\n2\n1\n");
  EXPECT_EQ(released({.input = bare.path(), .new_data = true}, plan), "x\n2\n1\n");
}

// A file that was counted a moment ago is not counted again, but it must still be the same file.
TEST(Release, ACountedFileMustNotChange) {
  TempFile file("s,x\na,1\nb,1\n"), other("s,x\na,1\nb,1\n");
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
  EXPECT_EQ(released({.input = file.path(), .counted = file_state(file.path())}, plan), "x\n1\n1\n");
  EXPECT_EQ(refusal({.input = file.path(), .counted = file_state(other.path())}, plan, ErrorKind::kIo),
            file.path() + ": the table was changed while it was released");
}

TEST(Release, ValuesThePlanDoesNotKnowNameTheirLine) {
  TempFile file("s,x\na,1\nb,1\na,3\nb,3\n");
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
  TempFile off("s,x\na,1\nb,1\na,2\nb,3\n"), text("s,x\na,1\nb,one\n"), missing("s,x\na,1\nb,\n"),
      ragged("s,x\na,1\nb\n");
  for (size_t chunk : {size_t{16}, size_t{1} << 20}) {
    auto says = [&](const TempFile& table) {
      return refusal({.input = table.path(), .new_data = true, .chunk_size = chunk}, plan, ErrorKind::kData);
    };
    EXPECT_EQ(says(off), off.path() + ": line 4, column 'x': the plan does not know this value");
    EXPECT_EQ(says(text), text.path() + ": line 3, column 'x': the plan does not know this value");
    EXPECT_EQ(says(missing), missing.path() + ": line 3, column 'x': the field is missing");
    EXPECT_NE(says(ragged).find("line 3"), std::string::npos) << says(ragged);
  }
}

// A program that stays, as the studio does, must not grow with each release that is cancelled or finds the
// disk full. One chunk left behind by each of 40 would be 10 MB; under the sanitizers it is the leak detector
// that looks.
TEST(Release, WhatFailsLeavesNoMemoryBehind) {
  std::string text = "s,x\n";
  while (text.size() < (size_t{1} << 20)) text += "a,1\nb,1\na,2\nb,2\n";
  TempFile file(text);
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
  const ReleaseRequest request{.input = file.path(), .chunk_size = size_t{1} << 18};
  auto fail = [&](const char* output, const Progress& progress) {
    const int out = ::open(output, O_WRONLY);
    EXPECT_ANY_THROW(release_table(request, plan, out, output, progress));
    ::close(out);
  };
  auto in_use = [] {
    const auto heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
  };
  size_t before = 0;
  for (int k = 0; k < 21; ++k) {
    fail("/dev/full", {});
    fail("/dev/null", [](double, std::string_view) { throw std::runtime_error("cancelled"); });
    if (k == 0) before = in_use();
  }
  EXPECT_LT(in_use(), before + (size_t{2} << 20));
}

TEST(Release, UnknownValuesMayBeDropped) {
  TempFile file("s,x\na,1\nb,1\na,3\nb,3\n"), odd("s,x\na,1\nb,2\na,\nb,900\na,one\nb,3\n");
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
  ReleaseSummary summary;
  EXPECT_EQ(released({.input = odd.path(), .new_data = true, .drop = true}, plan, &summary), "x\n1\n3\n");
  EXPECT_EQ(summary.dropped, 4u);
}

// A plan of a table without a header: the first line of new data is a person, not names.
TEST(Release, TheFirstLineOfDataIsNoHeader) {
  TempFile file("a,1\nb,1\na,77\nb,77\n"), next("b,77\na,1\n");
  TableQuestion question = question_for(file.path(), "0.1");
  question.table.secret = {"1"};
  question.table.published = {"2"};
  question.table.header = false;
  const Plan plan = calibrate(scenario_from_table(question, {}), "exact", "laplace");
  ReleaseSummary summary;
  released({.input = next.path(), .new_data = true}, plan, &summary);
  EXPECT_EQ(summary.released, 2u);
  EXPECT_EQ(plan_from_json(plan_to_json(plan), "plan"), plan);
}

TEST(Release, EveryColumnOfTheSecretsNameIsTheSecret) {
  TempFile file("s,x\na,1\nb,1\n"), twice("s,x,s\na,1,a\n");
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
  for (const char* kept : {"1", "3"}) {
    EXPECT_THROW(released({.input = twice.path(), .keep_unprotected = {kept}, .new_data = true}, plan), Error)
        << kept;
  }
}

TEST(Release, DropsWhatThePlanDrops) {
  TempFile file("s,x\na,1\nb,1\n,2\na,\nb,?\na,2\nb,2\n");
  TableQuestion question = question_for(file.path(), "0.1");
  question.table.missing = Missing::kDrop;
  question.table.na = {"?"};
  const Plan plan = calibrate(scenario_from_table(question, {}), "exact", "laplace");
  ReleaseSummary summary;
  EXPECT_EQ(released({.input = file.path()}, plan, &summary), "x\n1\n1\n2\n2\n");
  EXPECT_EQ(summary.dropped, 3u);
  EXPECT_EQ(summary.rows, 7u);
}

// With noise: the released value less the true one is the plan's noise. 40,000 rows of one value each way;
// the mean and the mean square of Laplace noise at scale 2 are 0 and 7.83, with standard errors 0.014 and
// 0.09: six of them are a false alarm of 4e-9. Half or twice the scale is caught (7.83 against 1.84
// and 31.8).
TEST(Release, AddsThePlansNoise) {
  std::string text = "s,x\n";
  for (int k = 0; k < 20000; ++k) text += "a,100\nb,101\n";
  TempFile file(text);
  Scenario scenario = scenario_from_table(question_for(file.path(), "0.5"), {});
  auto mean_square_of = [&](const Plan& plan) {
    std::istringstream lines(released({.input = file.path()}, plan));
    std::string line;
    std::getline(lines, line);
    double sum = 0, square = 0;
    for (int k = 0; std::getline(lines, line); ++k) {
      const double noise = std::stod(line) - (k % 2 == 0 ? 100 : 101);
      sum += noise;
      square += noise * noise;
    }
    EXPECT_LT(std::abs(sum / 40000), 0.09);
    return square / 40000;
  };
  const Plan plan = calibrate(scenario, "kantorovich", "laplace");
  EXPECT_EQ(plan.noise().scale->value, 2);
  EXPECT_NEAR(mean_square_of(plan), plan.mse, 0.55);
  scenario.epsilon = testing::epsilon_of("0.25");
  EXPECT_GT(mean_square_of(calibrate(scenario, "kantorovich", "laplace")), plan.mse + 0.55);
}

TEST(Release, ShuffleKeepsEveryRow) {
  std::string text = "s,x\n";
  for (int k = 0; k < 1000; ++k) text += "a," + std::to_string(k) + "\nb," + std::to_string(k) + "\n";
  TempFile file(text);
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.1"), {}), "exact", "laplace");
  auto lines = [&](bool shuffle) {
    std::istringstream stream(released({.input = file.path(), .shuffle = shuffle, .chunk_size = 100}, plan));
    std::vector<std::string> result;
    for (std::string line; std::getline(stream, line);) result.push_back(line);
    return result;
  };
  auto plain = lines(false), mixed = lines(true);
  EXPECT_EQ(mixed[0], "x");
  EXPECT_NE(plain, mixed);  // the same order by chance: 1 in 2000!
  std::sort(plain.begin(), plain.end());
  std::sort(mixed.begin(), mixed.end());
  EXPECT_EQ(plain, mixed);
}

// The receipt may be published: none of the table's counts is in it.
TEST(Receipt, HoldsNoCounts) {
  std::string text = "s,x\n";
  for (int k = 0; k < 12347; ++k) text += "a,1\n";
  for (int k = 0; k < 23459; ++k) text += "b,1\n";
  for (int k = 0; k < 34567; ++k) text += "b,2\n";
  for (int k = 0; k < 777; ++k) text += "a,2\n";
  TempFile file(text);
  const Plan plan = calibrate(scenario_from_table(question_for(file.path(), "0.5"), {}), "exact", "laplace");
  ReleaseSummary summary;
  const ReleaseRequest request{.input = file.path()};
  released(request, plan, &summary);
  const std::string receipt = receipt_to_json(plan, request, summary, {}).pretty();
  for (const char* secret : {"12347", "23459", "34567", "777", "13124", "58026"}) {
    EXPECT_EQ(receipt.find(secret), std::string::npos) << secret;
  }
  EXPECT_EQ(receipt.find(file.path()), std::string::npos);
  EXPECT_NE(receipt.find("71150"), std::string::npos);  // the rows that anyone can count in the output
}

// Categories go through a channel as categories, row by row with the weights of their own value; a value
// without a row is not known to the plan.
TEST(Release, ThroughAChannel) {
  const std::vector<std::string> values{"red", "green, dark", "blue"};
  std::string text = "s,x\n";
  std::vector<size_t> order;
  for (int k = 0; k < 60000; ++k) {
    const size_t value = static_cast<size_t>(k * 7 % 10 < 5 ? 0 : k * 7 % 10 < 8 ? 1 : 2);
    order.push_back(value);
    text += (k % 3 == 0 && value != 1 ? "a," : "b,") + (value == 1 ? '"' + values[1] + '"' : values[value]) +
            "\n";
  }
  text += "a,\"green, dark\"\n";
  order.push_back(1);
  TempFile file(text);
  const Plan plan =
      calibrate(scenario_from_table(question_for(file.path(), "0.5"), {}), "channel", "laplace");
  const Channel& channel = std::get<Channel>(plan.mechanism);
  const auto& labels = plan.scenario.source->columns[0].labels;  // by their bytes: blue, green, red
  std::istringstream lines(released({.input = file.path()}, plan));
  std::string line;
  std::getline(lines, line);
  std::map<std::pair<size_t, std::string>, double> counts;
  std::map<size_t, double> rows;
  for (size_t value : order) {
    ASSERT_TRUE(std::getline(lines, line));
    if (line.front() == '"') line = line.substr(1, line.size() - 2);
    ++counts[{value, line}];
    ++rows[value];
  }
  EXPECT_FALSE(std::getline(lines, line));
  double g = 0;
  size_t cells = 0;
  for (size_t i = 0; i < channel.inputs.size(); ++i) {
    const std::string& label = labels[static_cast<size_t>(channel.inputs[i]) - 1];
    const auto value = static_cast<size_t>(std::find(values.begin(), values.end(), label) - values.begin());
    double seen = 0;
    for (size_t k = 0; k < channel.outputs.size(); ++k) {
      const double count = counts[{value, labels[static_cast<size_t>(channel.outputs[k]) - 1]}];
      const double expected =
          rows[value] * static_cast<double>(Rational(channel.weights[i][k], channel.row_total(i)));
      seen += count;
      if (count > 0) g += 2 * count * std::log(count / expected);
      ++cells;
    }
    EXPECT_EQ(seen, rows[value]);  // every output is one of the channel's
  }
  EXPECT_LT(g, 60);  // chi-square with at most 6 degrees of freedom: a false alarm in 1e10
  EXPECT_LE(cells, 9U);

  TempFile unknown("s,x\na,red\nb,violet\n");
  EXPECT_THROW(released({.input = unknown.path(), .new_data = true}, plan), Error);
}

}  // namespace
}  // namespace fugu
