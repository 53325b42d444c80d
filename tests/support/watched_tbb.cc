// Linked into every program of a build with the thread sanitizer. The sanitizer cannot see into libtbb, so it
// would take each task for a race with the one that spawned it, and a suppression for that would hide every
// race in a task. Here the calls into the library pass by, and what the library makes sure of is said, no
// more: a task starts after it was spawned, a wait ends after its tasks, a stage of a pipeline gets an item
// after the stage before, and serial stages one by one.
#include <dlfcn.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <sanitizer/tsan_interface.h>

#include <cstdint>
#include <cstdlib>
#include <new>

namespace tbb::detail {
namespace {

template <class Function>
Function* in_library(const char* symbol) {
  void* found = dlsym(RTLD_NEXT, symbol);
  if (found == nullptr) std::abort();  // another version of TBB: the names below are those of 2021
  return reinterpret_cast<Function*>(found);
}

class WatchedTask final : public d1::task {
 public:
  explicit WatchedTask(d1::task& inner) : inner_(inner) {}

  d1::task* execute(d1::execution_data& data) override { return run(&d1::task::execute, data); }
  d1::task* cancel(d1::execution_data& data) override { return run(&d1::task::cancel, data); }

 private:
  d1::task* run(d1::task* (d1::task::*what)(d1::execution_data&), d1::execution_data& data) {
    __tsan_acquire(this);
    d1::task& inner = inner_;
    delete this;
    return (inner.*what)(data);
  }

  d1::task& inner_;
};

char all_stages;  // its address stands for the end of a pipeline

class WatchedFilter final : public d1::base_filter {
 public:
  explicit WatchedFilter(d1::base_filter* inner) : base_filter(mode_of(*inner)), inner_(inner) {
    __tsan_release(this);
  }
  ~WatchedFilter() override {
    inner_->~base_filter();
    r1::deallocate_memory(inner_);
  }

  void* operator()(void* item) override {
    __tsan_acquire(this);
    if (item != nullptr) __tsan_acquire(item);
    running = this;
    void* out = (*inner_)(item);
    if (out != nullptr) __tsan_release(out);
    if (is_serial()) __tsan_release(this);
    __tsan_release(&all_stages);
    return out;
  }
  void finalize(void* item) override {
    __tsan_acquire(item);
    inner_->finalize(item);
    __tsan_release(&all_stages);
  }

  static thread_local WatchedFilter* running;

 private:
  static unsigned mode_of(base_filter& filter) {
    return (filter.is_serial() ? filter_is_serial : 0) |
           (filter.is_serial() && !filter.is_ordered() ? filter_is_out_of_order : 0) |
           (filter.object_may_be_null() ? filter_may_emit_null : 0);
  }

  base_filter* inner_;
};
thread_local WatchedFilter* WatchedFilter::running = nullptr;

class WatchedLeaf final : public d1::filter_node {
 public:
  explicit WatchedLeaf(const filter_node& inner) : inner_(inner) {}
  d1::base_filter* create_filter() const override {
    return new (r1::allocate_memory(sizeof(WatchedFilter))) WatchedFilter(inner_.create_filter());
  }

 private:
  const filter_node& inner_;
};

d1::filter_node_ptr watched(const d1::filter_node& node) {
  if (!node.left)
    return d1::filter_node_ptr(new (r1::allocate_memory(sizeof(WatchedLeaf))) WatchedLeaf(node));
  return d1::filter_node_ptr(new (r1::allocate_memory(sizeof(d1::filter_node)))
                                 d1::filter_node(watched(*node.left), watched(*node.right)));
}

}  // namespace

namespace r1 {

void spawn(d1::task& task, d1::task_group_context& context) {
  static auto* const real = in_library<void(d1::task&, d1::task_group_context&)>(
      "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextE");
  auto* const watched_task = new WatchedTask(task);
  __tsan_release(watched_task);
  real(*watched_task, context);
}

void spawn(d1::task& task, d1::task_group_context& context, d1::slot_id slot) {
  static auto* const real = in_library<void(d1::task&, d1::task_group_context&, d1::slot_id)>(
      "_ZN3tbb6detail2r15spawnERNS0_2d14taskERNS2_18task_group_contextEt");
  auto* const watched_task = new WatchedTask(task);
  __tsan_release(watched_task);
  real(*watched_task, context, slot);
}

void execute_and_wait(d1::task& task, d1::task_group_context& context, d1::wait_context& wait,
                      d1::task_group_context& waiting) {
  static auto* const real = in_library<void(d1::task&, d1::task_group_context&, d1::wait_context&,
                                            d1::task_group_context&)>(
      "_ZN3tbb6detail2r116execute_and_waitERNS0_2d14taskERNS2_18task_group_contextERNS2_12wait_contextES6_");
  real(task, context, wait, waiting);
  // The last task has released the count that follows the first word of the wait.
  __tsan_acquire(reinterpret_cast<char*>(&wait) + sizeof(std::uint64_t));
}

void parallel_pipeline(d1::task_group_context& context, std::size_t tokens, const d1::filter_node& node) {
  static auto* const real = in_library<void(d1::task_group_context&, std::size_t, const d1::filter_node&)>(
      "_ZN3tbb6detail2r117parallel_pipelineERNS0_2d118task_group_contextEmRKNS2_11filter_nodeE");
  const d1::filter_node_ptr filters = watched(node);
  real(context, tokens, *filters);
  __tsan_acquire(&all_stages);
}

void set_end_of_input(d1::base_filter&) {
  static auto* const real =
      in_library<void(d1::base_filter&)>("_ZN3tbb6detail2r116set_end_of_inputERNS0_2d111base_filterE");
  real(*WatchedFilter::running);
}

// A task's memory goes from thread to thread.
void* allocate(d1::small_object_pool*& pool, std::size_t bytes, const d1::execution_data& data) {
  static auto* const real =
      in_library<void*(d1::small_object_pool*&, std::size_t, const d1::execution_data&)>(
          "_ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEmRKNS2_14execution_dataE");
  void* memory = real(pool, bytes, data);
  __tsan_acquire(memory);
  return memory;
}

void* allocate(d1::small_object_pool*& pool, std::size_t bytes) {
  static auto* const real = in_library<void*(d1::small_object_pool*&, std::size_t)>(
      "_ZN3tbb6detail2r18allocateERPNS0_2d117small_object_poolEm");
  void* memory = real(pool, bytes);
  __tsan_acquire(memory);
  return memory;
}

void deallocate(d1::small_object_pool& pool, void* memory, std::size_t bytes,
                const d1::execution_data& data) {
  static auto* const real =
      in_library<void(d1::small_object_pool&, void*, std::size_t, const d1::execution_data&)>(
          "_ZN3tbb6detail2r110deallocateERNS0_2d117small_object_poolEPvmRKNS2_14execution_dataE");
  __tsan_release(memory);
  real(pool, memory, bytes, data);
}

}  // namespace r1
}  // namespace tbb::detail
