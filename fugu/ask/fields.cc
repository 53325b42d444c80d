#include "fugu/ask/fields.h"

#include <algorithm>

namespace fugu {
namespace {

constexpr QuestionField kQuestionFields[] = {{"secret", &QuestionOptions::secret},
                                             {"public", &QuestionOptions::published},
                                             {"pairs", &QuestionOptions::pairs},
                                             {"given", &QuestionOptions::given},
                                             {"min-group", &QuestionOptions::min_group},
                                             {"epsilon", &QuestionOptions::epsilon},
                                             {"delta", &QuestionOptions::delta},
                                             {"confidence", &QuestionOptions::confidence},
                                             {"closeness", &QuestionOptions::closeness},
                                             {"noise", &QuestionOptions::noise},
                                             {"weights", &QuestionOptions::weights},
                                             {"range", &QuestionOptions::range},
                                             {"order", &QuestionOptions::order},
                                             {"secret-order", &QuestionOptions::secret_order},
                                             {"step", &QuestionOptions::step},
                                             {"clip", &QuestionOptions::clip},
                                             {"bin", &QuestionOptions::bin},
                                             {"bin-edges", &QuestionOptions::bin_edges},
                                             {"merge-rare", &QuestionOptions::merge_rare},
                                             {"na", &QuestionOptions::na},
                                             {"missing", &QuestionOptions::missing},
                                             {"separator", &QuestionOptions::separator}};

constexpr PlanField kPlanFields[] = {{"method", &PlanOptions::method},
                                     {"loss", &PlanOptions::loss},
                                     {"outputs", &PlanOptions::outputs},
                                     {"time-limit", &PlanOptions::time_limit}};

constexpr PlanSwitch kPlanSwitches[] = {{"asymmetric", &PlanOptions::asymmetric},
                                        {"unbiased", &PlanOptions::unbiased}};

bool is_field(std::string_view name) {
  auto has = [name](const auto& fields) {
    return std::any_of(std::begin(fields), std::end(fields),
                       [name](const auto& field) { return name == field.name; });
  };
  return has(kQuestionFields) || has(kPlanFields) || has(kPlanSwitches) || name == "no-header";
}

}  // namespace

std::span<const QuestionField> question_fields() { return kQuestionFields; }
std::span<const PlanField> plan_fields() { return kPlanFields; }
std::span<const PlanSwitch> plan_switches() { return kPlanSwitches; }

std::string field_of_message(std::string_view message) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-";
  for (size_t at = message.find("--"); at != std::string_view::npos; at = message.find("--", at + 2)) {
    const size_t begin = at + 2;
    const size_t end = std::min(message.find_first_not_of(kLetters, begin), message.size());
    const std::string_view name = message.substr(begin, end - begin);
    if (is_field(name)) return std::string(name);
  }
  return "";
}

}  // namespace fugu
