#include "apps/studio/access.h"

#include <gtest/gtest.h>

#include <map>

#include "apps/studio/token.h"

namespace fugu::studio {
namespace {

using Headers = std::multimap<std::string, std::string>;

Asked asked(const std::string& method, const Headers& headers, const std::string& path = "/api/compare") {
  return {method, path,
          [headers](const std::string& name) {
            const auto found = headers.find(name);
            return found == headers.end() ? std::string() : found->second;
          },
          [headers](const std::string& name) { return headers.count(name); }};
}

bool refused(const std::string& method, const Headers& headers) {
  return Access(8123).refuse_stranger(asked(method, headers)).has_value();
}

TEST(Access, OnlyItsOwnHosts) {
  EXPECT_FALSE(refused("GET", {{"Host", "127.0.0.1:8123"}}));
  EXPECT_FALSE(refused("GET", {{"Host", "localhost:8123"}}));
  for (const char* host : {"127.0.0.1", "127.0.0.1:8124", "evil.example:8123", "localhost:8123.evil.example",
                           "[::1]:8123", "", "127.0.0.1:8123 "})
    EXPECT_TRUE(refused("GET", {{"Host", host}})) << host;
  EXPECT_TRUE(refused("GET", {}));
  EXPECT_TRUE(refused("GET", {{"Host", "127.0.0.1:8123"}, {"Host", "127.0.0.1:8123"}}));
}

TEST(Access, WhatChangesSomethingNeedsItsOwnOrigin) {
  for (const char* method : {"POST", "DELETE", "PUT"}) {
    EXPECT_FALSE(refused(method, {{"Host", "127.0.0.1:8123"}, {"Origin", "http://127.0.0.1:8123"}}));
    EXPECT_TRUE(refused(method, {{"Host", "127.0.0.1:8123"}}));
    for (const char* origin :
         {"null", "http://127.0.0.1:8124", "https://127.0.0.1:8123", "http://evil.example",
          "http://localhost:8123", "http://127.0.0.1:8123.evil.example"})
      EXPECT_TRUE(refused(method, {{"Host", "127.0.0.1:8123"}, {"Origin", origin}})) << origin;
  }
  EXPECT_TRUE(refused("GET", {{"Host", "127.0.0.1:8123"}, {"Origin", "http://evil.example"}}));
}

TEST(Access, TheBrowsersWordCounts) {
  for (const char* site : {"cross-site", "same-site", "other"})
    EXPECT_TRUE(refused("GET", {{"Host", "127.0.0.1:8123"}, {"Sec-Fetch-Site", site}})) << site;
  for (const char* site : {"same-origin", "none"})
    EXPECT_FALSE(refused("GET", {{"Host", "127.0.0.1:8123"}, {"Sec-Fetch-Site", site}})) << site;
}

TEST(Access, OnlyWhatLiesBeneathTheTokenIsInside) {
  const Access access(8123);
  const std::string& root = access.root();
  ASSERT_EQ(root.size(), 3U + 64U + 1U);
  EXPECT_EQ(access.address(), "http://127.0.0.1:8123" + root);
  EXPECT_NE(Access(8123).root(), root);
  for (const std::string& path : {root, root + "api/session", root + "nothing"})
    EXPECT_TRUE(access.is_inside(path)) << path;
  std::string other = root;
  other[10] = other[10] == '0' ? '1' : '0';
  for (const std::string& path :
       {std::string("/"), std::string(), std::string("/api/session"), root.substr(0, root.size() - 1),
        root.substr(0, root.size() - 2) + "/", "/" + root, other, other + "api/session",
        Access(8123).root() + "api/session"})
    EXPECT_FALSE(access.is_inside(path)) << path;
}

TEST(Access, WhoShowsTheTokenMayComeFromAFile) {
  const Access access(8123);
  const Headers from_a_file = {{"Host", "127.0.0.1:8123"}, {"Sec-Fetch-Site", "cross-site"}};
  EXPECT_FALSE(access.refuse_stranger(asked("GET", from_a_file, access.root())));
  EXPECT_TRUE(access.refuse_stranger(asked("GET", from_a_file, "/")));
  EXPECT_TRUE(access.refuse_stranger(asked("GET", from_a_file, access.root() + "api/session")));
  EXPECT_TRUE(access.refuse_stranger(asked("POST", from_a_file, access.root())));
}

TEST(Token, NoTwoAreTheSame) {
  EXPECT_NE(random_token(), random_token());
  EXPECT_TRUE(same_token("abc", "abc"));
  EXPECT_FALSE(same_token("abc", "abd"));
  EXPECT_FALSE(same_token("abc", "ab"));
}

}  // namespace
}  // namespace fugu::studio
