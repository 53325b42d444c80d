// Rows on their way to standard output, which cannot be taken back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fugu/file/byte_sink.h"

namespace fugu::cli {

// Holds back what comes first. What is found wrong with a table whose rows all fit is found before any is
// out; of a longer one the rows then go as they come.
class HeldBack final : public ByteSink {
 public:
  static constexpr size_t kMost = size_t{4} << 20;  // bytes

  explicit HeldBack(ByteSink& sink) : sink_(sink) {}

  void write(std::string_view bytes) override {
    if (flows_) return sink_.write(bytes);
    held_ += bytes;
    if (held_.size() > kMost) let_go();
  }
  void finish() override {
    let_go();
    sink_.finish();
  }

 private:
  void let_go() {
    if (flows_) return;
    flows_ = true;
    sink_.write(held_);
    held_ = {};
  }

  ByteSink& sink_;
  std::string held_;
  bool flows_ = false;
};

}  // namespace fugu::cli
