// Which columns --public all stands for.
#include <gtest/gtest.h>

#include "fugu/ask/question.h"

namespace fugu {
namespace {

TableHead head_with(std::vector<std::string> header) {
  TableHead head{.file = "t.csv", .columns = header.size()};
  head.header = std::move(header);
  return head;
}

std::string all_of(const QuestionOptions& options, const TableHead& head) {
  std::string said;
  try {
    for (const std::string& name : released_columns(options, head)) said += (said.empty() ? "" : " ") + name;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.message();
  }
  return said;
}

TEST(ReleasedColumns, AllAreThoseWithoutAnotherRole) {
  const TableHead head = head_with({"id", "sex", "age", "job", "hours", "w"});
  EXPECT_EQ(all_of({.secret = "sex", .published = "all"}, head), "id age job hours w");
  EXPECT_EQ(
      all_of({.secret = "2", .published = "all", .except = "job,6", .known = "age", .person = "id"}, head),
      "hours");
  EXPECT_EQ(all_of({.secret = "sex", .published = "all", .given = "age", .weight = "w"}, head),
            "id job hours");
  EXPECT_EQ(all_of({.secret = "sex", .published = "job,age"}, head), "job age");
}

TEST(ReleasedColumns, ThatCannotBeMeant) {
  const TableHead head = head_with({"sex", "age", "job"});
  EXPECT_EQ(all_of({.secret = "sex", .published = "all", .except = "sex"}, head),
            "--except: column 'sex' would not be released anyway");
  EXPECT_EQ(all_of({.secret = "sex", .published = "all", .except = "age,2"}, head),
            "--except: column 'age' would not be released anyway");
  EXPECT_EQ(all_of({.secret = "sex", .published = "all", .except = "age,job"}, head),
            "--public: every column has another role");
  EXPECT_EQ(all_of({.secret = "sex", .published = "all"}, head_with({"sex", "all", "job"})),
            "--public: all means every column, and one column has that name");
  EXPECT_EQ(all_of({.secret = "sex", .published = "2"}, head_with({"sex", "all", "job"})), "2");
}

// Two columns of one name are told apart by their numbers.
TEST(ReleasedColumns, OfOneNameAreNumbers) {
  EXPECT_EQ(all_of({.secret = "sex", .published = "all"}, head_with({"sex", "x", "x"})), "2 3");
}

}  // namespace
}  // namespace fugu
