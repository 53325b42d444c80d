#include "apps/cli/memory.h"

#include <fmt/format.h>
#include <gmp.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <string>

#include "fugu/core/error.h"
#include "fugu/core/unexpected.h"

namespace fugu::cli {
namespace {

const std::string& last_words() {
  static const Error error = unexpected(std::bad_alloc());
  static const std::string words = fmt::format("fugu: {}\nhint: {}\n", error.message(), error.hint());
  return words;
}

// No exception may pass through GMP, which is C.
void* or_end(void* memory) {
  if (memory) return memory;
  const std::string& words = last_words();
  (void)!write(STDERR_FILENO, words.data(), words.size());
  _exit(static_cast<int>(ErrorKind::kBug));
}

void* allocate(size_t size) { return or_end(std::malloc(size)); }
void* reallocate(void* memory, size_t, size_t size) { return or_end(std::realloc(memory, size)); }
void release(void* memory, size_t) { std::free(memory); }

}  // namespace

void say_when_memory_ends() {
  last_words();  // there will be no room for them
  mp_set_memory_functions(allocate, reallocate, release);
}

}  // namespace fugu::cli
