#include "fugu/database/database_url.h"

#include <gtest/gtest.h>

namespace fugu {
namespace {

std::string hidden(std::string text) {
  hide_passwords(text.data());
  return text;
}

TEST(DatabaseUrl, IsToldByItsScheme) {
  for (const char* url : {"postgresql://", "postgres://host/x", "sqlite:people.db", "sqlite:"})
    EXPECT_TRUE(is_database(url));
  for (const char* name :
       {"people.csv", "-", "", "sqlite", "postgresql:/x", "./sqlite:people.db", "http://x"})
    EXPECT_FALSE(is_database(name));
  EXPECT_EQ(file_behind("sqlite:a/b.db"), "a/b.db");
  EXPECT_EQ(file_behind("people.csv"), "people.csv");
}

TEST(DatabaseUrl, IsShownWithoutUserPasswordAndParameters) {
  EXPECT_EQ(database_place("postgresql://me:hush@host:5433/census?sslpassword=hush&host=/tmp"),
            "postgresql:///tmp:5433/census");
  EXPECT_EQ(database_place("postgres://me:hush@host/census"), "postgresql://host/census");
  EXPECT_EQ(database_place("postgres://me:hu%zzsh@host/census"), "postgresql://...");
  EXPECT_EQ(database_place("postgresql://host/census?application_name=me@home"), "postgresql://...");
  EXPECT_EQ(database_place("sqlite:people.db"), "sqlite:people.db");
}

TEST(DatabaseUrl, PasswordsAreOverwrittenInPlace) {
  EXPECT_EQ(hidden("postgresql://me:hush@host/x"), "postgresql://me:xxxx@host/x");
  EXPECT_EQ(hidden("postgres://me:a@b:c/d@host:5/x"), "postgres://me:xxxxxxx@host:5/x");
  EXPECT_EQ(hidden("postgresql:///x?user=me&password=hush&port=5"),
            "postgresql:///x?user=xx&password=xxxx&port=x");
  EXPECT_EQ(hidden("postgresql:///x?sslpassword=hush"), "postgresql:///x?sslpassword=xxxx");
  EXPECT_EQ(hidden("postgresql:///x?pass%77ord=hush"), "postgresql:///x?pass%77ord=xxxx");
  EXPECT_EQ(hidden(" POSTGRESQL://me:hush@host/x"), " POSTGRESQL://me:xxxx@host/x");
  for (const char* other :
       {"postgresql://me@host:5432/x", "postgresql://host:5432/x", "people.csv", "", "a:b@c", "sqlite:a:b@c"})
    EXPECT_EQ(hidden(other), other);
}

TEST(DatabaseUrl, MessagesQuoteNoCredentials) {
  EXPECT_TRUE(
      quotes_credentials("invalid integer value \"hunter2\" for \"port\"", "postgresql://me:hunter2/pw@/x"));
  EXPECT_TRUE(quotes_credentials("no host name \"ter2@\"", "postgres://me:hun@ter2@/x"));
  EXPECT_FALSE(quotes_credentials("role \"me_too\" does not exist", "postgres://me_too:hush@host/x"));
  EXPECT_FALSE(quotes_credentials("no such host", "postgres://host/x"));
  EXPECT_EQ(without_credentials("there is no command 'postgresql://me:a/b@h/x'"),
            "there is no command 'postgresql://...@h/x'");
  EXPECT_EQ(without_credentials("POSTGRESQL://me:pw@/c: there is no such file"),
            "POSTGRESQL://...@/c: there is no such file");
  EXPECT_EQ(without_credentials("write to me@home, see http://x/y"), "write to me@home, see http://x/y");
  EXPECT_EQ(database_place("postgresql://lim:hunter2/pw@/census"), "postgresql://...");
}

}  // namespace
}  // namespace fugu
