// One function for each kind of picture; draw() of plot.h chooses.
#pragma once

#include "fugu/report/plot.h"

namespace fugu::inline in_report {

// `standing_out` where there are more secrets than can be told apart.
DrawnPicture draw_laws(const Json& laws, const std::vector<std::string>& standing_out);
DrawnPicture draw_transport(const Json& transport);
DrawnPicture draw_loss(const Json& loss);
DrawnPicture draw_noise(const Json& noise);
DrawnPicture draw_shares(const Json& shares);
// The line of `method` stands out.
DrawnPicture draw_error(const Json& error, const std::string& method);

// A probability for people: "12.5 %", "< 0.1 %", with blanks that do not break.
std::string share_text(double share);
// The values of a picture: categories by their names, numbers where they lie.
ValueAxis values_of(const Json::Array& values, const std::string& title, bool named);
std::vector<std::string> labels_of(const Json::Array& values);

}  // namespace fugu::inline in_report
