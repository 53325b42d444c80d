#include "fugu/table/tally.h"

#include <algorithm>
#include <cstring>

#include "fugu/table/words.h"

namespace fugu::inline in_table {
namespace {

uint64_t load(const char* from, size_t bytes) {
  uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

// Reads the last eight bytes overlapping.
uint64_t hash_of_text(std::string_view key) {
  const char* at = key.data();
  size_t left = key.size();
  uint64_t hash = folded(left ^ kFirstFactor, kSecondFactor);
  for (; left > 8; at += 8, left -= 8) hash = folded(hash ^ load(at, 8), kFirstFactor);
  uint64_t rest = 0;
  if (key.size() >= 8) {
    rest = load(at + left - 8, 8);
  } else if (left >= 4) {
    rest = load(at, 4) << 32 | load(at + left - 4, 4);
  } else if (left > 0) {
    rest = load(at, 1) << 16 | load(at + left / 2, 1) << 8 | load(at + left - 1, 1);
  }
  return folded(hash ^ rest, kSecondFactor);
}

}  // namespace

std::optional<size_t> Tally::find(std::string_view key) const {
  const uint64_t hash = hash_of_text(key);
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const size_t index = slots_[slot] - 1;
    if (entries_[index].hash == hash && entries_[index].key == key) return index;
  }
  return std::nullopt;
}

size_t Tally::add(std::string_view key, uint64_t line, uint64_t times) {
  uint64_t hash = hash_of_text(key);
  size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
    Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && entry.key == key) {
      entry.count += times;
      return slots_[slot] - 1;
    }
  }
  entries_.push_back({store(key), times, line, hash});
  slots_[slot] = entries_.size();
  if (entries_.size() * 2 > slots_.size()) grow();
  return entries_.size() - 1;
}

std::string_view Tally::store(std::string_view key) {
  if (key.size() > free_size_ || !free_) {
    free_size_ = std::max<size_t>(key.size(), 1 << 16);
    chunks_.push_back(std::make_unique_for_overwrite<char[]>(free_size_));
    free_ = chunks_.back().get();
  }
  char* place = free_;
  std::copy(key.begin(), key.end(), place);
  free_ += key.size();
  free_size_ -= key.size();
  return {place, key.size()};
}

void Tally::grow() {
  std::vector<size_t> slots(slots_.size() * 2);
  size_t mask = slots.size() - 1;
  for (size_t index = 0; index < entries_.size(); ++index) {
    size_t slot = entries_[index].hash & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = index + 1;
  }
  slots_ = std::move(slots);
}

}  // namespace fugu::inline in_table
