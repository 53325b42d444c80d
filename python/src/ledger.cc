// Releases that a ledger counts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "fugu/ledger/ledger_json.h"
#include "fugu/ledger/release_within_budget.h"
#include "fugu/run/ledger_request.h"
#include "python/src/objects.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

// What is known of a release before it is made.
struct PyReleaseFacts {
  std::string place, time;  // where it appears, empty in memory, and when
  std::vector<std::string> keep, keep_unprotected;
  bool new_data = false, drop = false;
};

// Calls make(count), which calls count() before anything appears and returns when all has.
std::string within_budget(const PyPlan& plan, const LedgerTexts& ledger, const PyReleaseFacts& facts,
                          const nb::callable& make) {
  check_ledger(ledger, !facts.keep_unprotected.empty());
  check_ledger_file(ledger);
  const ReleaseRequest request{.keep = facts.keep,
                               .keep_unprotected = facts.keep_unprotected,
                               .new_data = facts.new_data,
                               .drop = facts.drop,
                               .values_unchanged = ledger.values_unchanged};
  const Budgeted budget{ledger.path, spend_request(ledger, facts.place, facts.time)};
  const auto spent = release_within_budget(budget, plan.of_table(), request, {}, [&](const CountIt& count) {
    make(nb::cpp_function([&] {
      const nb::gil_scoped_release free;  // another process may hold the ledger for a while
      count({});
    }));
  });
  return spent_to_json(*spent).pretty();
}

// What would become of a release that keeps these columns; nothing is written.
std::string ask(const PyPlan& plan, const LedgerTexts& ledger, std::vector<std::string> keep) {
  check_ledger(ledger, false);
  check_ledger_file(ledger);
  const Budgeted budget{ledger.path, spend_request(ledger, "", "")};
  return outlook_to_json(ask_within_budget(budget, plan.of_table(), {.keep = std::move(keep)})).pretty();
}

std::string reserve(const PyPlan& plan, const LedgerTexts& ledger, const std::string& time) {
  check_ledger(ledger, false);
  check_ledger_file(ledger);
  const Budgeted budget{ledger.path, spend_request(ledger, "", time)};
  const nb::gil_scoped_release free;  // another process may hold the ledger for a while
  return spent_to_json(reserve_within_budget(budget, plan.of_table(), {}, {})).pretty();
}

std::string accounts_of(const std::string& path) {
  return accounts_to_json(Ledger(path).accounts()).pretty();
}

}  // namespace

void bind_ledger(nb::module_& module) {
  nb::class_<LedgerTexts>(module, "LedgerTexts")
      .def("__init__", [](LedgerTexts* self, std::string path, std::string dataset, std::string budget,
                          std::string budget_delta, bool values_unchanged) {
        new (self) LedgerTexts{.path = std::move(path),
                               .dataset = std::move(dataset),
                               .budget = std::move(budget),
                               .budget_delta = std::move(budget_delta),
                               .values_unchanged = values_unchanged};
      });
  nb::class_<PyReleaseFacts>(module, "ReleaseFacts")
      .def("__init__", [](PyReleaseFacts* self, std::string place, std::string time,
                          std::vector<std::string> keep, std::vector<std::string> keep_unprotected,
                          bool new_data, bool drop) {
        new (self) PyReleaseFacts{
            std::move(place), std::move(time), std::move(keep), std::move(keep_unprotected), new_data, drop};
      });
  module.def("within_budget", &within_budget,
             nb::sig("def within_budget(arg0: Plan, arg1: LedgerTexts, arg2: ReleaseFacts, arg3: "
                     "collections.abc.Callable[[collections.abc.Callable[[], None]], None], /) -> str"));
  module.def("ask", &ask);
  module.def("reserve", &reserve);
  module.def("accounts", &accounts_of);
}

}  // namespace fugu::python
