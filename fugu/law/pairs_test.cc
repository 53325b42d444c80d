#include "fugu/law/pairs.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

const std::vector<std::string> kSecrets = {"A", "B", "C", "a:b", "x,\"y"};

std::vector<SecretPair> parse(std::string_view text) {
  return PairSet::parse(text, kSecrets).list(kSecrets.size());
}

std::string error_of(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.message();
  }
  return "no error";
}

TEST(Pairs, EveryForm) {
  EXPECT_TRUE(PairSet::parse("all", kSecrets).is_all());
  EXPECT_TRUE(PairSet::parse("*:*", kSecrets).is_all());
  EXPECT_EQ(PairSet::all().list(3), (std::vector<SecretPair>{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(parse("neighbours"), (std::vector<SecretPair>{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  EXPECT_EQ(parse("B:A,A:B,C:A"), (std::vector<SecretPair>{{0, 1}, {0, 2}}));
  EXPECT_EQ(parse("B:*"), (std::vector<SecretPair>{{0, 1}, {1, 2}, {1, 3}, {1, 4}}));
  EXPECT_EQ(parse("*:B"), parse("B:*"));
  EXPECT_EQ(parse("\"a:b\":\"x,\"\"y\""), (std::vector<SecretPair>{{3, 4}}));
}

TEST(Pairs, Errors) {
  EXPECT_EQ(error_of("A:Z"), "--pairs: there is no secret 'Z'");
  EXPECT_EQ(error_of("A"), "--pairs: 'A' is not followed by ':'");
  EXPECT_EQ(error_of("A:A"), "--pairs: 'A' is paired with itself");
  EXPECT_EQ(error_of("A:B,"), "--pairs: '' is not followed by ':'");
  EXPECT_EQ(error_of("\"A:B"), "--pairs: a quote is not closed");
  EXPECT_EQ(error_of("\"A\"B:C"), "--pairs: 'A' is not followed by ':'");
  EXPECT_EQ(error_of(""), "--pairs: '' is not followed by ':'");
}

}  // namespace
}  // namespace fugu
