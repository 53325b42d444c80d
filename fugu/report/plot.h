// The one drawing of each picture: from its numbers (picture.h; docs/formats.md, "Picture") to plots, each
// with a name, a sentence or two that say what it shows, and its numbers as a table. Every front end shows
// these, and draws nothing of its own.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "fugu/core/json.h"
#include "fugu/show/heat_map.h"
#include "fugu/show/line_chart.h"
#include "fugu/show/value_chart.h"

namespace fugu::inline in_report {

struct Plot {
  PlotName name;
  std::vector<std::string> head;  // of the table
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;
  std::variant<ValueChart, HeatMap, LineChart> chart;
  std::string column = {};  // that it is of
  std::string choice = {};  // which of several it is: the name of its prior
};

// Plots that stand in one place: one of them is shown, and which can be chosen.
using PlotChoice = std::vector<Plot>;

struct DrawnPicture {
  std::vector<PlotChoice> figures;
  std::vector<std::string> notes;  // what is said where nothing is drawn
};

// What stands out among many.
struct Emphasis {
  std::vector<std::string> secrets = {};
  std::string method = {};
};

// Of laws a figure for each column, with a choice of priors as far as a page bears them; of the others those
// of each column. Error (data) when `picture` is none of laws, transport, loss, noise, shares or error.
DrawnPicture draw(const Json& picture, const Emphasis& emphasis = {});

std::string to_svg(const Plot& plot, const PlotSetting& setting = {});

// {"picture", "figures": [[{"title", "text", "column", "choice", "table": {"head", "rows"}, "notes",
// "svg"}]], "notes"}. For a page the titles are not in the drawings, and "narrow" has the same for a phone.
enum class PlotsFor { kThemselves, kPage };
Json plots_to_json(const Json& picture, const Emphasis& emphasis, PlotsFor shown);

// A plan's picture (plan_picture, public_picture) with plots in the place of their numbers.
Json page_of_plan(const Json& picture);

}  // namespace fugu::inline in_report
