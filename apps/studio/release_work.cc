// Work::release: what `fugu release --plan` does with a plan that was shown, into the studio's folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/studio/work.h"
#include "fugu/ask/lists.h"
#include "fugu/ledger/release_within_budget.h"
#include "fugu/plan/statement.h"
#include "fugu/release/release_file.h"
#include "fugu/report/plan_text.h"
#include "fugu/show/wording.h"

namespace fugu::studio {
namespace {

namespace fs = std::filesystem;

void check_is_not_ledger(const FileRelease& file, const std::string& ledger) {
  if (ledger.empty()) return;
  for (const std::string& written : {file.output, file.receipt(), file.plan_path()}) {
    if (fs::weakly_canonical(fs::absolute(written)) == fs::weakly_canonical(fs::absolute(ledger)))
      throw usage(fmt::format("-o: {} is the ledger", written), "give the output another name");
  }
}

const char* type_of(const std::string& name) {
  return name.ends_with(".gz") || name.ends_with(".zst") ? "application/octet-stream" : "text/csv";
}

std::string draw_sentence(uint64_t draw) {
  if (draw == 1) {
    return "This is a draw of the noise, made once. Releasing again is another draw: whoever holds both can "
           "average the noise away, and what they promise together is less.";
  }
  return fmt::format(
      "This is draw {} of this column in this run of the studio. Each is another draw of the noise: whoever "
      "holds several can average it away, and what they promise together is less than what each promises "
      "alone.",
      draw);
}

}  // namespace

uint64_t Work::another_draw(const Plan& plan, const OpenTable& table) {
  std::string key = table.name;
  for (const std::string& column : plan.scenario.source->published) key += '\n' + column;
  const std::lock_guard lock(mutex_);
  return ++draws_[key];
}

Json Work::release(const Asking& asking, const Progress& progress) {
  FileRelease file{.output = new_file_in(settings_.folder, asking.output).lexically_normal().string()};
  file.plan.emplace();
  check_is_not_ledger(file, settings_.ledger.path);
  file.check();
  const ShownPlan shown = shown_.find(asking);
  const std::shared_ptr<const Plan>& plan = shown.plan;
  file.plan = plan_to_json(*plan).pretty();
  const ReleaseRequest request{.input = asking.table.path,
                               .separator = read_separator(asking.question.separator),
                               .keep = split_list(asking.keep, "--keep"),
                               .counted = shown.counted,
                               .shuffle = asking.shuffle,
                               .digest_rows = !settings_.ledger.path.empty(),
                               .values_unchanged = settings_.ledger.values_unchanged};
  Budgeted budget;
  if (!settings_.ledger.path.empty()) budget = {settings_.ledger.path, settings_.ledger.request(file.output)};
  FileReleased released;
  const auto spent = release_within_budget(budget, *plan, request, progress, [&](const CountIt& count) {
    file.before_it_appears = count;
    released = release_to_file(request, *plan, file, progress);
  });
  const auto& [summary, receipt] = released;
  constexpr auto kept = Downloads::Kept::kUntilForgotten;
  Json files = downloads_of(plan, summary.kept, kept);
  files.add("released", downloads_.add({"", asking.output, type_of(asking.output), file.output}, kept));
  files.add("receipt",
            downloads_.add({"", asking.output + ".receipt.json", "application/json", file.receipt()}, kept));
  const std::string said =
      fmt::format("Released {} to {}{}{}.", fugu::counted(summary.released, "row"), printable(file.output),
                  summary.dropped > 0 ? ", and dropped " + fugu::counted(summary.dropped, "row") : "",
                  summary.outside > 0 ? fmt::format(", and left out {} of groups that are too small",
                                                    fugu::counted(summary.outside, "row"))
                                      : "");
  history_.add_release(asking, shown, said, files);
  Json json = Json::object();
  json.add("said", Json::string(said));
  json.add("draw", Json::string(draw_sentence(another_draw(*plan, asking.table))));
  json.add("ledger", spent ? Json::string(settings_.ledger.told(*spent)) : Json::null());
  json.add("summary", Json::string(plan_summary(*plan)));
  json.add("receipt", receipt);
  json.add("files", std::move(files));
  json.add("command", Json::string(command_of("release", asking, settings_)));
  return json;
}

}  // namespace fugu::studio
