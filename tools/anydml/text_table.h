// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Rows of text with aligned columns, for terminals and for Markdown.
#pragma once

#include <string>
#include <vector>

namespace anydml::tool {

using TextRow = std::vector<std::string>;

// The first row is the heading.
std::string AlignColumns(const std::vector<TextRow>& rows);
std::string MarkdownTable(const std::vector<TextRow>& rows);

}  // namespace anydml::tool
