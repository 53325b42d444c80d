#include "fugu/database/libpq.h"

#include <dlfcn.h>

#include <optional>

#include "fugu/core/error.h"

namespace fugu::inline in_database {
namespace {

std::optional<Libpq> load() {
  void* const library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) return std::nullopt;
  Libpq found{};
  bool whole = true;
  auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    whole = whole && function;
  };
#define FUGU_LIBPQ_FIND(name) find(found.name, #name);
  FUGU_LIBPQ_FUNCTIONS(FUGU_LIBPQ_FIND)
#undef FUGU_LIBPQ_FIND
  if (!whole) return std::nullopt;
  return found;
}

}  // namespace

const Libpq* find_libpq() {
  static const std::optional<Libpq> loaded = load();
  return loaded ? &*loaded : nullptr;
}

const Libpq& libpq() {
  if (const Libpq* found = find_libpq()) return *found;
  throw Error(ErrorKind::kIo, "PostgreSQL is read with libpq, which this machine does not have",
              "apt-get install libpq5");
}

}  // namespace fugu::inline in_database
