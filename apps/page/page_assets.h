// The pages' scripts and styles, as page/ builds them: bytes in the program (cmake/page.cmake).
#pragma once

#include "fugu/report/report_page.h"

namespace fugu {

PageAssets report_assets();
PageAssets studio_assets();

}  // namespace fugu
