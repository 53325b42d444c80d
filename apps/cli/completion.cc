// fugu completion: the script that teaches a shell fugu's commands and flags.
#include <fmt/format.h>

#include <memory>

#include "apps/cli/commands.h"
#include "apps/cli/completion_scripts.h"
#include "apps/cli/text_io.h"
#include "fugu/core/error.h"

namespace fugu::cli {
namespace {

std::string script_for(const std::string& shell, const CLI::App& program) {
  if (shell == "bash") return bash_completion(program);
  if (shell == "zsh") return zsh_completion(program);
  if (shell == "fish") return fish_completion(program);
  throw Error(ErrorKind::kUsage, fmt::format("there is no completion for the shell '{}'", shell),
              "use one of bash, zsh, fish");
}

}  // namespace

Command add_completion(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("completion", "a script that completes fugu's commands in your shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->type_name("bash|zsh|fish")->required();
  command->footer("fugu completion bash > fugu.bash\n");
  return {command, [shell, &program] { print(script_for(*shell, program)); }};
}

}  // namespace fugu::cli
