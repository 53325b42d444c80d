#include "fugu/sample/wiped.h"

#include <cstring>

namespace fugu::inline in_sample {

void wipe(void* memory, size_t bytes) { explicit_bzero(memory, bytes); }

}  // namespace fugu::inline in_sample
