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
  rows_[hash] += times;
  while (rows_.size() > kMostHashes) {
    ++zeros_;
    std::erase_if(rows_, [&](const auto& entry) { return !ends_in_zeros(entry.first, zeros_); });
  }
}

void RepeatCounter::add(const RepeatCounter& other) {
  if (other.zeros_ > zeros_) {
    zeros_ = other.zeros_;
    std::erase_if(rows_, [&](const auto& entry) { return !ends_in_zeros(entry.first, zeros_); });
  }
  for (const auto& [hash, times] : other.rows_) add_hash(hash, times);
}

Repeats RepeatCounter::seen() const {
  Repeats result;
  for (const auto& [hash, times] : rows_) {
    ++result.values;
    result.rows += times;
  }
  return {result.values << zeros_, result.rows << zeros_};
}

Error people_repeat(const std::string& file, const std::string& place, const std::string& name,
                    const Repeats& seen) {
  return usage(
      fmt::format("{}: {} looks like a person's number, and some people have several rows: {} values "
                  "in {} rows",
                  file, place, seen.values, seen.rows),
      fmt::format("--person {} takes one row of each person; --rows-independent says that the rows "
                  "are of different people, or independent",
                  name));
}

void check_people(const TableHead& head, const Watched& watched, const WatchedCounts& counts) {
  for (size_t k = 0; k < watched.columns.size(); ++k) {
    const size_t column = watched.columns[k];
    const Repeats seen = counts.seen(k);
    if (repeats_people(head.header[column], seen))
      throw people_repeat(head.file, head.column_place(column), head.header[column], seen);
  }
}

}  // namespace fugu::inline in_count
