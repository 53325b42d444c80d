#include "apps/studio/access.h"

#include <gtest/gtest.h>

#include <map>

#include "apps/studio/token.h"

namespace fugu::studio {
namespace {

using Headers = std::multimap<std::string, std::string>;

Asked asked(const std::string& method, const Headers& headers, const std::string& path = "/api/compare") {
  return {method, path, "",
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

TEST(Access, TheTokenWorksOnceAndMayComeFromAFile) {
  Access access(8123);
  const std::string address = access.address();
  const std::string token = address.substr(address.find("token=") + 6);
  EXPECT_EQ(token.size(), 64U);
  Asked arriving = asked("GET", {{"Host", "127.0.0.1:8123"}, {"Sec-Fetch-Site", "cross-site"}}, "/");
  EXPECT_TRUE(access.refuse_stranger(arriving));
  arriving.token = token;
  EXPECT_FALSE(access.refuse_stranger(arriving));
  EXPECT_EQ(access.exchange("f" + token.substr(1) + "x"), "");
  EXPECT_EQ(access.exchange(""), "");
  const std::string cookie = access.exchange(token);
  EXPECT_NE(cookie.find("HttpOnly; SameSite=Strict; Path=/"), std::string::npos);
  EXPECT_EQ(cookie.find(token), std::string::npos);
  EXPECT_EQ(access.exchange(token), "");
  const std::string pair = cookie.substr(0, cookie.find(';'));
  auto knows = [&](const std::string& text) { return access.has_cookie(asked("GET", {{"Cookie", text}})); };
  EXPECT_TRUE(knows(pair));
  EXPECT_TRUE(knows("other=1; " + pair + "; more=2"));
  EXPECT_FALSE(knows(pair.substr(0, pair.size() - 1)));
  EXPECT_FALSE(knows(pair + "0"));
  EXPECT_FALSE(knows("x" + pair));
  EXPECT_FALSE(knows(""));
}

TEST(Token, NoTwoAreTheSame) {
  EXPECT_NE(random_token(), random_token());
  EXPECT_TRUE(same_token("abc", "abc"));
  EXPECT_FALSE(same_token("abc", "abd"));
  EXPECT_FALSE(same_token("abc", "ab"));
}

}  // namespace
}  // namespace fugu::studio
