// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml draw`: one dispatch as a picture of where each element goes, several as a graph.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "arrows.h"
#include "commands.h"
#include "console.h"
#include "element.h"
#include "graph_picture.h"
#include "load.h"
#include "model/print.h"
#include "output_file.h"
#include "picture.h"
#include "prepare.h"
#include "settings_text.h"

namespace anydml::tool {
namespace {

constexpr size_t kMaxDrawnDispatches = 1000;

DrawnTensor Drawn(std::string_view name, const TensorDesc& tensor, const uint8_t* data) {
  DrawnTensor drawn = {std::string(name), {tensor.Sizes().begin(), tensor.Sizes().end()}, {}};
  for (uint64_t i = 0; i < tensor.ElementCount(); ++i) {
    const uint8_t* element = data + OffsetOf(tensor, i) * ElementSize(tensor.data_type);
    drawn.cells.push_back(model::ElementText(tensor.data_type, element));
  }
  return drawn;
}

// Why a tensor is not drawn; empty when it is.
std::string Objection(std::string_view name, const TensorDesc& tensor) {
  const uint64_t columns =
      tensor.dimension_count == 1 ? 1 : tensor.sizes[tensor.dimension_count - 1];
  const uint64_t rows = tensor.ElementCount() / columns;
  if (rows <= kMaxDrawnRows && columns <= kMaxDrawnColumns) return "";
  return fmt::format("{} has {} rows of {}; a picture has at most {} of {}", name, rows, columns,
                     kMaxDrawnRows, kMaxDrawnColumns);
}

Status CheckDrawable(const Experiment& experiment, const schema::Arguments& arguments) {
  for (size_t i = 0; i < arguments.tensor_numbers(); ++i) {
    if (!arguments.tensor(i).present()) continue;
    const std::string objection = Objection(arguments.TensorName(i), arguments.tensor(i));
    if (!objection.empty()) return Error{ErrorCode::kUnsupported, objection};
  }
  const TensorDesc& source = experiment.tensor(experiment.source());
  if (MayOverlap(source.Sizes(), source.Strides())) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} has elements that share memory, whose ways cannot be told apart",
                             arguments.TensorName(experiment.source()))};
  }
  return {};
}

std::string Caption(const Picture& picture, bool linear) {
  std::string text =
      linear ? fmt::format(
                   "Arrows: where each element of {} is added, found by running the operator "
                   "on it alone.",
                   picture.tensors[picture.source].name)
             : fmt::format(
                   "Arrows: elements of {} whose small change, up and down, changes the "
                   "result.",
                   picture.tensors[picture.source].name);
  const bool weighted =
      std::ranges::any_of(picture.arrows, [](const Arrow& arrow) { return arrow.weight != 1; });
  if (picture.taps && weighted) text += " Weights other than 1 are written out.";
  return text;
}

Result<Picture> MakePicture(Experiment& experiment, const schema::Arguments& arguments, bool taps) {
  Result<Arrows> arrows = FindArrows(experiment);
  if (!arrows.ok()) return arrows.error();
  Picture picture;
  picture.title = arguments.schema().name;
  picture.settings = SettingsText(arguments);
  picture.arrows = arrows.value().all;
  picture.taps = taps;
  for (size_t i = 0; i < arguments.tensor_numbers(); ++i) {
    if (!arguments.tensor(i).present()) continue;
    if (i == experiment.source()) picture.source = picture.tensors.size();
    if (i == experiment.target()) picture.target = picture.tensors.size();
    picture.tensors.push_back(
        Drawn(arguments.TensorName(i), arguments.tensor(i), experiment.data(i)));
  }
  picture.caption = Caption(picture, arrows.value().linear);
  return picture;
}

std::vector<const model::Dispatch*> DispatchesOf(const model::Model& model) {
  std::vector<const model::Dispatch*> found;
  for (const model::Command& command : model.commands) {
    if (const auto* dispatch = std::get_if<model::Dispatch>(&command)) found.push_back(dispatch);
  }
  return found;
}

Result<std::string> Draw(model::Model& model, const DrawOptions& options) {
  const std::vector<const model::Dispatch*> dispatches = DispatchesOf(model);
  if (dispatches.empty()) return InvalidArgument("commands has no dispatch to draw");
  if (dispatches.size() > kMaxDrawnDispatches) {
    return InvalidArgument(fmt::format("commands has {} dispatches; a picture shows at most {}",
                                       dispatches.size(), kMaxDrawnDispatches));
  }
  if (dispatches.size() > 1) {
    const bool is_file = options.model != "-";
    return GraphSvg(model,
                    is_file ? std::filesystem::path(options.model).filename().string() : "Graph");
  }
  Result<std::shared_ptr<c_api::Device>> device =
      OpenDevice("cpu", 1, LevelOf(options.feature_level));
  if (!device.ok()) return device.error();
  Result<std::vector<Prepared>> all = PrepareAll(model, device.value());
  if (!all.ok()) return all.error();
  Prepared& prepared = all.value()[dispatches[0]->dispatchable];
  Result<BoundDispatch> bound = Bind(model, *dispatches[0], prepared);
  if (!bound.ok()) return bound.error();

  const schema::Arguments& arguments = prepared.op->program->arguments();
  if (arguments.inputs().empty()) {
    return InvalidArgument(fmt::format("{} has no input; a picture shows where its elements go",
                                       arguments.schema().name));
  }
  Experiment experiment(*prepared.op, bound.value().addresses);
  if (const Status status = CheckDrawable(experiment, arguments); !status.ok()) {
    return status.error();
  }
  Result<Picture> picture = MakePicture(experiment, arguments, options.taps);
  if (!picture.ok()) return picture.error();
  return Svg(picture.value());
}

}  // namespace

int DrawModel(const DrawOptions& options) {
  LoadedModel loaded = LoadModel(options.model, options.input_path, options.output);
  PrintProblems(options.model, loaded.problems);
  if (!loaded.problems.empty()) return kFailure;
  const Result<std::string> svg = Draw(loaded.model, options);
  if (!svg.ok()) {
    PrintProblems(options.model, {svg.error()});
    return kFailure;
  }
  if (options.output.empty()) {
    WriteOutput(svg.value());
    return kSuccess;
  }
  const Status status = WriteText(svg.value(), options.output);
  if (status.ok()) return kSuccess;
  Complain("{}", status.error().message);
  return kFailure;
}

}  // namespace anydml::tool
