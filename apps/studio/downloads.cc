#include "apps/studio/downloads.h"

#include <fmt/format.h>

#include <algorithm>

namespace fugu::studio {
namespace {

constexpr size_t kMostDownloads = 100;

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
         c == '_';
}

}  // namespace

Json Downloads::add(Download download, Kept kept) {
  const std::lock_guard lock(mutex_);
  download.id = fmt::format("f{}", next_++);
  Json json = Json::object();
  json.add("id", Json::string(download.id));
  json.add("name", Json::string(download.name));
  (kept == Kept::kAWhile ? passing_ : lasting_).push_front(std::move(download));
  if (passing_.size() > kMostDownloads) passing_.pop_back();
  return json;
}

void Downloads::forget(const Json& files) {
  const std::lock_guard lock(mutex_);
  if (!files.if_object()) return;
  for (const auto& [name, file] : *files.if_object()) {
    const Json* id = file.find("id");
    if (id && id->if_string())
      lasting_.remove_if([&](const Download& one) { return one.id == *id->if_string(); });
  }
}

std::optional<Download> Downloads::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  for (const std::list<Download>* list : {&passing_, &lasting_}) {
    const auto found =
        std::find_if(list->begin(), list->end(), [&](const Download& one) { return one.id == id; });
    if (found != list->end()) return *found;
  }
  return std::nullopt;
}

std::string attachment(const std::string& name) {
  std::string plain, escaped;
  for (const char c : name) {
    plain += is_plain(c) ? c : '_';
    escaped += is_plain(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return fmt::format("attachment; filename=\"{}\"; filename*=UTF-8''{}", plain, escaped);
}

}  // namespace fugu::studio
