// What workers elsewhere release by: mechanisms and maps of values, without the question.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "fugu/core/error.h"
#include "fugu/plan/publishable.h"
#include "fugu/release/release.h"
#include "fugu/release/row_release.h"
#include "fugu/verify/verify.h"
#include "python/src/capsules.h"
#include "python/src/objects.h"
#include "python/src/work.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

// Of one column.
class PyReleaser {
 public:
  explicit PyReleaser(ColumnRelease column) : column_(std::move(column)) {}

  auto release(const nb::object& stream, bool drop, bool beside_kept, const nb::object& progress) const {
    const ArrowTable table(stream_of(stream));
    if (table.columns() != 1) throw usage("a releaser takes one column", "give it the column alone");
    ArrowReleased released = result_of(progress, [&](const Progress& tell) {
      return release_column(table, column_, {drop, beside_kept, true}, tell);
    });
    return std::pair(ColumnOut(std::move(released.columns.front())), row_flags(released.left_out));
  }
  std::string to_json() const { return column_release_to_json(column_).canonical(); }

 private:
  ColumnRelease column_;
};

// Of rows: the known columns and then the released ones.
class PyRowReleaser {
 public:
  explicit PyRowReleaser(RowRelease rows) : rows_(std::make_unique<const RowsReleaser>(std::move(rows))) {}

  ReleasedOut release(const nb::object& stream, bool drop, bool beside_kept, bool plain_labels,
                      const nb::object& progress) const {
    const ArrowTable table(stream_of(stream),
                           "");  // a part of a table: its rows have no numbers of their own
    return handed_out(result_of(progress, [&](const Progress& tell) {
      return rows_->part(table, {drop, beside_kept, plain_labels}, tell);
    }));
  }
  std::string to_json() const { return row_release_to_json(rows_->release()).canonical(); }

 private:
  std::unique_ptr<const RowsReleaser> rows_;
};

const Plan& checked(const PyPlan& plan, uint64_t publish_min) {
  const Plan& table = plan.of_table();
  verify(table);
  check_publishable(table, publish_min);
  if (table.scenario.source && table.scenario.source->person) {
    throw usage("the plan takes one row per person, which workers that see parts of a table cannot",
                "release the whole table with plan.release or fugu.release_file");
  }
  return table;
}

std::vector<PyReleaser> releasers_of(const PyPlan& plan, uint64_t publish_min) {
  const Plan& table = checked(plan, publish_min);
  if (releases_rows(table)) {
    throw usage(
        draws_whole_rows(table)
            ? "the plan's rows trade places as a whole, which who sees one column at a time cannot do"
            : "the plan has known columns, and what is drawn depends on them: one column is not enough",
        "release the whole table with plan.release, fugu.release_file or fugu.spark.release");
  }
  std::vector<PyReleaser> result;
  for (ColumnRelease& column : column_releases(table)) result.emplace_back(std::move(column));
  return result;
}

}  // namespace

void bind_releasers(nb::module_& module, nb::class_<PyPlan>& plan) {
  nb::class_<PyReleaser>(module, "Releaser")
      .def(nb::init<PyReleaser&&>())
      .def_static("of_json",
                  [](const std::string& text) {
                    return PyReleaser(column_release_from_json(parse_json(text, "releaser"), "releaser"));
                  })
      .def("to_json", &PyReleaser::to_json)
      .def("release", &PyReleaser::release, nb::arg("stream"), nb::arg("drop"), nb::arg("beside_kept"),
           nb::arg("progress").none());
  nb::class_<PyRowReleaser>(module, "RowsReleaser")
      .def_static("of_json",
                  [](const std::string& text) {
                    return PyRowReleaser(row_release_from_json(parse_json(text, "releaser"), "releaser"));
                  })
      .def("to_json", &PyRowReleaser::to_json)
      .def("release", &PyRowReleaser::release, nb::arg("stream"), nb::arg("drop"), nb::arg("beside_kept"),
           nb::arg("plain_labels"), nb::arg("progress").none());
  plan.def("draws_whole_rows", [](const PyPlan& self) { return draws_whole_rows(self.of_table()); })
      .def(
          "order_tells",
          [](const PyPlan& self, bool keep_order) {
            check_order(keep_order, self.of_table());
            return order_tells(self.of_table());
          },
          nb::arg("keep_order"))
      .def("releases_rows", [](const PyPlan& self) { return releases_rows(self.of_table()); })
      .def("releasers", &releasers_of, nb::arg("publish_min") = kPublishMin)
      .def(
          "row_releaser",
          [](const PyPlan& self, uint64_t publish_min) {
            return PyRowReleaser(row_release(checked(self, publish_min)));
          },
          nb::arg("publish_min") = kPublishMin);
}

}  // namespace fugu::python
