#include "python/src/texts.h"

#include <utility>

namespace fugu::python {
namespace {

template <class Options>
using Text = std::pair<const char*, std::string Options::*>;

template <class Options, size_t kCount>
void take(Options& options, const Texts& texts, const Text<Options> (&fields)[kCount]) {
  for (const auto& [name, field] : fields) options.*field = text_of(texts, name);
}

}  // namespace

std::string text_of(const Texts& texts, const std::string& name) {
  const auto found = texts.find(name);
  return found == texts.end() ? "" : found->second;
}

QuestionOptions question_options(const Texts& texts) {
  QuestionOptions options;
  using Q = QuestionOptions;
  take(options, texts,
       {{"table", &Q::table},
        {"scenario", &Q::scenario},
        {"secret", &Q::secret},
        {"public", &Q::published},
        {"epsilon", &Q::epsilon},
        {"delta", &Q::delta},
        {"pairs", &Q::pairs},
        {"noise", &Q::noise},
        {"step", &Q::step},
        {"clip", &Q::clip},
        {"bin", &Q::bin},
        {"bin_edges", &Q::bin_edges},
        {"merge_rare", &Q::merge_rare},
        {"weights", &Q::weights},
        {"order", &Q::order},
        {"secret_order", &Q::secret_order},
        {"na", &Q::na},
        {"missing", &Q::missing},
        {"separator", &Q::separator},
        {"range", &Q::range},
        {"confidence", &Q::confidence},
        {"given", &Q::given},
        {"min_group", &Q::min_group},
        {"closeness", &Q::closeness}});
  options.no_header = !text_of(texts, "no_header").empty();
  return options;
}

PlanOptions plan_options(const Texts& texts) {
  PlanOptions options;
  using P = PlanOptions;
  take(
      options, texts,
      {{"method", &P::method}, {"loss", &P::loss}, {"outputs", &P::outputs}, {"time_limit", &P::time_limit}});
  options.asymmetric = !text_of(texts, "asymmetric").empty();
  options.unbiased = !text_of(texts, "unbiased").empty();
  return options;
}

CrowdOptions crowd_options(const Texts& texts) {
  CrowdOptions options;
  using C = CrowdOptions;
  take(options, texts,
       {{"users", &C::users},
        {"p", &C::p},
        {"probabilities", &C::probabilities},
        {"letters", &C::letters},
        {"values", &C::values},
        {"pairs", &C::pairs},
        {"noise", &C::noise}});
  return options;
}

ChainOptions chain_options(const Texts& texts) {
  ChainOptions options;
  using C = ChainOptions;
  take(options, texts,
       {{"matrix", &C::matrix},
        {"sequence", &C::sequence},
        {"column", &C::column},
        {"separator", &C::separator},
        {"length", &C::length},
        {"state", &C::state},
        {"method", &C::method}});
  options.no_header = !text_of(texts, "no_header").empty();
  options.histogram = !text_of(texts, "histogram").empty();
  options.frequency = !text_of(texts, "frequency").empty();
  return options;
}

EstimateTexts estimate_texts(const Texts& texts) {
  EstimateTexts options;
  using E = EstimateTexts;
  take(options, texts,
       {{"table", &E::table},
        {"column", &E::column},
        {"by", &E::by},
        {"confidence", &E::confidence},
        {"of", &E::of},
        {"support", &E::support},
        {"bin", &E::bin},
        {"quantiles", &E::quantiles},
        {"file", &E::file},
        {"separator", &E::separator}});
  options.part = !text_of(texts, "part").empty();
  options.no_header = !text_of(texts, "no_header").empty();
  return options;
}

}  // namespace fugu::python
