// Counts of byte strings, with the line where each was first seen: one lookup per count.
//
// Why no library: absl::flat_hash_map takes 0.7 to 2.6 times as long, std::unordered_map 1.3 to 7, and the
// entries in their order and the keys' bytes would stay ours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace fugu::inline in_table {

class Tally {
 public:
  struct Entry {
    std::string_view key;  // lives as long as the tally
    uint64_t count;
    uint64_t line;  // as given when the key was first added
    uint64_t hash;
  };

  Tally() : slots_(64) {}

  // Adds `times` to the count of `key`; the index of its entry. It is a new one when size() grew.
  size_t add(std::string_view key, uint64_t line, uint64_t times = 1);

  // The index of its entry, where it was added.
  std::optional<size_t> find(std::string_view key) const;

  size_t size() const { return entries_.size(); }
  const Entry& operator[](size_t index) const { return entries_[index]; }
  const std::vector<Entry>& entries() const { return entries_; }  // in the order they were first added

 private:
  std::string_view store(std::string_view key);
  void grow();

  std::vector<Entry> entries_;
  // Open addressing: the index of an entry + 1, or 0. A power of two in size, at most half full.
  std::vector<size_t> slots_;
  std::vector<std::unique_ptr<char[]>> chunks_;
  char* free_ = nullptr;
  size_t free_size_ = 0;
};

}  // namespace fugu::inline in_table
