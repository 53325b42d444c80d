#include "fugu/count/people.h"

#include <fmt/format.h>

#include <algorithm>

namespace fugu::inline in_count {
namespace {

constexpr size_t kMostHashes = size_t{1} << 20;

bool ends_in_zeros(uint64_t hash, unsigned zeros) { return (hash & ((uint64_t{1} << zeros) - 1)) == 0; }

}  // namespace

Watched watched_columns(const TableHead& head, const std::vector<size_t>& used,
                        const std::vector<std::string>& na) {
  Watched watched{{}, na};
  for (size_t k = 0; k < head.header.size(); ++k) {
    if (may_name_people(head.header[k]) && std::find(used.begin(), used.end(), k) == used.end())
      watched.columns.push_back(k);
  }
  return watched;
}

void RepeatCounter::add_hash(uint64_t hash, uint64_t times) {
  if (!ends_in_zeros(hash, zeros_)) return;
  const uint32_t place = places_.get({hash}, [&] {
    values_.push_back({hash, 0});
    return static_cast<uint32_t>(values_.size() - 1);
  });
  values_[place].rows += times;
  while (values_.size() > kMostHashes) keep(zeros_ + 1);
}

// Only hashes that end in so many zeros.
void RepeatCounter::keep(unsigned zeros) {
  zeros_ = zeros;
  std::erase_if(values_, [&](const Value& value) { return !ends_in_zeros(value.hash, zeros); });
  places_ = {};
  for (uint32_t k = 0; k < values_.size(); ++k) places_.get({values_[k].hash}, [&] { return k; });
}

void RepeatCounter::add(const RepeatCounter& other) {
  if (other.zeros_ > zeros_) keep(other.zeros_);
  for (const auto& [hash, rows] : other.values_) add_hash(hash, rows);
}

Repeats RepeatCounter::seen() const {
  Repeats result;
  result.values = values_.size();
  for (const Value& value : values_) result.rows += value.rows;
  return {result.values << zeros_, result.rows << zeros_};
}

Error people_repeat(const std::string& file, const std::string& place, const std::string& name) {
  return usage(
      fmt::format("{}: {} looks like a person's number, and some people have several rows", file, place),
      fmt::format("--person {} takes one row per person; --rows-independent confirms that the rows are about "
                  "different people, or independent",
                  name));
}

void check_people(const TableHead& head, const Watched& watched, const WatchedCounts& counts) {
  for (size_t k = 0; k < watched.columns.size(); ++k) {
    const size_t column = watched.columns[k];
    const Repeats seen = counts.seen(k);
    if (repeats_people(head.header[column], seen))
      throw people_repeat(head.file, head.column_place(column), head.header[column]);
  }
}

}  // namespace fugu::inline in_count
