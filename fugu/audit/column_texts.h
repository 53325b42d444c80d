// The fields of a column as they stand in a table, each text kept once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fugu::inline in_audit {

class ColumnTexts {
 public:
  explicit ColumnTexts(std::string name) : name_(std::move(name)) {}
  ColumnTexts(ColumnTexts&&) = default;
  ColumnTexts& operator=(ColumnTexts&&) = default;

  void add(std::string_view text) {
    const auto [found, fresh] = numbers_.try_emplace(std::string(text), texts_.size());
    if (fresh) texts_.push_back(&found->first);
    rows_.push_back(static_cast<uint32_t>(found->second));
  }
  const std::string& name() const { return name_; }
  size_t rows() const { return rows_.size(); }
  const std::string& at(size_t row) const { return *texts_[rows_[row]]; }

  // Whether both have the same texts, row by row, and any at all.
  friend bool same_fields(const ColumnTexts& a, const ColumnTexts& b) {
    if (a.rows() != b.rows() || a.rows() == 0) return false;
    for (size_t row = 0; row < a.rows(); ++row) {
      if (a.at(row) != b.at(row)) return false;
    }
    return true;
  }

 private:
  std::string name_;
  std::unordered_map<std::string, size_t> numbers_;  // its keys stay where they are, also when it is moved
  std::vector<const std::string*> texts_;
  std::vector<uint32_t> rows_;
};

}  // namespace fugu::inline in_audit
