// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "onnx.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace anydml::tool {
namespace {

constexpr char kScript[] = R"(import sys
try:
    import anydml.onnx.__main__ as converter
except ImportError as error:
    sys.exit("anydml: ONNX models need the Python packages anydml and onnx (Debian's python3-onnx) "
             "and libanydml.so, and Python says: %s" % error)
converter.main(sys.argv[1:])
)";

}  // namespace

bool IsOnnx(const std::string& path) { return std::string_view(path).ends_with(".onnx"); }

Status ConvertedModel::Convert(const std::string& onnx) {
  std::error_code error;
  std::string name = std::filesystem::temp_directory_path(error) / "anydml_onnx_XXXXXX";
  if (error || mkdtemp(name.data()) == nullptr) {
    return InvalidArgument(fmt::format("no folder for the converted model can be made: {}",
                                       error ? error.message() : std::strerror(errno)));
  }
  folder_ = name;
  std::string script = kScript, model = std::filesystem::absolute(onnx, error);
  std::string python = "python3", command = "-c", option = "-o", output = path();
  char* const arguments[] = {python.data(), command.data(), script.data(), model.data(),
                             option.data(), output.data(),  nullptr};
  pid_t child = 0;
  const int failure = posix_spawnp(&child, python.c_str(), nullptr, nullptr, arguments, environ);
  if (failure != 0) {
    return InvalidArgument(fmt::format(
        "an ONNX model is read by python3, which cannot be started: {}", std::strerror(failure)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return InvalidArgument("python3 could not be waited for");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return InvalidArgument("the ONNX model could not be converted, for the reason above");
}

ConvertedModel::~ConvertedModel() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace anydml::tool
