#include "apps/studio/tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "fugu/core/error.h"
#include "fugu/core/utf8.h"
#include "fugu/show/wording.h"

namespace fugu::studio {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostUploads = 100;
constexpr size_t kMostRows = 8;

Error not_named(const std::string& name) {
  return usage(fmt::format("TABLE: '{}' is not a table that the studio was started with", printable(name)),
               "drop the file on the page, or name it when you start: fugu studio TABLE");
}

// The name of a dropped file as it may stand in messages and command lines: its last part.
std::string plain_name(const std::string& name) {
  constexpr size_t kLongest = 200;
  std::string plain = printable(name.substr(name.find_last_of("/\\") + 1));
  size_t end = std::min(plain.size(), kLongest);
  while (end < plain.size() && end > 0 && (plain[end] & 0xC0) == 0x80) --end;  // no part of a character
  plain.resize(end);
  return plain.empty() || plain == "." || plain == ".." || !is_utf8(plain) ? "table.csv" : plain;
}

}  // namespace

fs::path beneath(const fs::path& folder, const std::string& name) {
  const fs::path relative(name);
  const bool climbs = std::any_of(relative.begin(), relative.end(),
                                  [](const fs::path& part) { return part == ".." || part == "."; });
  if (name.empty() || name.find('\0') != std::string::npos || relative.is_absolute() || climbs)
    throw not_named(name);
  std::error_code failed;
  const fs::path root = fs::canonical(folder, failed);
  if (failed) throw not_named(name);
  fs::path place = fs::canonical(root / relative, failed);
  if (failed) throw not_named(name);
  const auto [end, rest] = std::mismatch(root.begin(), root.end(), place.begin(), place.end());
  if (end != root.end() || !fs::is_regular_file(place)) throw not_named(name);
  return place;
}

fs::path new_file_in(const fs::path& folder, const std::string& name) {
  const bool plain = !name.empty() && name.size() <= 200 && name.front() != '.' && name.front() != '-' &&
                     name.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos &&
                     printable(name) == name;
  if (!plain) {
    throw usage("-o: the output needs a plain name, without folders",
                "for example released.csv; it is written to the studio's folder");
  }
  return folder / name;
}

Tables::Tables(std::vector<std::string> named, std::string folder, uint64_t upload_size)
    : named_(std::move(named)), folder_(std::move(folder)), upload_size_(upload_size) {}

OpenTable Tables::add(OpenTable table) {
  const std::lock_guard lock(mutex_);
  for (const OpenTable& known : tables_) {
    if (known.path == table.path) return known;
  }
  table.id = fmt::format("t{}-{}", next_id_++, run_);
  tables_.push_back(table);
  if (table.uploaded) drop_old_uploads();
  return table;
}

void Tables::drop_old_uploads() {
  uint64_t bytes = 0;
  size_t uploads = 0;
  for (size_t k = tables_.size(); k-- > 0;) {
    if (!tables_[k].uploaded) continue;
    std::error_code failed;
    const uint64_t size = fs::file_size(tables_[k].path, failed);
    bytes += failed ? 0 : size;
    ++uploads;
    if ((bytes <= upload_size_ && uploads <= kMostUploads) || k + 1 == tables_.size()) continue;
    fs::remove(tables_[k].path, failed);
    std::erase_if(rows_, [&](const auto& entry) { return entry.first.starts_with(tables_[k].id + " "); });
    tables_.erase(tables_.begin() + static_cast<ptrdiff_t>(k));
  }
}

OpenTable Tables::open(const std::string& name) {
  if (std::find(named_.begin(), named_.end(), name) != named_.end()) return add({"", name, name});
  if (folder_.empty()) throw not_named(name);
  return add({"", (fs::path(folder_) / name).lexically_normal().string(), beneath(folder_, name).string()});
}

std::string Tables::upload_path() {
  const std::lock_guard lock(mutex_);
  return (uploads_.path() / fmt::format("upload-{}", next_upload_++)).string();
}

OpenTable Tables::add_upload(const std::string& path, const std::string& name) {
  return add({"", plain_name(name), path, true});
}

OpenTable Tables::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  for (const OpenTable& table : tables_) {
    if (table.id == id) return table;
  }
  throw usage("no table is given", "drop a CSV file on the page, or name one when you start the studio");
}

std::shared_ptr<KeptRows> Tables::rows(const OpenTable& table, const CsvOptions& options) {
  const std::string key = fmt::format("{} {} {}", table.id, options.header ? "header" : "none",
                                      options.separator ? int(*options.separator) : -1);
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const auto& kept) { return kept.first == key; });
    if (found != rows_.end() && found->second->state() == file_state(table.path)) {
      rows_.splice(rows_.begin(), rows_, found);
      return rows_.front().second;
    }
  }
  auto fresh = std::make_shared<KeptRows>(table.path, options);
  const std::lock_guard lock(mutex_);
  rows_.remove_if([&](const auto& kept) { return kept.first == key; });
  rows_.emplace_front(key, fresh);
  if (rows_.size() > kMostRows) rows_.pop_back();
  return fresh;
}

}  // namespace fugu::studio
