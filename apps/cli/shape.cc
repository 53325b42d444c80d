#include "apps/cli/shape.h"

#include <algorithm>
#include <sstream>

namespace fugu::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

OptionShape shape_of(const CLI::Option& option) {
  OptionShape shape{.option = &option};
  for (const std::string& name : option.get_snames()) shape.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) shape.names.push_back("--" + name);
  const std::string type = option.get_type_name();
  if (type.find('|') != std::string::npos) shape.words = split(type, '|');
  if (shape.is_argument()) {
    shape.value = option.get_name(true);
  } else if (option.get_expected_max() > 0) {
    shape.value = type;
  }
  shape.required = option.get_required();
  shape.many = shape.is_argument() && option.get_expected_max() > 1;
  shape.group = option.get_group() == "Options" ? "General" : option.get_group();  // CLI11's own for --help
  shape.description = option.get_description();
  return shape;
}

}  // namespace

std::vector<OptionShape> options_of(const CLI::App& app) {
  std::vector<OptionShape> shapes;
  std::vector<std::string> groups;
  const auto options =
      app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
  const bool all_is_short =
      static_cast<size_t>(std::count_if(options.begin(), options.end(), [](const CLI::Option* option) {
        return !option->get_positional();
      })) <= kShortHelp + 1;
  for (const CLI::Option* option : options) {
    if (all_is_short && option == app.get_help_all_ptr()) continue;
    shapes.push_back(shape_of(*option));
    const OptionShape& shape = shapes.back();
    if (!shape.is_argument() && std::find(groups.begin(), groups.end(), shape.group) == groups.end()) {
      groups.push_back(shape.group);
    }
  }
  auto rank = [&](const OptionShape& shape) {
    return shape.is_argument() ? -1 : std::find(groups.begin(), groups.end(), shape.group) - groups.begin();
  };
  // --help comes first in CLI11's list and last in ours.
  auto last = std::find(groups.begin(), groups.end(), "General");
  if (last != groups.end()) std::rotate(last, last + 1, groups.end());
  std::stable_sort(shapes.begin(), shapes.end(),
                   [&](const OptionShape& a, const OptionShape& b) { return rank(a) < rank(b); });
  return shapes;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<std::string> command_names(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(program)) names.push_back(command->get_name());
  return names;
}

std::vector<const CLI::App*> runnable_of(const CLI::App& app) {
  std::vector<const CLI::App*> found;
  for (const CLI::App* command : commands_of(app)) {
    const auto inner = runnable_of(*command);
    if (inner.empty()) found.push_back(command);
    found.insert(found.end(), inner.begin(), inner.end());
  }
  return found;
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

std::string name_in_program(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent && parent->get_parent() ? name_in_program(*parent) + " " + app.get_name() : app.get_name();
}

std::string usage_line(const CLI::App& app) {
  std::string line = full_name(app);
  if (!commands_of(app).empty()) line += " COMMAND";
  for (const OptionShape& option : options_of(app)) {
    if (!option.is_argument()) continue;
    const std::string name = option.value + (option.many ? "..." : "");
    line += option.required ? " " + name : " [" + name + "]";
  }
  return line + " [options]";
}

std::vector<std::string> examples_of(const CLI::App& app) {
  std::vector<std::string> examples;
  for (const std::string& line : split(app.get_footer(), '\n')) {
    if (!line.empty()) examples.push_back(line);
  }
  return examples;
}

}  // namespace fugu::cli
