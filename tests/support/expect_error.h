// An error, whole: what went wrong, and what to do.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "fugu/core/error.h"

namespace fugu::testing {

inline void expect_error(const Error& error, ErrorKind kind, const std::string& message,
                         const std::string& hint) {
  EXPECT_EQ(error.kind(), kind);
  EXPECT_EQ(error.message(), message);
  EXPECT_EQ(error.hint(), hint);
}

}  // namespace fugu::testing
