// Makes Arrow arrays that own their memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fugu/arrow/arrow_abi.h"
#include "fugu/arrow/arrow_type.h"

namespace fugu::inline in_arrow {

// A block of memory for one buffer of an array; not filled beforehand.
class ArrowBuffer {
 public:
  ArrowBuffer() = default;
  explicit ArrowBuffer(size_t bytes);
  ArrowBuffer(ArrowBuffer&& other) noexcept;
  ArrowBuffer& operator=(ArrowBuffer&& other) noexcept;
  ~ArrowBuffer();

  template <class T>
  T* as() {
    return static_cast<T*>(data_);
  }
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// An array of `length` values without nulls, over these buffers (the first, of nulls, is added). A dictionary
// comes with its array of values.
Owned<ArrowArray> make_array(int64_t length, std::vector<ArrowBuffer> buffers,
                             Owned<ArrowArray>* dictionary = nullptr);

// The column's type under that name.
Owned<ArrowSchema> make_schema(const ArrowType& type, const std::string& name);

// Texts one after the other. Precondition: the layout is not that of views.
Owned<ArrowArray> make_texts(const std::vector<std::string>& texts, ArrowType::Texts layout);

}  // namespace fugu::inline in_arrow
