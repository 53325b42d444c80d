#include "python/src/work.h"

#include <nanobind/stl/string.h>

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace fugu::python {
namespace {

namespace nb = nanobind;

// Thrown through the work when it is no longer wanted; it never reaches Python.
struct Stopped {};

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  double fraction = 0;
  std::string what;
  bool fresh = false;  // since it was last told
  std::atomic<bool> stop = false;
  std::exception_ptr error;
};

// However this thread leaves, also when the interpreter ends it: the work is stopped, and what it looks at
// stays until it is.
class Worker {
 public:
  Worker(State& state, std::function<void()> work) : state_(state), thread_(std::move(work)) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    if (!thread_.joinable()) return;
    state_.stop = true;
    thread_.join();
  }
  void join() { thread_.join(); }

 private:
  State& state_;
  std::thread thread_;
};

// Runs what needs no lock of Python's. Where the interpreter ends meanwhile it would end this thread by
// unwinding, through frames that must not be: the thread then waits for the process to end.
template <class Step>
void unlocked(const Step& step) {
  PyThreadState* thread = PyEval_SaveThread();
  step();
  try {
    PyEval_RestoreThread(thread);
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
}

void tell(const nb::object& callback, double fraction, const std::string& what) {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  if (!callback.is_none() && !what.empty()) callback(fraction, what);
}

}  // namespace

void run(const nb::object& callback, const std::function<void(const Progress&)>& work) {
  State state;
  auto progress = [&state](double fraction, std::string_view what) {
    if (state.stop) throw Stopped{};
    const std::lock_guard lock(state.mutex);
    state.fraction = fraction;
    state.what = what;
    state.fresh = true;
  };
  Worker worker(state, [&] {
    try {
      work(progress);
    } catch (...) {
      state.error = std::current_exception();
    }
    const std::lock_guard lock(state.mutex);
    state.done = true;
    state.changed.notify_all();
  });
  std::exception_ptr raised;  // by the callback or a signal
  for (bool done = false; !done;) {
    double fraction = 0;
    std::string what;
    unlocked([&] {
      std::unique_lock lock(state.mutex);
      done = state.changed.wait_for(lock, std::chrono::milliseconds(50), [&] { return state.done; });
      if (std::exchange(state.fresh, false)) {
        fraction = state.fraction;
        what = state.what;
      }
    });
    if (raised) continue;
    try {
      tell(callback, fraction, what);
    } catch (abi::__forced_unwind&) {
      throw;  // the interpreter ends this thread
    } catch (...) {
      raised = std::current_exception();
      state.stop = true;
    }
  }
  unlocked([&] { worker.join(); });
  if (raised) std::rethrow_exception(raised);
  if (state.error) std::rethrow_exception(state.error);
}

}  // namespace fugu::python
