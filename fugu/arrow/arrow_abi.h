// Arrow's C data interface: the layout in which columns pass between programs without a copy.
//
// The three structures and their flags are fixed by that interface; names and order of members are its own.
// It asks programs to copy them: there is no library to link, and nanoarrow is not in Debian 12.
#pragma once

#include <cstdint>

extern "C" {

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

}  // extern "C"

namespace fugu::inline in_arrow {

inline constexpr int64_t kArrowDictionaryOrdered = 1;
inline constexpr int64_t kArrowNullable = 2;

// An Arrow structure that is released when its owner goes.
template <class Struct>
class Owned {
 public:
  Owned() : value_{} {}
  // Takes over what `from` holds, and leaves it released.
  explicit Owned(Struct& from) : value_(from) { from.release = nullptr; }
  Owned(Owned&& other) noexcept : value_(other.value_) { other.value_.release = nullptr; }
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      clear();
      value_ = other.value_;
      other.value_.release = nullptr;
    }
    return *this;
  }
  ~Owned() { clear(); }

  Struct* get() { return &value_; }
  const Struct& operator*() const { return value_; }
  const Struct* operator->() const { return &value_; }
  // Hands it over; what is left holds nothing.
  Struct take() {
    Struct result = value_;
    value_.release = nullptr;
    return result;
  }

 private:
  void clear() {
    if (value_.release) value_.release(&value_);
    value_.release = nullptr;
  }
  Struct value_;
};

}  // namespace fugu::inline in_arrow
