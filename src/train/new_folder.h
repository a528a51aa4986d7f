// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// A folder that appears whole or not at all: written beside under another name, then renamed.
// One of that name that was there is replaced, and stays when anything goes wrong.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "base/open_folder.h"
#include "base/result.h"

namespace anydml::train {

class NewFolder {
 public:
  // What is there under the name must be a folder that such a one may replace: one with the
  // files of a checkpoint and nothing else, or an empty one.
  static Result<NewFolder> Create(const std::string& path);
  ~NewFolder();  // removes what is not finished
  NewFolder(NewFolder&& other) noexcept;
  NewFolder& operator=(NewFolder&&) = delete;

  Status Write(std::string_view name,
               std::initializer_list<std::span<const std::byte>> parts) const;
  // Gives the folder its name.
  Status Finish();

 private:
  NewFolder(std::string path, std::string part, OpenFolder folder)
      : path_(std::move(path)), part_(std::move(part)), folder_(std::move(folder)) {}

  std::string path_;
  std::string part_;  // empty when there is nothing to remove
  OpenFolder folder_;
};

}  // namespace anydml::train
