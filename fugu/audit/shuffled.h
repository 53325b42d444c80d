// What the receipt beside a released file says of the order of its rows.
#pragma once

#include <string>

namespace fugu::inline in_audit {

// Whether PATH.receipt.json is a receipt and says that the rows were shuffled. What is not there, cannot be
// read or is no receipt says nothing.
bool receipt_says_shuffled(const std::string& path);

}  // namespace fugu::inline in_audit
