#include "fugu/core/unexpected.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <system_error>

namespace fugu {
namespace {

TEST(Unexpected, MemoryIsToldFromMistakes) {
  const std::string memory = "there is not enough memory";
  EXPECT_EQ(unexpected(std::bad_alloc()).message(), memory);
  EXPECT_EQ(unexpected(std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)))
                .message(),
            memory);
  EXPECT_EQ(unexpected(std::runtime_error("pthread_create has failed")).message(), memory);
  EXPECT_EQ(unexpected(std::out_of_range("index")).message(), "unexpected: index");
  EXPECT_EQ(unexpected(std::system_error(std::make_error_code(std::errc::permission_denied)))
                .message()
                .find(memory),
            std::string::npos);
}

}  // namespace
}  // namespace fugu
