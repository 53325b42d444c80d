#include "apps/studio/job_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "fugu/ask/job_rows.h"
#include "fugu/ask/lists.h"

namespace fugu::studio {
namespace {

constexpr const char* kPlace = "the job";

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

bool is_on_page(const JobRow& row) {
  auto has = [&](const auto& rows) {
    return std::any_of(rows.begin(), rows.end(), [&](const auto* one) {
      return one->flag.name == std::string_view(row.flag.name) && row.section != "outputs";
    });
  };
  if (has(flags_of_page<QuestionOptions>()) || has(flags_of_page<PlanOptions>())) return true;
  const std::string place = row.section + "." + row.key;
  return place == "table.file" || place == "outputs.release" || place == "release.keep" ||
         place == "release.shuffle";
}

template <class Options>
Json given_texts(const Options& options) {
  Json texts = Json::object();
  for (const auto* row : flags_of_page<Options>()) {
    if (const std::string text = text_of(options, *row); !text.empty())
      texts.add(row->flag.name, Json::string(text));
  }
  return texts;
}

template <class Options>
void take_texts(Options& to, const Options& from) {
  for (const auto* row : flags_of_page<Options>()) set_text(to, *row, text_of(from, *row));
}

// The page knows files by their names alone: the path of the same file is the job's.
std::string path_or(const std::string& opened, const std::string& name) {
  return file_name(opened) == file_name(name) ? opened : name;
}

}  // namespace

Json opened_job(const std::string& text) {
  const Job job = job_from_json(parse_json(text, kPlace), kPlace);
  Json roles = Json::object();
  std::vector<std::string> not_here;
  for (const JobRow& row : job_rows()) {
    const auto texts = row.texts(job);
    if (texts.empty()) continue;
    if (!is_on_page(row)) not_here.push_back(row.section + "." + row.key);
    if (row.is_role()) roles.add(row.key, Json::strings(split_list(texts.front(), row.flag.dashed())));
  }
  Json json = Json::object();
  json.add("table", Json::string(job.question.table));
  json.add("roles", std::move(roles));
  json.add("question", given_texts(job.question));
  json.add("plan", given_texts(job.plan));
  json.add("output", Json::string(file_name(job.output.output)));
  json.add("keep", Json::string(job.release.keep));
  json.add("shuffle", Json::boolean(job.release.shuffle));
  json.add("not_here", Json::strings(not_here));
  return json;
}

Job saved_job(const Asking& asking) {
  Job job;
  if (!asking.job.empty()) job = job_from_json(parse_json(asking.job, kPlace), kPlace);
  const std::string table = path_or(job.question.table, asking.table.name);
  take_texts(job.question, asking.question);
  take_texts(job.plan, asking.plan);
  job.question.table = table;
  if (job.output.into.empty()) job.output.output = path_or(job.output.output, asking.output);
  job.release.keep = asking.keep;
  job.release.shuffle = asking.shuffle;
  return job_from_json(job_to_json(job), kPlace);
}

}  // namespace fugu::studio
