#include "fugu/core/json.h"

#include <gtest/gtest.h>

#include "fugu/core/digest.h"
#include "fugu/core/error.h"
#include "fugu/core/json_read.h"

namespace fugu {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_json(text, "f.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_FALSE(error.hint().empty());
    return error.message();
  }
  return "no error";
}

TEST(Json, KeepsLiteralsAndOrder) {
  const std::string text =
      R"({"b":0.2250,"a":[1,-2,1e-7,123456789012345678901234567890],"c":null,"d":true,"e":"x\"\n\u00e9"})";
  Json json = parse_json(text, "f.json");
  EXPECT_EQ(json.find("b")->if_number()->literal, "0.2250");
  EXPECT_EQ((*json.find("a")->if_array())[3].if_number()->literal, "123456789012345678901234567890");
  EXPECT_EQ(*json.find("e")->if_string(), "x\"\n\xc3\xa9");
  EXPECT_EQ(json.canonical(),
            "{\"a\":[1,-2,1e-7,123456789012345678901234567890],\"b\":0.2250,\"c\":null,\"d\":true,\"e\":"
            "\"x\\\"\\n\xc3\xa9\"}");
  EXPECT_EQ(parse_json(json.pretty(), "f.json").canonical(), json.canonical());
}

TEST(Json, WhatIsRefused) {
  EXPECT_EQ(message_of("{\"a\":1,\"a\":2}"), "f.json: the key \"a\" appears twice in one object");
  EXPECT_EQ(message_of("{\"a\": [1, 2"), "f.json: line 1, column 12: the JSON ends too early");
  EXPECT_EQ(message_of(""), "f.json: line 1, column 1: the JSON ends too early");
  EXPECT_EQ(message_of("{\"a\":\n  x}"), "f.json: line 2, column 3: this is not JSON");
  EXPECT_EQ(message_of("[1] 2"), "f.json: line 1, column 5: this is not JSON");
  EXPECT_EQ(message_of("[1e400]"), "f.json: line 1, column 6: a number is out of range");
  EXPECT_EQ(message_of("[\"\xff\"]"), "f.json: line 1, column 3: the text is not UTF-8");
  EXPECT_EQ(message_of(std::string(100000, '[')), "f.json: the JSON is nested more than 64 deep");
  EXPECT_EQ(message_of("[NaN]"), "f.json: line 1, column 2: this is not JSON");
}

TEST(Json, ZerosInFrontChangeNoNumber) {
  EXPECT_EQ(need_natural(Json::string("010"), "f.json"), 10);
  EXPECT_EQ(need_natural(Json::string("09"), "f.json"), 9);
  EXPECT_EQ(need_natural(Json::string("0"), "f.json"), 0);
  EXPECT_EQ(need_number(Json::string("1/010"), "f.json"), Rational(1, 10));
}

TEST(Digest, KnownAnswers) {
  EXPECT_EQ(sha256(""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace fugu
