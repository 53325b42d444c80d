// Counts of rows that traded places, for people, as JSON and as CSV.
#pragma once

#include <string>

#include "fugu/ask/estimate_question.h"
#include "fugu/core/json.h"

namespace fugu::inline in_report {

// The cells of each table, then its totals.
std::string cross_text(const CrossTables& tables);

// {"confidence", "of", "table": [names], "rows", "cells": [{"values", "count", "share", "standard_error",
// "low", "high"}], "totals": […], "notes"}; where --table did not ask for one, {"confidence", "of", "tables":
// [the rest of it]}. In a total a null stands for whatever the value is.
Json cross_to_json(const CrossTables& tables);

// A header, then a line for each cell and total: "cell" or "total", the values (of a total empty where there
// is none), and the numbers. Precondition: one table.
std::string cross_csv(const CrossTables& tables);

}  // namespace fugu::inline in_report
