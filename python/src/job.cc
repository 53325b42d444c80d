#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "fugu/ask/job.h"
#include "fugu/ask/lists.h"
#include "fugu/calibrate/calibrate.h"
#include "fugu/core/error.h"
#include "fugu/run/job_check.h"
#include "fugu/run/release_run.h"
#include "python/src/objects.h"
#include "python/src/work.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

// A job, and where it lies.
struct PyJob {
  Job job;
  std::string place;
  std::string folder;

  // `path` is that of its file, empty where it has none.
  static PyJob of_json(const std::string& text, const std::string& place, const std::string& folder,
                       const std::string& path) {
    PyJob made{job_from_json(parse_json(text, place), place), place, folder};
    made.job.path = path;
    return made;
  }

  // What it names, from here; errors of `use` name the job.
  template <class Use>
  auto from_here(bool force, bool values_unchanged, const Use& use) const {
    try {
      Job here = job_in_folder(job, folder);
      here.output.force = force;
      here.ledger.values_unchanged = values_unchanged;
      check_complete(here, place);
      if (!here.files.report.empty()) {
        throw usage("outputs.report: the Python package has no page for it",
                    "run the job with fugu run, or leave the report out and draw the plan with plot()");
      }
      return use(here);
    } catch (const Error& error) {
      throw named_in_job(error, place);
    }
  }

  std::vector<std::string> check(bool force) const {
    return from_here(force, false, [](const Job& here) { return check_job(here).sentences; });
  }

  PyPlan run(bool force, bool values_unchanged, const std::string& time, const nb::object& progress) const {
    return from_here(force, values_unchanged, [&](const Job& here) {
      return PyPlan{result_of(progress, [&](const Progress& tell) {
        return here.releases() ? released(here, time, tell) : planned(here, tell);
      })};
    });
  }

  static Plan released(const Job& job, const std::string& time, const Progress& tell) {
    ReleaseRun run(asked_of(job));
    run.check();
    run.open();
    run.check_table();
    run.make_plan(tell);
    run.release(tell, time);
    run.appeared();
    return run.plan();
  }

  static Plan planned(const Job& job, const Progress& tell) {
    const std::string noise = one_noise(job.question);
    job.plan.check(noise);
    check_one_epsilon(job.question);
    PlanFiles beside(job.files, job.output.force);
    const FileOptions options{.force = job.output.force, .owner_only = true, .option = "--output"};
    check_plan_outputs(job);
    const Scenario scenario = read_question(job.question, tell).scenario;
    Plan plan = make_plan(scenario, job.question, job.plan, tell);
    beside.write_statement({.plan = plan, .publish_min = read_publish_min(job.release.publish_min)});
    if (!job.files.plan.empty()) {
      AtomicFile file(job.files.plan, options);
      const std::string text = plan_to_json(plan).pretty();
      write_all(file.descriptor(), text.data(), text.size(), job.files.plan);
      file.commit();
    }
    beside.appear();
    return plan;
  }
};

}  // namespace

void bind_job(nb::module_& module) {
  nb::class_<PyJob>(module, "Job")
      .def_static("of_json", &PyJob::of_json, nb::arg("text"), nb::arg("place"), nb::arg("folder"),
                  nb::arg("path"))
      .def("to_json", [](const PyJob& self) { return job_text(self.job); })
      .def("words", [](const PyJob& self) { return job_words(self.job); })
      .def("kept_unprotected",
           [](const PyJob& self) {
             return split_list(self.job.release.keep_unprotected, "--keep-unprotected");
           })
      .def("publish_min", [](const PyJob& self) { return read_publish_min(self.job.release.publish_min); })
      .def("check", &PyJob::check, nb::arg("force"))
      .def("run", &PyJob::run, nb::arg("force"), nb::arg("values_unchanged"), nb::arg("time"),
           nb::arg("progress").none());
}

}  // namespace fugu::python
