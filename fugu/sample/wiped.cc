#include "fugu/sample/wiped.h"

#include <openssl/crypto.h>

namespace fugu::inline in_sample {

void wipe(void* memory, size_t bytes) { OPENSSL_cleanse(memory, bytes); }

}  // namespace fugu::inline in_sample
