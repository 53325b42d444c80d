// Every Arrow type as text: known answers, and numbers read back exactly.
#include "fugu/arrow/arrow_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "fugu/core/error.h"
#include "fugu/core/number.h"
#include "tests/support/arrow_stream.h"

namespace fugu {
namespace {

ArrowType number_type(ArrowType::Kind kind, int bytes, int scale = 0) {
  ArrowType type;
  type.kind = kind;
  type.bytes = bytes;
  type.precision = 38;
  type.scale = scale;
  return type;
}

std::vector<std::string> texts_of(const ArrowArray& array, const ArrowType& type) {
  ArrowReader reader(type, {"the table", "row"}, "column 'v'");
  std::vector<uint32_t> numbers(static_cast<size_t>(array.length));
  reader.read(array, 0, array.length, 1, numbers.data());
  std::vector<std::string> texts;
  for (uint32_t number : numbers) texts.emplace_back(reader.text(number));
  return texts;
}

template <class T>
std::vector<std::string> texts_of(const std::vector<T>& values, const ArrowType& type,
                                  std::vector<bool> valid = {}) {
  if (valid.empty()) valid.assign(values.size(), true);
  return texts_of(*hold(static_cast<int64_t>(values.size()), 0, {bitmap(valid), bytes_of(values)}), type);
}

TEST(ArrowReader, WholeNumbersOfEveryWidth) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts_of<int8_t>({-128, 0, 127}, number_type(ArrowType::kInt, 1)), (Texts{"-128", "0", "127"}));
  EXPECT_EQ(texts_of<uint8_t>({0, 255}, number_type(ArrowType::kUint, 1)), (Texts{"0", "255"}));
  EXPECT_EQ(texts_of<int16_t>({-32768}, number_type(ArrowType::kInt, 2)), (Texts{"-32768"}));
  EXPECT_EQ(texts_of<uint16_t>({65535}, number_type(ArrowType::kUint, 2)), (Texts{"65535"}));
  EXPECT_EQ(texts_of<uint32_t>({4294967295U}, number_type(ArrowType::kUint, 4)), (Texts{"4294967295"}));
  EXPECT_EQ(texts_of<int64_t>({INT64_MIN, -1}, number_type(ArrowType::kInt, 8)),
            (Texts{"-9223372036854775808", "-1"}));
  EXPECT_EQ(texts_of<uint64_t>({UINT64_MAX}, number_type(ArrowType::kUint, 8)),
            (Texts{"18446744073709551615"}));
}

TEST(ArrowReader, DecimalsKeepTheirDigits) {
  auto decimal = [](__int128 value, int scale) {
    std::vector<char> bytes(17);
    std::memcpy(bytes.data(), &value, 16);
    return texts_of(*hold(1, 0, {{}, bytes}), number_type(ArrowType::kDecimal, 16, scale)).front();
  };
  EXPECT_EQ(decimal(12345, 2), "123.45");
  EXPECT_EQ(decimal(-5, 3), "-0.005");
  EXPECT_EQ(decimal(0, 2), "0.00");
  EXPECT_EQ(decimal(12, -2), "1200");
  EXPECT_EQ(decimal(0, -2), "0");
  __int128 large = 1;
  for (int k = 0; k < 38; ++k) large *= 10;
  EXPECT_EQ(decimal(-(large - 1), 0), "-" + std::string(38, '9'));
}

TEST(ArrowReader, NullsTruthValuesAndRunsOfOneValue) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts_of<int32_t>({7, 8, 7, 7}, number_type(ArrowType::kInt, 4), {true, false, true, false}),
            (Texts{"7", "", "7", ""}));
  ArrowType truth;
  truth.kind = ArrowType::kBool;
  EXPECT_EQ(
      texts_of(*hold(3, 1, {bitmap({true, true, false, true}), bitmap({false, true, true, false})}), truth),
      (Texts{"true", "", "false"}));
}

TEST(ArrowReader, FloatsThatAreNoNumbersAreRefusedByRow) {
  for (double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    try {
      texts_of<double>({1, bad}, number_type(ArrowType::kFloat, 8));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_TRUE(error.message().starts_with("row 2, column 'v'")) << error.message();
    }
  }
  EXPECT_EQ(texts_of<double>({-0.0, 0.1}, number_type(ArrowType::kFloat, 8)),
            (std::vector<std::string>{"0", "0.1"}));
  EXPECT_EQ(texts_of<float>({0.1F}, number_type(ArrowType::kFloat, 4)), (std::vector<std::string>{"0.1"}));
}

RC_GTEST_PROP(ArrowReaderProperty, FloatsAreTheShortestDecimalThatReadsBack, (uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const std::string text = texts_of<double>({value}, number_type(ArrowType::kFloat, 8)).front();
  double back = 1;
  std::from_chars(text.data(), text.data() + text.size(), back);
  RC_ASSERT(back == value);
  RC_ASSERT(parse_decimal(text).has_value() || std::abs(value) > 1e200 || std::abs(value) < 1e-200);
}

RC_GTEST_PROP(ArrowReaderProperty, ManyDistinctNumbersKeepApart, ()) {
  const auto values = *rc::gen::container<std::vector<int64_t>>(*rc::gen::inRange<size_t>(1, 3000),
                                                                rc::gen::inRange<int64_t>(-2000, 2000));
  const auto texts = texts_of(values, number_type(ArrowType::kInt, 8));
  for (size_t k = 0; k < values.size(); ++k) RC_ASSERT(texts[k] == std::to_string(values[k]));
}

TEST(ArrowReader, ANulInATextIsRefused) {
  ArrowType type;
  type.kind = ArrowType::kText;
  EXPECT_THROW(texts_of(*text_array({std::string("a\0b", 3)}, type), type), Error);
}

TEST(ArrowReader, LengthsBelowNothingAreRefused) {
  ArrowType type;
  type.kind = ArrowType::kText;
  EXPECT_THROW(texts_of(*hold(1, 0, {{}, bytes_of<int32_t>({5, 2}), {'a', 'b', 'c'}}), type), Error);
}

TEST(ArrowReader, WhatIsNotThereIsRefused) {
  const ArrowType whole = number_type(ArrowType::kInt, 4);
  auto broken = [&](auto breaks, const ArrowType& type) {
    Owned<ArrowArray> array = hold(2, 0, {{}, bytes_of<int32_t>({1, 0})}, text_array({"a", "b"}, {}));
    breaks(*array.get());
    EXPECT_THROW(texts_of(*array, type), Error);
  };
  broken([](ArrowArray& array) { array.n_buffers = 1; }, whole);
  broken([](ArrowArray& array) { array.buffers = nullptr; }, whole);
  broken([](ArrowArray& array) { array.buffers[1] = nullptr; }, whole);
  broken([](ArrowArray& array) { array.offset = -1; }, whole);
  ArrowType codes;
  codes.kind = ArrowType::kText;
  codes.index_bytes = 4;
  broken([](ArrowArray& array) { array.dictionary = nullptr; }, codes);
  broken([](ArrowArray& array) { array.dictionary->length = -1; }, codes);
  ArrowType text;
  text.kind = ArrowType::kText;
  EXPECT_THROW(texts_of(*hold(1, 0, {{}, bytes_of<int32_t>({0, 2}), {}}), text), Error);
  EXPECT_EQ(texts_of(*hold(1, 0, {{}, bytes_of<int32_t>({0, 0}), {}}), text), std::vector<std::string>{""});
}

TEST(ArrowReader, ViewsStayWithinTheirBuffers) {
  ArrowType type;
  type.kind = ArrowType::kText;
  type.texts = ArrowType::kViews;
  auto read = [&](int32_t buffer, int32_t offset) {
    const std::vector<char> data(30, 'x');
    return texts_of(
        *hold(1, 0, {{}, bytes_of<int32_t>({20, 0, buffer, offset}), data, bytes_of<int64_t>({30})}), type);
  };
  EXPECT_EQ(read(0, 10), std::vector<std::string>{std::string(20, 'x')});
  EXPECT_THROW(read(0, 11), Error);
  EXPECT_THROW(read(0, -1), Error);
  EXPECT_THROW(read(1, 0), Error);
  EXPECT_THROW(read(-1, 0), Error);
}

// Short ones are looked up by their bytes, and none is taken for another: neither what is longer, nor what
// ends in a NUL, nor what lies behind it in the buffer.
RC_GTEST_PROP(ArrowReaderProperty, TextsOfAllLengthsAreToldApart, ()) {
  const auto word = rc::gen::map(rc::gen::pair(rc::gen::inRange<size_t>(0, 20), rc::gen::element('a', 'b')),
                                 [](const auto& made) { return std::string(made.first, made.second); });
  const auto words = *rc::gen::container<std::vector<std::string>>(word);
  const std::vector<std::optional<std::string>> texts(words.begin(), words.end());
  ArrowType type;
  type.kind = ArrowType::kText;
  for (const auto layout : {ArrowType::kShort, ArrowType::kLarge, ArrowType::kViews}) {
    type.texts = layout;
    for (const size_t before : {size_t{0}, size_t{3}})
      RC_ASSERT(texts_of(*text_array(texts, type, before), type) == words);
  }
}

TEST(ArrowReader, ATextWithANulIsRefusedThoughItsBeginningIsKnown) {
  const std::string filler(30, 'x');
  for (const auto layout : {ArrowType::kShort, ArrowType::kLarge, ArrowType::kViews}) {
    ArrowType type;
    type.kind = ArrowType::kText;
    type.texts = layout;
    try {
      texts_of(*text_array({"a", std::string("a\0", 2), filler}, type), type);
      ADD_FAILURE() << layout;
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "row 2, column 'v': the text holds a NUL");
    }
  }
}

TEST(ArrowType, WhatStandsForSomethingElseIsRefused) {
  ArrowSchema schema{};
  schema.format = "l";
  std::string metadata;
  auto put = [&](const std::string& text) {
    const auto size = static_cast<int32_t>(text.size());
    metadata.append(reinterpret_cast<const char*>(&size), 4).append(text);
  };
  const int32_t pairs = 2;
  metadata.append(reinterpret_cast<const char*>(&pairs), 4);
  for (const char* text : {"note", "a number", "ARROW:extension:name", "pandas.period"}) put(text);
  schema.metadata = metadata.c_str();
  EXPECT_THROW(arrow_type(schema, "column 'v'"), Error);
  metadata.replace(metadata.find("ARROW"), 5, "arrow");
  schema.metadata = metadata.c_str();
  EXPECT_EQ(arrow_type(schema, "column 'v'").kind, ArrowType::kInt);
}

TEST(ArrowType, WhatHasNoPlaceIsNamed) {
  for (const auto& [format, word] :
       std::vector<std::pair<const char*, const char*>>{{"ttm", "times of day"},
                                                        {"tsu:UTC", "timestamps"},
                                                        {"z", "binary"},
                                                        {"+l", "lists"},
                                                        {"+s", "structures"},
                                                        {"e", "half-precision"},
                                                        {"d:40,2,256", "wide decimals"},
                                                        {"tiM", "intervals"},
                                                        {"+r", "run-end"}}) {
    ArrowSchema schema{};
    schema.format = format;
    try {
      arrow_type(schema, "column 'v'");
      ADD_FAILURE() << format;
    } catch (const Error& error) {
      EXPECT_NE(error.message().find(word), std::string::npos) << error.message();
      EXPECT_EQ(error.kind(), ErrorKind::kData);
    }
  }
}

}  // namespace
}  // namespace fugu
