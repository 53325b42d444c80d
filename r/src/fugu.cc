// The core as R calls it. Nothing here computes, and the package's own R gives it its shape.
//
// Texts come as named character vectors, tables as columns.h says, questions and plans as external pointers.
// An error of the core is returned, as a list of class "fugu_failure": R signals it.
#include <R_ext/Visibility.h>
#include <cpp11.hpp>
#include <cpp11/declarations.hpp>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "columns.h"
#include "fugu/ask/estimate_question.h"
#include "fugu/ask/lists.h"
#include "fugu/ask/open_question.h"
#include "fugu/ask/texts.h"
#include "fugu/core/error.h"
#include "fugu/core/unexpected.h"
#include "fugu/count/arrow_names.h"
#include "fugu/file/atomic_file.h"
#include "fugu/file/text_file.h"
#include "fugu/inspect/inspection.h"
#include "fugu/plan/model_plan.h"
#include "fugu/plan/statement.h"
#include "fugu/release/arrow_table.h"
#include "fugu/release/kept_columns.h"
#include "fugu/release/release.h"
#include "fugu/release/shuffle.h"
#include "fugu/report/compared.h"
#include "fugu/report/estimate_text.h"
#include "fugu/report/picture.h"
#include "fugu/report/plan_text.h"
#include "fugu/report/plot.h"
#include "fugu/report/scenario_facts.h"
#include "fugu/scenario/source_json.h"
#include "fugu/show/wording.h"
#include "fugu/verify/verify.h"
#include "work.h"

namespace fugu::r {
namespace {

using namespace cpp11::literals;

SEXP failure(const char* kind, int status, const std::string& message, const std::string& hint) {
  cpp11::writable::list out({"kind"_nm = kind, "status"_nm = status, "message"_nm = text_to_r(message),
                             "hint"_nm = text_to_r(hint)});
  out.attr("class") = "fugu_failure";
  return out;
}

SEXP failure(const Error& error) {
  constexpr const char* kNames[] = {"", "internal", "usage", "data", "guarantee", "file", "budget"};
  const int status = static_cast<int>(error.kind());
  return failure(kNames[status], status, error.message(), error.hint());
}

// What `work` returns, or how it failed.
template <class Work>
SEXP answered(const Work& work) {
  BEGIN_CPP11
  try {
    return work();
  } catch (const cpp11::unwind_exception&) {
    throw;
  } catch (const Interrupted&) {
    return failure("interrupt", 1, "", "");
  } catch (const Error& error) {
    return failure(error);
  } catch (const std::exception& error) {
    return failure(unexpected(error));
  }
  END_CPP11
}

// The object behind a pointer; a pointer that R has saved and loaded again leads nowhere.
template <class Object>
Object& object_of(SEXP pointer, const char* what, const char* hint) {
  if (TYPEOF(pointer) != EXTPTRSXP || !R_ExternalPtrAddr(pointer))
    throw usage(std::string("this ") + what + " is of an R session that has ended", hint);
  return *static_cast<Object*>(R_ExternalPtrAddr(pointer));
}
OpenQuestion& question_of(SEXP pointer) {
  return object_of<OpenQuestion>(pointer, "scenario", "make it again with scenario()");
}
Plan& plan_at(SEXP pointer) {
  return object_of<Plan>(pointer, "plan", "read its file with read_plan(); write_plan() writes it");
}

Texts texts_from(SEXP named) {
  Texts texts;
  const cpp11::strings values(named);
  if (values.size() == 0) return texts;
  const cpp11::strings names(values.names());
  for (R_xlen_t k = 0; k < values.size(); ++k)
    texts[CHAR(STRING_ELT(names, k))] = CHAR(STRING_ELT(values, k));
  return texts;
}

bool is_on(SEXP value) { return cpp11::as_cpp<bool>(value); }
std::string text_from(SEXP value) { return texts_of(cpp11::strings(value)).at(0); }

// Lists of one kind are vectors.
cpp11::sexp to_r(const Json& json) {
  if (const bool* truth = json.if_boolean()) return cpp11::as_sexp(*truth);
  if (const auto* number = json.if_number())
    return cpp11::as_sexp(std::strtod(number->literal.c_str(), nullptr));
  if (const std::string* text = json.if_string()) return text_to_r(*text);
  if (const auto* members = json.if_object()) {
    cpp11::writable::list list(static_cast<R_xlen_t>(members->size()));
    std::vector<std::string> names;
    for (const auto& [key, value] : *members) {
      list[static_cast<R_xlen_t>(names.size())] = to_r(value);
      names.push_back(key);
    }
    list.attr("names") = texts_to_r(names);
    return SEXP(list);
  }
  const auto* values = json.if_array();
  if (!values) return R_NilValue;
  auto all = [&](auto is) { return !values->empty() && std::all_of(values->begin(), values->end(), is); };
  if (all([](const Json& value) { return value.if_string() != nullptr; })) {
    std::vector<std::string> texts;
    for (const Json& value : *values) texts.push_back(*value.if_string());
    return texts_to_r(texts);
  }
  if (all([](const Json& value) { return value.if_number() != nullptr; })) {
    std::vector<double> numbers;
    for (const Json& value : *values)
      numbers.push_back(std::strtod(value.if_number()->literal.c_str(), nullptr));
    return cpp11::as_sexp(numbers);
  }
  cpp11::writable::list list(static_cast<R_xlen_t>(values->size()));
  for (size_t k = 0; k < values->size(); ++k) list[static_cast<R_xlen_t>(k)] = to_r((*values)[k]);
  return SEXP(list);
}

// A private object as the command line writes it: its JSON, and its text.
SEXP written(const Json& json, const std::string& text) {
  return cpp11::writable::list({"json"_nm = text_to_r(json.pretty()), "text"_nm = text_to_r(text)});
}

// An answer as the command line gives it: its JSON, the same as a list, and its text.
SEXP reply(const Json& json, const std::string& text = "") {
  return cpp11::writable::list(
      {"json"_nm = text_to_r(json.pretty()), "content"_nm = to_r(json), "text"_nm = text_to_r(text)});
}

template <class Object>
SEXP held(Object object) {
  return cpp11::external_pointer<Object>(new Object(std::move(object)));
}

// A table in memory that can be counted again and again, or nothing.
struct Rows {
  explicit Rows(SEXP frame_or_null) {
    if (Rf_isNull(frame_or_null)) return;
    frame.emplace(cpp11::list(frame_or_null));
    ArrowArrayStream stream = frame->stream();
    table.emplace(stream);
  }
  std::shared_ptr<RowSource> source() const { return table ? std::make_shared<ArrowRows>(*table) : nullptr; }

  std::optional<RFrame> frame;
  std::optional<ArrowTable> table;
};

SEXP flags() {
  return answered([&] { return to_r(flags_to_json()); });
}

SEXP parse(SEXP text) {
  return answered([&] { return to_r(parse_json(text_from(text), "the text")); });
}

SEXP shortest(SEXP number) {
  return answered([&] {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, cpp11::as_cpp<double>(number)).ptr;
    return text_to_r(std::string_view(text, static_cast<size_t>(end - text)));
  });
}

SEXP open(SEXP frame, SEXP texts, SEXP priors, SEXP tells) {
  return answered([&] {
    const Rows rows(frame);
    QuestionOptions options = options_of<QuestionOptions>(texts_from(texts));
    options.priors = texts_of(cpp11::strings(priors));
    options.rows = rows.source();
    return held(result_of(is_on(tells), [&](const Progress& tell) { return open_question(options, tell); }));
  });
}

SEXP read_scenario(SEXP path) {
  return answered([&] { return held(open_scenario(read_text(text_from(path)), text_from(path))); });
}

SEXP scenario_reply(SEXP pointer) {
  return answered([&] {
    const OpenQuestion& open = question_of(pointer);
    const Scenario& scenario = open.question.scenario;
    return written(open.to_json(), facts_text(scenario, facts_of(scenario), open.question.rows));
  });
}

SEXP compare_methods(SEXP pointer, SEXP texts, SEXP tells) {
  return answered([&] {
    const OpenQuestion& open = question_of(pointer);
    const Texts asked = texts_from(texts);
    const ComparedQuestion compared =
        result_of(is_on(tells), [&](const Progress& tell) { return compare(open, asked, tell); });
    return reply(compared_to_json(compared.question, compared.comparisons),
                 compared_text(compared.question, compared.comparisons));
  });
}

SEXP calibrate_plan(SEXP pointer, SEXP texts, SEXP tells) {
  return answered([&] {
    const OpenQuestion& open = question_of(pointer);
    const Texts asked = texts_from(texts);
    return held(result_of(is_on(tells), [&](const Progress& tell) { return plan_of(open, asked, tell); }));
  });
}

SEXP read_plan(SEXP path) {
  return answered([&] {
    const std::string place = text_from(path);
    const Json json = parse_json(read_text(place), place);
    if (is_model_plan(json)) {
      throw usage(place + ": this is the plan of a model, and R takes those of tables",
                  "use the program fugu, or the Python package");
    }
    return held(plan_from_json(json, place));
  });
}

SEXP plan_reply(SEXP pointer) {
  return answered([&] {
    const Plan& plan = plan_at(pointer);
    return written(plan_to_json(plan), plan_text(plan));
  });
}

// The columns that the plan is about.
SEXP plan_source(SEXP pointer) {
  return answered([&]() -> SEXP {
    const Plan& plan = plan_at(pointer);
    return plan.scenario.source ? SEXP(to_r(source_to_json(*plan.scenario.source))) : R_NilValue;
  });
}

SEXP verify_plan(SEXP pointer, SEXP tells) {
  return answered([&] {
    const Plan& plan = plan_at(pointer);
    const Witness witness = result_of(is_on(tells), [&](const Progress&) { return verify(plan); });
    return reply(verified_to_json(plan, witness), verified_text(plan, witness));
  });
}

SEXP statement_of(SEXP pointer, SEXP keep, SEXP unprotected, SEXP drop, SEXP new_data, SEXP publish_min) {
  return answered([&] {
    const Statement about{.plan = plan_at(pointer),
                          .kept_unprotected = texts_of(cpp11::strings(unprotected)),
                          .kept = texts_of(cpp11::strings(keep)),
                          .publish_min = static_cast<uint64_t>(cpp11::as_cpp<double>(publish_min)),
                          .drops = is_on(drop),
                          .new_data = is_on(new_data)};
    return reply(statement_to_json(about), statement_text(about));
  });
}

SEXP warnings_of(SEXP pointer, SEXP publish_min, SEXP unprotected, SEXP person) {
  return answered([&] {
    const auto least = static_cast<uint64_t>(cpp11::as_cpp<double>(publish_min));
    return texts_to_r({range_warning(plan_at(pointer), least),
                       unprotected_warning(texts_of(cpp11::strings(unprotected)), text_from(person))});
  });
}

SEXP check_names(SEXP frame, SEXP na, SEXP numbers) {
  return answered([&]() -> SEXP {
    const Rows rows(frame);
    std::vector<size_t> places;
    for (const int number : cpp11::integers(numbers)) places.push_back(static_cast<size_t>(number));
    check_arrow_names(*rows.table, texts_of(cpp11::strings(na)), places);
    return R_NilValue;
  });
}

SEXP flags_to_r(const std::vector<uint8_t>& flags) {
  if (flags.empty()) return R_NilValue;
  const cpp11::sexp out = cpp11::safe[Rf_allocVector](LGLSXP, static_cast<R_xlen_t>(flags.size()));
  for (size_t k = 0; k < flags.size(); ++k) LOGICAL(out)[k] = flags[k] != 0;
  return out;
}

// The released columns, of each row whether it was left out or hidden (null: none), and the order of the rows
// that are released (null: their own).
SEXP release(SEXP pointer, SEXP frame, SEXP asked, SEXP tells) {
  return answered([&] {
    const Plan& plan = plan_at(pointer);
    const cpp11::list said(asked);
    const bool alone = is_on(said["alone"]), keep_order = is_on(said["keep_order"]);
    const TableReleaseOptions options{.new_data = is_on(said["new_data"]),
                                      .drop = is_on(said["drop"]),
                                      .keep = texts_of(cpp11::strings(said["keep"])),
                                      .beside_others = cpp11::strings(said["keep_unprotected"]).size() > 0,
                                      .rows_independent = is_on(said["rows_independent"])};
    check_order(keep_order, plan);
    check_new_data(options.new_data, plan);
    if (!alone) check_kept(plan, options.keep, texts_of(cpp11::strings(said["keep_unprotected"])));
    const auto least = static_cast<uint64_t>(cpp11::as_cpp<double>(said["publish_min"]));
    const Rows rows(frame);
    ArrowReleased released = result_of(is_on(tells), [&](const Progress& tell) {
      return ArrowRelease(plan, least).release(*rows.table, options, tell);
    });
    cpp11::writable::list columns(static_cast<R_xlen_t>(released.columns.size()));
    for (R_xlen_t k = 0; k < columns.size(); ++k)
      columns[k] = SEXP(column_to_r(released.columns[static_cast<size_t>(k)]));
    cpp11::sexp order = R_NilValue;
    if (!alone && shuffles({.keep_order = keep_order}, plan)) {
      size_t left = rows.table->rows();
      for (const uint8_t flag : released.left_out) left -= flag != 0;
      std::vector<double> places;
      for (const int64_t place : random_order(left)) places.push_back(static_cast<double>(place + 1));
      order = cpp11::as_sexp(places);
    }
    return cpp11::writable::list({"columns"_nm = columns, "left_out"_nm = flags_to_r(released.left_out),
                                  "hidden"_nm = flags_to_r(released.hidden), "order"_nm = order});
  });
}

SEXP estimate(SEXP frame, SEXP texts, SEXP statement, SEXP place, SEXP tells) {
  return answered([&] {
    const Rows rows(frame);
    EstimateTexts options = options_of<EstimateTexts>(texts_from(texts));
    options.rows = rows.source();
    const Json json = parse_json(text_from(statement), text_from(place));
    const EstimateAnswer answer = result_of(is_on(tells), [&](const Progress& tell) {
      return estimate_table(options, json, text_from(place), tell);
    });
    return reply(answer_to_json(answer), answer_text(answer));
  });
}

SEXP inspect(SEXP frame, SEXP texts, SEXP small, SEXP tells) {
  return answered([&] {
    const Rows rows(frame);
    const QuestionOptions options = options_of<QuestionOptions>(texts_from(texts));
    InspectionRequest request{.path = options.table,
                              .secret = split_list(options.secret, "--secret"),
                              .na = split_list(options.na, "--na"),
                              .separator = read_separator(options.separator),
                              .header = !options.no_header,
                              .small = static_cast<uint64_t>(cpp11::as_cpp<double>(small))};
    request.rows = rows.source();
    const Inspection seen =
        result_of(is_on(tells), [&](const Progress& tell) { return inspect_table(request, tell); });
    return reply(inspection_to_json(seen), inspection_text(seen));
  });
}

// The numbers of a picture, and the core's drawings of them.
SEXP drawn(const Json& picture, const std::vector<std::string>& secrets) {
  return cpp11::writable::list(
      {"numbers"_nm = to_r(picture),
       "plots"_nm = to_r(plots_to_json(picture, {secrets, ""}, PlotsFor::kThemselves))});
}

SEXP scenario_pictures(const Scenario& scenario, const std::optional<Json>& loss,
                       const std::optional<Json>& noise) {
  const Json transport = transport_picture(scenario);
  std::vector<std::string> pair;
  if (const Json* named = transport.find("pair"))
    for (const Json& secret : *named->if_array()) pair.push_back(*secret.if_string());
  LawsOptions worst;
  if (const Json* prior = transport.find("prior")) {
    for (size_t k = 0; k < scenario.priors.size(); ++k)
      if (scenario.priors[k].name == *prior->if_string()) worst.prior = k;
  }
  cpp11::writable::list out({"laws"_nm = drawn(laws_picture(scenario, worst), pair)});
  out.push_back("transport"_nm = drawn(transport, pair));
  if (loss) out.push_back("loss"_nm = drawn(*loss, pair));
  if (noise) out.push_back("noise"_nm = drawn(*noise, pair));
  return out;
}

SEXP pictures_of_scenario(SEXP pointer) {
  return answered([&] { return scenario_pictures(question_of(pointer).question.scenario, {}, {}); });
}

SEXP pictures_of_plan(SEXP pointer, SEXP tells) {
  return answered([&] {
    const Plan& plan = plan_at(pointer);
    const Json loss = result_of(is_on(tells), [&](const Progress&) {
      verify(plan);
      return loss_picture(plan);
    });
    return scenario_pictures(plan.scenario, loss, noise_picture(plan.scenario, plan.mechanism));
  });
}

SEXP pictures_of_comparison(SEXP pointer, SEXP texts, SEXP seconds, SEXP tells) {
  return answered([&] {
    const OpenQuestion& open = question_of(pointer);
    const Texts asked = texts_from(texts);
    const double most = cpp11::as_cpp<double>(seconds);
    const Json picture =
        result_of(is_on(tells), [&](const Progress& tell) { return error_picture(open, asked, most, tell); });
    return cpp11::writable::list({"error"_nm = drawn(picture, {})});
  });
}

SEXP write_file(SEXP path, SEXP text, SEXP force, SEXP owner_only) {
  return answered([&]() -> SEXP {
    const std::string name = text_from(path), bytes = text_from(text);
    AtomicFile file(name, {.force = is_on(force), .owner_only = is_on(owner_only), .option = "file"});
    write_all(file.descriptor(), bytes.data(), bytes.size(), name);
    file.commit();
    return R_NilValue;
  });
}

// Texts as the command line prints them: a column's name may hold what a terminal obeys.
SEXP printable(SEXP texts) {
  return answered([&] {
    std::vector<std::string> shown = texts_of(cpp11::strings(texts));
    for (std::string& text : shown) text = fugu::printable(text);
    return texts_to_r(shown);
  });
}

SEXP read_file(SEXP path) {
  return answered([&] { return text_to_r(read_text(text_from(path))); });
}

}  // namespace
}  // namespace fugu::r

#define FUGU_CALL(name, count) \
  { "fugu_" #name, reinterpret_cast<DL_FUNC>(&fugu::r::name), count }

extern "C" attribute_visible void R_init_fugu(DllInfo* library) {
  static const R_CallMethodDef calls[] = {FUGU_CALL(flags, 0),
                                          FUGU_CALL(parse, 1),
                                          FUGU_CALL(shortest, 1),
                                          FUGU_CALL(open, 4),
                                          FUGU_CALL(read_scenario, 1),
                                          FUGU_CALL(scenario_reply, 1),
                                          FUGU_CALL(compare_methods, 3),
                                          FUGU_CALL(calibrate_plan, 3),
                                          FUGU_CALL(read_plan, 1),
                                          FUGU_CALL(plan_reply, 1),
                                          FUGU_CALL(plan_source, 1),
                                          FUGU_CALL(verify_plan, 2),
                                          FUGU_CALL(statement_of, 6),
                                          FUGU_CALL(warnings_of, 4),
                                          FUGU_CALL(check_names, 3),
                                          FUGU_CALL(release, 4),
                                          FUGU_CALL(estimate, 5),
                                          FUGU_CALL(inspect, 4),
                                          FUGU_CALL(pictures_of_scenario, 1),
                                          FUGU_CALL(pictures_of_plan, 2),
                                          FUGU_CALL(pictures_of_comparison, 4),
                                          FUGU_CALL(write_file, 4),
                                          FUGU_CALL(read_file, 1),
                                          FUGU_CALL(printable, 1),
                                          {nullptr, nullptr, 0}};
  R_registerRoutines(library, nullptr, calls, nullptr, nullptr);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
