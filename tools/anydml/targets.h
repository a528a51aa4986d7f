// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The files that a model's writeFile commands name. `output_path` empty: the user has
// named no folder, and the current one is taken.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "load.h"

namespace anydml::tool {

// Inside of the folder, and no device or pipe. In a folder that the user has not named
// also no hidden file and none that is there and executable: what lies there was not
// meant for the model.
Result<std::filesystem::path> ResolveTarget(const std::string& output_path,
                                            const model::WriteFile& write);

// Of all commands, before anything is run; also files that the model itself is read from. What
// changes meanwhile is seen when the file is written.
std::vector<Error> FindTargetProblems(const LoadedModel& loaded, const std::string& output_path);

}  // namespace anydml::tool
