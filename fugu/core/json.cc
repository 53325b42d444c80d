#include "fugu/core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fugu/core/error.h"
#include "fugu/core/number.h"

namespace fugu::inline in_core {
namespace {

constexpr size_t kMaxDepth = 64;

// Builds a Json from nlohmann's events, which give each float's raw literal.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(std::string_view text, std::string place) : text_(text), place_(std::move(place)) {}

  bool null() override { return put(Json::null()); }
  bool boolean(bool value) override { return put(Json::boolean(value)); }
  bool number_integer(number_integer_t value) override { return put(Json::number(std::to_string(value))); }
  bool number_unsigned(number_unsigned_t value) override { return put(Json::number(std::to_string(value))); }
  bool number_float(number_float_t, const string_t& literal) override { return put(Json::number(literal)); }
  bool string(string_t& value) override { return put(Json::string(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return open(Json::object()); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& key) override {
    Frame& frame = stack_.back();
    auto position = std::lower_bound(frame.keys.begin(), frame.keys.end(), key);
    if (position != frame.keys.end() && *position == key) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: the key \"{}\" appears twice in one object", place_, key),
                  "remove one of the two");
    }
    frame.keys.insert(position, key);
    frame.key = key;
    return true;
  }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception& problem) override {
    size_t end = std::min(position > 0 ? position - 1 : 0, text_.size());
    size_t line =
        1 + static_cast<size_t>(std::count(text_.begin(), text_.begin() + static_cast<long>(end), '\n'));
    size_t start = text_.rfind('\n', end == 0 ? 0 : end - 1);
    size_t column = end - (start == std::string_view::npos || end == 0 ? 0 : start + 1) + 1;
    bool early = end >= text_.size() || text_.find_first_not_of(" \t\r\n", end) == std::string_view::npos;
    bool utf8 = std::string_view(problem.what()).find("UTF-8") != std::string_view::npos;
    bool range = problem.id == 406;
    throw Error(ErrorKind::kData,
                fmt::format("{}: line {}, column {}: {}", place_, line, column,
                            range   ? "a number is out of range"
                            : utf8  ? "the text is not UTF-8"
                            : early ? "the JSON ends too early"
                                    : "this is not JSON"),
                range   ? "write the number as a decimal or as a fraction in quotes"
                : early ? "the file may be cut off; write it again"
                        : "check the file with a JSON tool");
  }

  Json take() { return std::move(root_); }

 private:
  struct Frame {
    Json container;
    std::string key;
    std::vector<std::string> keys;  // sorted, to see repetitions
  };

  bool put(Json value) {
    if (stack_.empty()) {
      root_ = std::move(value);
    } else if (Frame& frame = stack_.back(); auto* members = frame.container.if_object()) {
      members->emplace_back(std::move(frame.key), std::move(value));
    } else {
      frame.container.if_array()->push_back(std::move(value));
    }
    return true;
  }
  bool open(Json container) {
    if (stack_.size() >= kMaxDepth) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: the JSON is nested more than {} deep", place_, kMaxDepth),
                  "fugu's files need far less; check what made this file");
    }
    stack_.push_back({std::move(container), {}, {}});
    return true;
  }
  bool close() {
    Json done = std::move(stack_.back().container);
    stack_.pop_back();
    return put(std::move(done));
  }

  std::string_view text_;
  std::string place_;
  std::vector<Frame> stack_;
  Json root_;
};

}  // namespace

Json Json::number(double value) { return std::isfinite(value) ? number(to_text(value)) : null(); }

Json Json::strings(const std::vector<std::string>& values) {
  Array result;
  for (const std::string& value : values) result.push_back(string(value));
  return array(std::move(result));
}

const Json* Json::find(std::string_view key) const {
  const Object* members = if_object();
  if (!members) return nullptr;
  for (const auto& [name, value] : *members) {
    if (name == key) return &value;
  }
  return nullptr;
}

void Json::add(std::string key, Json value) { if_object()->emplace_back(std::move(key), std::move(value)); }

Json parse_json(std::string_view text, const std::string& place) {
  Builder builder(text, place);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

}  // namespace fugu::inline in_core
