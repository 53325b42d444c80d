#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "fugu/ask/observed.h"
#include "fugu/ask/preview_question.h"
#include "fugu/ask/texts.h"
#include "fugu/compose/compose.h"
#include "fugu/compose/compose_models.h"
#include "fugu/core/error.h"
#include "fugu/count/arrow_names.h"
#include "fugu/plan/leakage.h"
#include "fugu/plan/publishable.h"
#include "fugu/plan/statement.h"
#include "fugu/preview/utility.h"
#include "fugu/release/arrow_table.h"
#include "fugu/release/kept_columns.h"
#include "fugu/release/receipt.h"
#include "fugu/release/release_numbers.h"
#include "fugu/release/shuffle.h"
#include "fugu/report/model_text.h"
#include "fugu/report/picture.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/preview_text.h"
#include "fugu/show/wording.h"
#include "fugu/verify/verify.h"
#include "fugu/verify/verify_model.h"
#include "python/src/capsules.h"
#include "python/src/objects.h"
#include "python/src/work.h"

namespace fugu::python {
namespace {

namespace nb = nanobind;

// Releases the parts of one table, one after the other, by a plan that was verified once.
class PyRelease {
 public:
  PyRelease(const PyPlan& plan, uint64_t publish_min)
      : plan_(plan.of_table()), release_(plan_, publish_min) {}
  PyRelease(const PyRelease&) = delete;

  // `times` names the column that says how often a row comes, where rows come once each.
  void check(const nb::object& stream, bool drop, const nb::object& progress,
             const std::optional<std::string>& times, bool rows_independent, PyRemembered* remembered) const {
    ArrowRows rows(stream_of(stream), times);
    if (remembered) remembered->take(rows);
    run(progress, [&](const Progress& tell) {
      release_.compare_counts(rows, {.drop = drop, .rows_independent = rows_independent}, tell);
    });
  }
  // Of all rows, before the parts: which of each person is released, where the plan takes one.
  void choose(const nb::object& stream, bool new_data, bool drop, const std::vector<std::string>& keep,
              bool beside_others, const nb::object& progress) {
    ArrowRows rows(stream_of(stream));
    run(progress, [&](const Progress& tell) {
      chosen_ = release_.choose(rows, {new_data, drop, keep, beside_others}, tell);
    });
  }
  // Of the distinct rows of the plan's columns: those that are left out.
  FlagsOut rows_to_leave_out(const nb::object& stream, bool new_data, bool drop,
                             const std::vector<std::string>& keep, bool beside_others) const {
    return row_flags(
        release_.rows_to_leave_out(distinct(stream), {new_data, drop, keep, beside_others, true}));
  }
  // Of a table with these columns, those that the parts need.
  std::vector<std::string> read(const nb::object& stream, bool new_data, bool drop,
                                const std::vector<std::string>& keep, bool beside_others,
                                bool rows_independent) const {
    return release_.columns_of_parts(ArrowTable(stream_of(stream)),
                                     {new_data, drop, keep, beside_others, rows_independent});
  }
  // The first part says for all what is asked of them.
  auto part(const nb::object& stream, bool new_data, bool drop, const std::vector<std::string>& keep,
            bool beside_others, bool rows_independent, const nb::object& progress) {
    const ArrowTable table(stream_of(stream));
    return handed_out(result_of(progress, [&](const Progress& tell) {
      begin(table, {new_data, drop, keep, beside_others, rows_independent});
      return parts_->release(table, seen_, tell);
    }));
  }
  // Whether the parts may begin with rows that were counted, of a table like this one.
  bool begin_with(const PyRemembered& remembered, const nb::object& stream, bool new_data, bool drop,
                  const std::vector<std::string>& keep, bool beside_others, bool rows_independent) {
    const ArrowTable table(stream_of(stream));
    begin(table, {new_data, drop, keep, beside_others, rows_independent});
    remembered_ = remembered.rows;
    if (parts_->begin_with(*remembered_, remembered.header, seen_)) return true;
    parts_.reset();  // the others may come in other types
    return false;
  }
  // The next of these, about so many, and how many they are: none are left where that is 0.
  auto remembered_part(size_t rows, const nb::object& progress) {
    ArrowReleased released =
        result_of(progress, [&](const Progress& tell) { return parts_->release_remembered(rows, tell); });
    const uint64_t read = released.rows;
    return std::pair(handed_out(std::move(released)), read);
  }
  // After the parts, before what they gave may appear.
  void finish() const {
    if (chosen_) chosen_->check_taken("the table");
    if (!parts_) return;
    ArrowReleased all;
    parts_->collect(plan_.scenario.points, all);
    if (!all.watched.empty()) check_people(head_, parts_->watched(), all.watched);
  }

 private:
  // Its rows have no numbers of their own.
  static ArrowTable distinct(const nb::object& stream) { return ArrowTable(stream_of(stream), ""); }

  void begin(const ArrowTable& like, const TableReleaseOptions& options) {
    if (parts_) return;
    parts_ = release_.parts(like, options, chosen_.get());
    head_ = like.head();
  }

  const Plan plan_;
  const ArrowRelease release_;
  std::shared_ptr<RememberedRows> remembered_;
  LabelsSeen seen_;  // of the parts until now
  std::unique_ptr<ChosenRows> chosen_;
  std::unique_ptr<ArrowParts> parts_;  // made of the first
  TableHead head_;
};

auto release_table_of(const PyPlan& plan, const nb::object& stream, bool new_data, bool drop,
                      const std::vector<std::string>& keep, bool beside_others, uint64_t publish_min,
                      bool rows_independent, const nb::object& progress) {
  const ArrowTable table(stream_of(stream));
  return handed_out(result_of(progress, [&](const Progress& tell) {
    return ArrowRelease(plan.of_table(), publish_min)
        .release(table, {new_data, drop, keep, beside_others, rows_independent}, tell);
  }));
}

std::vector<std::string> release_true_numbers(const PyPlan& plan, const std::vector<std::string>& texts,
                                              uint64_t publish_min, const nb::object& progress) {
  const ModelPlan& model = plan.of_model();
  if (const RateModel* rate = std::get_if<RateModel>(&model.model)) check_publishable(*rate, publish_min);
  std::vector<int64_t> truth =
      texts.empty() ? plan.observed : observed_numbers(model.model, texts, "release");
  if (truth.empty()) throw usage("there is no number to release", "give the true number: plan.release(17)");
  const auto released =
      result_of(progress, [&](const Progress& tell) { return release_numbers(model, truth, tell); });
  std::vector<std::string> result;
  for (int64_t index : released) result.push_back(to_text(model.lattice().value(index)));
  return result;
}

PyPlan plan_of_json(const std::string& text, const std::string& place) {
  const Json json = parse_json(text, place);
  if (is_model_plan(json)) return PyPlan{model_plan_from_json(json, place)};
  return PyPlan{plan_from_json(json, place)};
}

std::string verified(const PyPlan& plan, const nb::object& progress) {
  return result_of(progress, [&](const Progress&) {
    if (const Plan* table = std::get_if<Plan>(&plan.plan))
      return verified_to_json(*table, verify(*table)).pretty();
    const ModelPlan& model = std::get<ModelPlan>(plan.plan);
    return verified_to_json(model, verify(model)).pretty();
  });
}

std::string composed(const std::vector<const PyPlan*>& plans, const std::string& delta, bool values_unchanged,
                     const nb::object& progress) {
  std::vector<Plan> tables;
  std::vector<ModelPlan> models;
  for (const PyPlan* plan : plans) {
    if (const Plan* table = std::get_if<Plan>(&plan->plan)) {
      tables.push_back(*table);
    } else {
      models.push_back(std::get<ModelPlan>(plan->plan));
    }
  }
  if (plans.empty()) throw usage("no plan is given", "give the plans of all releases of the value");
  if (!tables.empty() && !models.empty()) {
    throw Error(ErrorKind::kGuarantee,
                "the plans do not compose: some are about a table's column and some about a model",
                "compose plans about the same value");
  }
  std::optional<Rational> asked;
  if (!delta.empty()) asked = Delta::parse(delta, "--delta", ErrorKind::kUsage).value();
  if (asked && !models.empty())
    throw usage("--delta: this is for plans about a table's column, and these are about a model",
                "leave it out: what a model's plans promise together needs none");
  const Beliefs beliefs = values_unchanged ? Beliefs::kAny : Beliefs::kSame;
  return result_of(progress, [&](const Progress&) {
    for (const Plan& table : tables) verify(table);
    for (const ModelPlan& model : models) verify(model);
    const Composition together = models.empty() ? compose(tables, asked, beliefs) : compose(models);
    Json json = composition_to_json(together);
    json.add("words", Json::string(in_words(together)));
    return json.pretty();
  });
}

std::string receipt_of(const PyPlan& plan, uint64_t rows, uint64_t dropped,
                       const std::vector<std::string>& kept, const std::vector<std::string>& kept_unprotected,
                       bool new_data, bool drop, const std::string& digest, uint64_t publish_min,
                       uint64_t outside, bool shuffled) {
  ReleaseRequest request;
  request.publish_min = publish_min;
  request.new_data = new_data;
  request.drop = drop;
  request.shuffle = shuffled;
  request.keep_order = !shuffled;
  request.keep = kept;
  request.keep_unprotected = kept_unprotected;
  const ReleaseSummary summary{.rows = rows,
                               .dropped = dropped,
                               .outside = outside,
                               .released = rows - dropped - outside,
                               .kept = kept,
                               .kept_unprotected = kept_unprotected};
  return receipt_to_json(plan.of_table(), request, summary, digest).pretty();
}

// Its JSON, and its text.
std::pair<std::string, std::string> previewed(const PyPlan& plan, const nb::object& stream,
                                              const Texts& texts, const nb::object& progress) {
  const Plan& of = plan.of_table();
  PreviewOptions options = read_preview(options_of<PreviewTexts>(texts));
  std::optional<ArrowTable> table;
  if (!stream.is_none()) options.arrow = &table.emplace(stream_of(stream));
  return result_of(progress, [&](const Progress&) {
    verify(of);
    const Preview preview = preview_of(of, options);
    return std::pair(preview_to_json(preview).pretty(), preview_text(of.scenario, preview));
  });
}

// `before`, where given, must be the rows that the plan was made from.
std::string utility_after(const PyPlan& plan, const nb::object& before, const nb::object& after,
                          const nb::object& progress) {
  const Plan& of = plan.of_table();
  std::optional<ArrowRows> truth;
  if (!before.is_none()) truth.emplace(stream_of(before));
  ArrowRows released(stream_of(after));
  return result_of(progress, [&](const Progress& tell) {
    const ArrowRelease proved(of, 1);
    if (truth) proved.compare_counts(*truth, {.rows_independent = true}, tell);
    return utility_to_json(utility_of(of, released, tell)).pretty();
  });
}

template <class OfTable, class OfModel>
auto either(const PyPlan& plan, const OfTable& of_table, const OfModel& of_model) {
  if (const Plan* table = std::get_if<Plan>(&plan.plan)) return of_table(*table);
  return of_model(std::get<ModelPlan>(plan.plan));
}

}  // namespace

const Plan& PyPlan::of_table() const {
  if (const Plan* table = std::get_if<Plan>(&plan)) return *table;
  throw usage("this is the plan of a model, not of a table", "release numbers by it: plan.release(17)");
}

const ModelPlan& PyPlan::of_model() const {
  if (const ModelPlan* model = std::get_if<ModelPlan>(&plan)) return *model;
  throw usage("this is the plan of a table, not of a model", "release a column or a table by it");
}

void bind_plan(nb::module_& module) {
  nb::class_<PyRelease>(module, "Release")
      .def("check", &PyRelease::check, nb::arg("stream"), nb::arg("drop"), nb::arg("progress").none(),
           nb::arg("times") = nb::none(), nb::arg("rows_independent") = false,
           nb::arg("remembered").none() = nb::none())
      .def("choose", &PyRelease::choose, nb::arg("stream"), nb::arg("new_data"), nb::arg("drop"),
           nb::arg("keep"), nb::arg("beside_others"), nb::arg("progress").none())
      .def("finish", &PyRelease::finish)
      .def("rows_to_leave_out", &PyRelease::rows_to_leave_out, nb::arg("stream"), nb::arg("new_data"),
           nb::arg("drop"), nb::arg("keep"), nb::arg("beside_others"))
      .def("read", &PyRelease::read, nb::arg("stream"), nb::arg("new_data"), nb::arg("drop"), nb::arg("keep"),
           nb::arg("beside_others"), nb::arg("rows_independent"))
      .def("part", &PyRelease::part, nb::arg("stream"), nb::arg("new_data"), nb::arg("drop"), nb::arg("keep"),
           nb::arg("beside_others"), nb::arg("rows_independent"), nb::arg("progress").none())
      .def("begin_with", &PyRelease::begin_with, nb::arg("remembered"), nb::arg("stream"),
           nb::arg("new_data"), nb::arg("drop"), nb::arg("keep"), nb::arg("beside_others"),
           nb::arg("rows_independent"))
      .def("remembered_part", &PyRelease::remembered_part, nb::arg("rows"), nb::arg("progress").none());
  nb::class_<PyPlan> plan(module, "Plan");
  plan.def_static("of_json", &plan_of_json, nb::arg("text"), nb::arg("place"))
      .def("to_json",
           [](const PyPlan& self) {
             return either(
                 self, [](const Plan& plan) { return plan_to_json(plan).pretty(); },
                 [](const ModelPlan& plan) { return model_plan_to_json(plan).pretty(); });
           })
      .def("text",
           [](const PyPlan& self) {
             return either(
                 self, [](const Plan& plan) { return plan_text(plan); },
                 [](const ModelPlan& plan) { return model_plan_text(plan); });
           })
      .def(
          "statement",
          [](const PyPlan& self, const std::vector<std::string>& kept,
             const std::vector<std::string>& unprotected, bool drop, uint64_t publish_min) {
            return either(
                self,
                [&](const Plan& plan) {
                  return statement_to_json({.plan = plan,
                                            .kept_unprotected = unprotected,
                                            .kept = kept,
                                            .publish_min = publish_min,
                                            .drops = drop})
                      .pretty();
                },
                [](const ModelPlan& plan) { return model_statement_to_json(plan).pretty(); });
          },
          nb::arg("kept"), nb::arg("kept_unprotected"), nb::arg("drop"), nb::arg("publish_min"))
      .def("statement_text",
           [](const PyPlan& self) {
             return either(
                 self, [](const Plan& plan) { return statement_text({plan}); },
                 [](const ModelPlan& plan) { return model_statement_text(plan); });
           })
      .def(
          "range_warning",
          [](const PyPlan& self, uint64_t publish_min) {
            return either(
                self, [&](const Plan& plan) { return printable(range_warning(plan, publish_min)); },
                [](const ModelPlan&) { return std::string(); });
          },
          nb::arg("publish_min"))
      .def("is_model", [](const PyPlan& self) { return std::holds_alternative<ModelPlan>(self.plan); })
      .def("verify", &verified, nb::arg("progress").none())
      .def("scenario",
           [](const PyPlan& self) {
             return PyScenario{{self.of_table().scenario, std::nullopt, {}}, true};
           })
      .def(
          "losses",
          [](const PyPlan& self, const nb::object& progress) {
            return result_of(progress, [&](const Progress&) {
              verify(self.of_table());
              return loss_picture(self.of_table()).pretty();
            });
          },
          nb::arg("progress").none())
      .def(
          "leakage",
          [](const PyPlan& self, const nb::object& progress) {
            return result_of(progress, [&](const Progress&) {
              const Plan& plan = self.of_table();
              verify(plan);
              return leakage_to_json(leakage_of(plan.scenario, plan.mechanism)).pretty();
            });
          },
          nb::arg("progress").none())
      .def("preview", &previewed, nb::arg("stream").none(), nb::arg("texts"), nb::arg("progress").none())
      .def("utility", &utility_after, nb::arg("before").none(), nb::arg("after"), nb::arg("progress").none())
      .def(
          "picture",
          [](const PyPlan& self, double seconds, const nb::object& progress) {
            return result_of(progress, [&](const Progress& tell) {
              return either(
                  self,
                  [&](const Plan& plan) {
                    verify(plan);
                    return plan_picture(plan, seconds, tell).pretty();
                  },
                  [](const ModelPlan& plan) {
                    verify(plan);
                    return plan_picture(plan).pretty();
                  });
            });
          },
          nb::arg("seconds"), nb::arg("progress").none())
      .def(
          "public_picture",
          [](const PyPlan& self, uint64_t publish_min, const nb::object& progress) {
            return result_of(progress, [&](const Progress&) {
              return either(
                  self,
                  [&](const Plan& plan) {
                    verify(plan);
                    return public_picture(plan, publish_min).pretty();
                  },
                  [](const ModelPlan& plan) {
                    verify(plan);
                    return public_picture(plan).pretty();
                  });
            });
          },
          nb::arg("publish_min"), nb::arg("progress").none())
      .def("release", &release_table_of, nb::arg("stream"), nb::arg("new_data"), nb::arg("drop"),
           nb::arg("keep"), nb::arg("beside_others"), nb::arg("publish_min"), nb::arg("rows_independent"),
           nb::arg("progress").none())
      .def("release_numbers", &release_true_numbers, nb::arg("texts"), nb::arg("publish_min"),
           nb::arg("progress").none())
      .def(
          "check_kept",
          [](const PyPlan& self, const std::vector<std::string>& keep,
             const std::vector<std::string>& keep_unprotected) {
            check_kept(self.of_table(), keep, keep_unprotected);
          },
          nb::arg("keep"), nb::arg("keep_unprotected"))
      .def(
          "start",
          [](const PyPlan& self, uint64_t publish_min) {
            return std::make_unique<PyRelease>(self, publish_min);
          },
          nb::arg("publish_min"))
      .def("receipt", &receipt_of, nb::arg("rows"), nb::arg("dropped"), nb::arg("kept"),
           nb::arg("kept_unprotected"), nb::arg("new_data"), nb::arg("drop"), nb::arg("digest"),
           nb::arg("publish_min"), nb::arg("outside"), nb::arg("shuffled"));
  bind_releasers(module, plan);
  module.attr("publish_min") = kPublishMin;
  module.def(
      "check_names",
      [](const nb::object& stream, const std::vector<std::string>& na, const std::vector<size_t>& numbers) {
        check_arrow_names(ArrowTable(stream_of(stream)), na, numbers);
      },
      nb::arg("stream"), nb::arg("na"), nb::arg("numbers"));
  module.def(
      "random_order",
      [](size_t rows) {
        const std::vector<int64_t> order = random_order(rows);
        return nb::bytes(order.data(), order.size() * sizeof(int64_t));
      },
      nb::arg("rows"), "The numbers of so many rows in an order that nobody can guess, 8 bytes each.");
  module.def(
      "unprotected_warning",
      [](const std::vector<std::string>& names, const std::string& person) {
        return printable(unprotected_warning(names, person));
      },
      nb::arg("names"), nb::arg("person") = "");
  module.def("may_name_people", [](const std::string& name) { return may_name_people(name); });
  module.def(
      "check_people",
      [](const std::string& name, uint64_t values, uint64_t rows) {
        if (repeats_people(name, {values, rows}))
          throw people_repeat("the table", "column '" + name + "'", name);
      },
      nb::arg("name"), nb::arg("values"), nb::arg("rows"));
  module.def("compose", &composed, nb::arg("plans"), nb::arg("delta"), nb::arg("values_unchanged"),
             nb::arg("progress").none());
}

}  // namespace fugu::python
