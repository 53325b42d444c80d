// The flags of counts and chains, and of estimates.
#include "fugu/ask/chain_question.h"
#include "fugu/ask/crowd_question.h"
#include "fugu/ask/estimate_question.h"
#include "fugu/ask/flags.h"
#include "fugu/ask/model_budget.h"

namespace fugu {
namespace {

using enum FlagKind;

constexpr const char* kUsers = "The users";
constexpr const char* kBudget = "Budget";
constexpr const char* kModel = "Model";
constexpr const char* kQuery = "Query";
constexpr const char* kInput = "Input";
constexpr const char* kEstimates = "Estimates";
constexpr const char* kCounts = "count compare_count";

constexpr FlagOf<CrowdOptions> kCrowdFlags[] = {
    {{.name = "users",
      .kind = kNumber,
      .value = "N",
      .group = kUsers,
      .help = "this many users who are alike, with --p",
      .python = kCounts},
     &CrowdOptions::users},
    {{.name = "p",
      .kind = kNumber,
      .value = "P",
      .group = kUsers,
      .help = "the probability that a user says 1, the second letter",
      .python = kCounts},
     &CrowdOptions::p},
    {{.name = "probabilities",
      .kind = kFile,
      .value = "FILE",
      .group = kUsers,
      .help = "CSV file with a line for each user: the probability of 1, or one for each letter; - is "
              "standard input",
      .python = kCounts},
     &CrowdOptions::probabilities},
    {{.name = "letters",
      .kind = kNames,
      .value = "a,b,c",
      .group = kUsers,
      .help = "what a user can say; the header of the file, or 0,1 when not given",
      .python = kCounts},
     &CrowdOptions::letters},
    {{.name = "values",
      .kind = kNumber,
      .value = "0,1,5|FILE",
      .group = kUsers,
      .help = "what each letter adds to the sum, for all users, or a CSV file with a line for each; "
              "0,1,2,... when not given",
      .python = kCounts},
     &CrowdOptions::values},
    {{.name = "pairs",
      .kind = kChoice,
      .value = "both|values|absent",
      .group = kUsers,
      .help = "what must not be told apart: two letters of a user, a letter and the user's absence (a letter "
              "drawn by the user's own probabilities), or both, when not given",
      .python = kCounts},
     &CrowdOptions::pairs},
    {{.name = "noise",
      .kind = kNames,
      .value = "laplace|gaussian|power:P|log:ETA",
      .group = kBudget,
      .help = "family of the noise; laplace when not given, several with --compare",
      .python = kCounts},
     &CrowdOptions::noise}};

constexpr FlagOf<ModelBudget> kBudgetFlags[] = {{{.name = "epsilon",
                                                  .kind = kNumber,
                                                  .value = "E",
                                                  .group = kBudget,
                                                  .help = "the privacy budget: odds change by at most e^E",
                                                  .python = "count compare_count chain",
                                                  .required = true},
                                                 &ModelBudget::epsilon},
                                                {{.name = "delta",
                                                  .kind = kNumber,
                                                  .value = "D",
                                                  .group = kBudget,
                                                  .help = "what may exceed e^E in all; 0 when not given",
                                                  .python = "count compare_count chain"},
                                                 &ModelBudget::delta}};

constexpr FlagOf<ChainOptions> kChainFlags[] = {
    {{.name = "matrix",
      .kind = kFile,
      .value = "FILE",
      .group = kModel,
      .help = "file with the states and one or more chains, JSON",
      .python = "chain"},
     &ChainOptions::matrix},
    {{.name = "sequence",
      .kind = kFile,
      .value = "TABLE",
      .group = kModel,
      .help = "table with one state in each record; the chain is estimated from it",
      .python = "chain"},
     &ChainOptions::sequence},
    {{.name = "column",
      .value = "COL",
      .group = kModel,
      .help = "the sequence's column with the states: name or number",
      .python = "chain"},
     &ChainOptions::column},
    {{.name = "separator",
      .value = "CHAR",
      .group = kModel,
      .help = "of the sequence's fields: , ; or tab; found out when not given",
      .python = "chain"},
     &ChainOptions::separator},
    {{.name = "no-header",
      .kind = kNotSwitch,
      .group = kModel,
      .help = "the sequence's first line is a state",
      .python = "chain",
      .python_name = "header"},
     &ChainOptions::no_header},
    {{.name = "length",
      .kind = kNumber,
      .value = "T",
      .group = kModel,
      .help = "how many times the sequence has; that of --sequence when not given",
      .python = "chain"},
     &ChainOptions::length},
    {{.name = "state",
      .value = "NAME",
      .group = kQuery,
      .help = "release how often this state occurs",
      .python = "chain"},
     &ChainOptions::state},
    {{.name = "histogram",
      .kind = kSwitch,
      .group = kQuery,
      .help = "release how often each state occurs",
      .python = "chain"},
     &ChainOptions::histogram},
    {{.name = "frequency",
      .kind = kSwitch,
      .group = kQuery,
      .help = "as a share of the length in place of a count",
      .python = "chain"},
     &ChainOptions::frequency},
    {{.name = "method",
      .value = "METHOD",
      .group = "Method",
      .help = "group, quilt-approx, quilt or exact; exact where it is feasible, else quilt",
      .python = "chain"},
     &ChainOptions::method}};

constexpr FlagOf<EstimateTexts> kEstimateFlags[] = {
    {{.name = "TABLE",
      .kind = kFile,
      .value = "TABLE",
      .help = "the released table; - is standard input",
      .required = true},
     &EstimateTexts::table},
    {{.name = "statement",
      .kind = kFile,
      .value = "FILE",
      .group = kInput,
      .help = "the statement or receipt of the release; TABLE.receipt.json when not given"},
     &EstimateTexts::statement},
    {{.name = "column",
      .value = "COL",
      .group = kInput,
      .help = "the released column; the statement's when not given",
      .python = "estimate"},
     &EstimateTexts::column},
    {{.name = "by",
      .kind = kNames,
      .value = "COL[,COL]",
      .group = kEstimates,
      .help = "estimate each group of rows that agree in these columns",
      .python = "estimate"},
     &EstimateTexts::by},
    {{.name = "confidence",
      .kind = kNumber,
      .value = "C",
      .group = kEstimates,
      .help = "how sure each bound is by itself; 0.95 when not given",
      .python = "estimate"},
     &EstimateTexts::confidence},
    {{.name = "of",
      .kind = kChoice,
      .value = "table|population",
      .group = kEstimates,
      .help = "table: of the very rows that were released (default); population: of the law that they were "
              "drawn from",
      .python = "estimate"},
     &EstimateTexts::of},
    {{.name = "support",
      .kind = kSpan,
      .value = "LO:HI",
      .group = kEstimates,
      .help = "the least and the greatest true value; the released ones when not given and not stated",
      .python = "estimate"},
     &EstimateTexts::support},
    {{.name = "bin",
      .kind = kNumber,
      .value = "W",
      .group = kEstimates,
      .help = "width of the histogram's bins; chosen when not given",
      .python = "estimate"},
     &EstimateTexts::bin},
    {{.name = "quantiles",
      .kind = kNumber,
      .value = "Q[,Q]",
      .group = kEstimates,
      .help = "levels; 0.1,0.25,0.5,0.75,0.9 when not given",
      .python = "estimate"},
     &EstimateTexts::quantiles},
    {{.name = "separator",
      .value = "CHAR",
      .group = kInput,
      .help = "between fields; found by itself when not given"},
     &EstimateTexts::separator},
    {{.name = "part",
      .kind = kSwitch,
      .group = kInput,
      .help = "the table holds some of the release's rows, or all of them written anew: its digest is not "
              "compared, and it may have fewer rows",
      .python = "estimate"},
     &EstimateTexts::part},
    {{.name = "no-header",
      .kind = kNotSwitch,
      .group = kInput,
      .help = "the first line is data; name columns by number"},
     &EstimateTexts::no_header}};

}  // namespace

template <>
std::span<const FlagOf<CrowdOptions>> flags_of() {
  return kCrowdFlags;
}
template <>
std::span<const FlagOf<ModelBudget>> flags_of() {
  return kBudgetFlags;
}
template <>
std::span<const FlagOf<ChainOptions>> flags_of() {
  return kChainFlags;
}
template <>
std::span<const FlagOf<EstimateTexts>> flags_of() {
  return kEstimateFlags;
}

}  // namespace fugu
