// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// `anydml run`: the commands of a model, in order.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "commands.h"
#include "console.h"
#include "grid.h"
#include "load.h"
#include "model/place.h"
#include "model/print.h"
#include "output_file.h"
#include "prepare.h"
#include "settings_text.h"
#include "targets.h"
#include "timing.h"

namespace anydml::tool {
namespace {

using c_api::BoundOperator;

class Runner {
 public:
  Runner(model::Model& model, const RunOptions& options, std::shared_ptr<c_api::Device> device)
      : model_(model), options_(options), device_(std::move(device)) {}

  Status Run() {
    Result<std::vector<Prepared>> prepared = PrepareAll(model_, device_);
    if (!prepared.ok()) return prepared.error();
    prepared_ = std::move(prepared).value();
    for (size_t i = 0; i < model_.commands.size(); ++i) {
      Status status =
          std::visit([this](const auto& command) { return Execute(command); }, model_.commands[i]);
      if (!status.ok()) return InCommand(i, status.error());
    }
    return {};
  }

 private:
  Status Execute(const model::Dispatch& dispatch) {
    Prepared& prepared = prepared_[dispatch.dispatchable];
    const BoundOperator& op = *prepared.op;
    Result<BoundDispatch> bound = Bind(model_, dispatch, prepared);
    if (!bound.ok()) return bound.error();
    const std::vector<uint8_t*>& addresses = bound.value().addresses;

    std::vector<Grid> grids;
    if (options_.tables) AddGrids(op, op.inputs, addresses, grids);
    const auto execute = [&] {
      return c_api::RunNow(*op.program, op.device->temporaries, bound.value().bindings,
                           device_->executor);
    };
    Status status = execute();
    if (status.ok() && bound.value().staging) status = bound.value().staging->Fetch();
    if (!status.ok()) return status;
    if (options_.tables) {
      AddGrids(op, op.outputs, addresses, grids);
      const schema::Arguments& arguments = op.program->arguments();
      const std::string settings = SettingsText(arguments);
      Print("{}{}{}\n{}\n", arguments.schema().name, settings.empty() ? "" : ": ", settings,
            SideBySide(grids));
    }
    if (options_.iterations == 0) return {};
    return Time(dispatch, execute);
  }

  static void AddGrids(const BoundOperator& op, const std::vector<size_t>& fields,
                       const std::vector<uint8_t*>& addresses, std::vector<Grid>& grids) {
    const schema::Arguments& arguments = op.program->arguments();
    for (size_t field : fields) {
      if (!arguments.tensor(field).present()) continue;
      grids.push_back(
          TensorGrid(arguments.TensorName(field), arguments.tensor(field), addresses[field]));
    }
  }

  // Repetitions must not show in the results: what they write is put back.
  Status Time(const model::Dispatch& dispatch, const std::function<Status()>& execute) {
    const model::Dispatchable& dispatchable = model_.dispatchables[dispatch.dispatchable];
    const std::vector<model::Resource> saved = model_.resources;
    uint64_t bytes = 0;
    for (size_t i = 0; i < dispatchable.arguments.tensor_numbers(); ++i) {
      const TensorDesc& tensor = dispatchable.arguments.tensor(i);
      if (tensor.present()) bytes += tensor.ElementCount() * ElementSize(tensor.data_type);
    }
    Result<Timing> timing = Measure(options_.iterations, bytes, *device_, execute);
    if (!timing.ok()) return timing.error();
    for (size_t i = 0; i < saved.size(); ++i) {
      std::ranges::copy(saved[i].bytes, model_.resources[i].bytes.begin());
    }
    Print("Dispatch '{}': {}\n", model::Escaped(dispatchable.name), Text(timing.value(), bytes));
    return {};
  }

  Status Execute(const model::Print& print) {
    const model::Resource& resource = model_.resources[print.resource];
    const std::span values(resource.bytes.data(), resource.value_bytes);
    Print("{}\n", model::PrintResource(resource.name, resource.data_type, values, print.verbose));
    return {};
  }

  Status Execute(const model::WriteFile& write) {
    Result<std::filesystem::path> path = ResolveTarget(options_.output_path, write);
    if (!path.ok()) return path.error();
    return WriteResource(model_.resources[write.resource], write.dimensions, path.value());
  }

  model::Model& model_;
  const RunOptions& options_;
  const std::shared_ptr<c_api::Device> device_;
  std::vector<Prepared> prepared_;
};

Status Run(model::Model& model, const RunOptions& options) {
  Result<std::shared_ptr<c_api::Device>> device =
      OpenDevice(options.device, options.threads, LevelOf(options.feature_level));
  if (!device.ok()) return device.error();
  return Runner(model, options, std::move(device).value()).Run();
}

}  // namespace

int RunModel(const RunOptions& options) {
  LoadedModel loaded = LoadModel(options.model, options.input_path);
  std::vector<Error> problems = loaded.problems;
  if (problems.empty()) problems = FindTargetProblems(loaded, options.output_path);
  PrintProblems(options.model, problems);
  if (!problems.empty()) return kFailure;
  const Status status = Run(loaded.model, options);
  if (status.ok()) return kSuccess;
  PrintProblems(options.model, {status.error()});
  return kFailure;
}

}  // namespace anydml::tool
