// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "run_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/escaped.h"
#include "model/json_text.h"
#include "model/paths.h"

namespace anydml::tool {
namespace {

using model::Json;

constexpr uint64_t kFormat = 1;
constexpr uint64_t kMostBytes = uint64_t{1} << 30;

std::string Line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool Read(const Json& json, const char* name, uint64_t& value) {
  if (!json.contains(name) || !json[name].is_number_unsigned()) return false;
  value = json[name].get<uint64_t>();
  return true;
}
bool Read(const Json& json, const char* name, std::string& value) {
  if (!json.contains(name) || !json[name].is_string()) return false;
  value = json[name].get<std::string>();
  return true;
}
bool ReadBits(const Json& json, float& value) {
  std::string text;
  uint32_t bits = 0;
  if (!Read(json, "bits", text) || text.size() != 8) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
  value = std::bit_cast<float>(bits);
  return error == std::errc() && end == text.data() + text.size();
}

bool ReadCheckpoint(const Json& json, RunLog::Checkpoint& checkpoint) {
  return json.is_object() && Read(json, "checkpoint", checkpoint.step) &&
         Read(json, "folder", checkpoint.folder) && Read(json, "sha256", checkpoint.sha256);
}

bool ReadHeader(const Json& json, RunLog& log) {
  uint64_t format = 0;
  const bool is_whole =
      Read(json, "format", format) && format == kFormat && Read(json, "model", log.model) &&
      Read(json, "input_path", log.input_path) && Read(json, "model_sha256", log.model_sha256) &&
      Read(json, "device", log.device) && Read(json, "seed", log.seed) && json.contains("feeds") &&
      json["feeds"].is_array();
  if (!is_whole) return false;
  if (json.contains("from") && !ReadCheckpoint(json["from"], log.first)) return false;
  for (const Json& name : json.value("initialized", Json::array())) {
    if (!name.is_string()) return false;
    log.initialized.push_back(name.get<std::string>());
  }
  for (const Json& feed : json["feeds"]) {
    FeedFile file;
    const bool is_feed = feed.is_object() && Read(feed, "name", file.name) &&
                         Read(feed, "path", file.path) && Read(feed, "sha256", file.sha256);
    if (!is_feed) return false;
    log.feeds.push_back(file);
  }
  return true;
}

bool ReadEvent(const Json& json, RunLog& log) {
  uint64_t step = 0;
  float loss = 0;
  if (Read(json, "step", step) && ReadBits(json, loss)) {
    log.losses.push_back(loss);
    return step == log.steps();
  }
  RunLog::Checkpoint& checkpoint = log.checkpoints.emplace_back();
  return ReadCheckpoint(json, checkpoint) && checkpoint.step == log.steps();
}

// What a line is not; empty if it is what it must be.
std::string ReadLine(std::string_view line, bool is_first, RunLog& log) {
  Result<Json> json = model::ParseJson(line);
  const model::DismantleAtEnd dismantle(json);
  if (!json.ok() || !json.value().is_object()) return "is no JSON object";
  if (is_first) {
    return ReadHeader(json.value(), log) ? "" : "is not the beginning of a training's log";
  }
  return ReadEvent(json.value(), log) ? "" : "is neither the next step nor its checkpoint";
}

Json JsonOf(const RunLog::Checkpoint& checkpoint) {
  return {{"checkpoint", checkpoint.step},
          {"folder", checkpoint.folder},
          {"sha256", checkpoint.sha256}};
}

}  // namespace

std::string HeaderOf(const RunLog& log) {
  Json feeds = Json::array();
  for (const FeedFile& file : log.feeds) {
    feeds.push_back({{"name", file.name}, {"path", file.path}, {"sha256", file.sha256}});
  }
  Json header = {{"format", kFormat},
                 {"model", log.model},
                 {"input_path", log.input_path},
                 {"model_sha256", log.model_sha256},
                 {"device", log.device},
                 {"seed", log.seed},
                 {"feeds", feeds}};
  if (!log.initialized.empty()) header["initialized"] = log.initialized;
  if (log.first.step != 0) header["from"] = JsonOf(log.first);
  return Line(header);
}

std::string LinesAfter(uint64_t step, const RunLog& log) {
  std::string text;
  auto checkpoint = std::ranges::upper_bound(log.checkpoints, step, {}, &RunLog::Checkpoint::step);
  while (step != log.steps()) {
    const float loss = log.losses[step++ - log.first.step];
    text += Line({{"step", step},
                  {"loss", fmt::format("{}", loss)},
                  {"bits", fmt::format("{:08x}", std::bit_cast<uint32_t>(loss))}});
    if (checkpoint == log.checkpoints.end() || checkpoint->step != step) continue;
    text += Line(JsonOf(*checkpoint++));
  }
  return text;
}

Result<RunLog> ReadRunLog(const std::string& path) {
  Result<std::vector<uint8_t>> bytes = model::ReadFile(path, kMostBytes);
  if (!bytes.ok()) return InvalidArgument(Escaped(path) + " " + bytes.error().message);
  std::string_view rest(reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size());
  rest = rest.substr(0, rest.rfind('\n') + 1);
  RunLog log;
  for (size_t number = 1; number == 1 || !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string problem = ReadLine(line, number == 1, log);
    if (problem.empty()) continue;
    return InvalidArgument(fmt::format("{}: line {} {}", Escaped(path), number, problem));
  }
  return log;
}

}  // namespace anydml::tool
