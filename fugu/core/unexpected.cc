#include "fugu/core/unexpected.h"

#include <fmt/format.h>

#include <new>
#include <string_view>
#include <system_error>

namespace fugu::inline in_core {
namespace {

// Without room for a thread's stack the standard library gives an error code; TBB has only words for it.
bool is_no_memory(const std::exception& caught) {
  if (dynamic_cast<const std::bad_alloc*>(&caught)) return true;
  if (const auto* system = dynamic_cast<const std::system_error*>(&caught))
    return system->code() == std::errc::resource_unavailable_try_again;
  return std::string_view(caught.what()).find("pthread_create") != std::string_view::npos;
}

}  // namespace

Error unexpected(const std::exception& caught) {
  if (is_no_memory(caught)) {
    return Error(ErrorKind::kBug, "there is not enough memory",
                 "use a machine with more memory, or less data; --threads 1 needs less");
  }
  return Error(ErrorKind::kBug, fmt::format("unexpected: {}", caught.what()),
               "this is a bug in fugu: please report it");
}

}  // namespace fugu::inline in_core
