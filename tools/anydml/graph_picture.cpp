// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "graph_picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "picture.h"

namespace anydml::tool {
namespace {

constexpr double kMargin = 20, kHead = 50, kLine = 15, kCharacter = 6.7, kGap = 34;
constexpr std::string_view kTips =
    R"(<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8"
markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#7d8792"/></marker>
<marker id="gradient" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8"
markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#e16f24"/></marker></defs>
)";
constexpr std::string_view kBoxStyle = R"(
  .box { fill: #f6f8fa; stroke: #b7c0ca; } .box.gradient { fill: #fdf1e8; stroke: #e16f24; }
  @media (prefers-color-scheme: dark) {
    .box { fill: #161b22; stroke: #444c56; } .box.gradient { fill: #2b1d12; stroke: #e16f24; }
  }
  .edge { fill: none; stroke: #7d8792; stroke-width: 1.5; marker-end: url(#tip); }
  .edge.gradient { stroke: #e16f24; marker-end: url(#gradient); }
  .edge.kept { stroke-width: 1; stroke-dasharray: 2 4; }
  .shape { font-size: 11px; }
)";

struct Box {
  std::string_view title;
  std::vector<std::string> written, read;  // name and sizes
  bool is_gradient = false;
  size_t row = 0, column = 0;
  double x = 0, y = 0;

  double height() const {
    return kLine * static_cast<double>(written.size() + read.size() + 1) + 10;
  }
};

struct Edge {
  size_t from, to;  // boxes
  std::string text;
};

class Drawing {
 public:
  explicit Drawing(const model::Model& model) : model_(model) {
    for (const model::Command& command : model.commands) {
      if (const auto* dispatch = std::get_if<model::Dispatch>(&command)) AddBox(*dispatch);
    }
    FindGradients();
    PlaceBoxes();
  }

  std::string Finish(const std::string& title) {
    for (const Edge& edge : edges_) DrawEdge(edge);
    for (const Box& box : boxes_) DrawBox(box);
    const std::string head = fmt::format("<text class=\"text title\" x=\"{}\" y=\"30\">{}</text>\n",
                                         kMargin, EscapedXml(title));
    return SvgPage(title, width_, height_, kBoxStyle, fmt::format("{}{}{}", kTips, head, body_));
  }

 private:
  void AddBox(const model::Dispatch& dispatch) {
    const model::Dispatchable& dispatchable = model_.dispatchables[dispatch.dispatchable];
    const schema::Arguments& arguments = dispatchable.arguments;
    if (arguments.inputs().empty()) return;
    Box box;
    box.title = arguments.schema().name;
    std::map<size_t, size_t> sources;  // resources by the number of the tensor
    for (const auto& bindings : {dispatchable.initialization_bindings, dispatch.bindings}) {
      for (const model::Binding& binding : bindings) {
        sources[binding.tensor] = binding.source.resource;
      }
    }
    std::vector<size_t> written;
    for (const auto& [number, resource] : sources) {
      const std::string text = fmt::format("{} {}", model_.resources[resource].name,
                                           fmt::join(arguments.tensor(number).Sizes(), " x "));
      const auto writer = writers_.find(resource);
      if (arguments.schema().fields[arguments.FieldOf(number)].is_output()) {
        box.written.push_back(text);
        written.push_back(resource);
      } else if (writer == writers_.end()) {
        box.read.push_back("of " + text);
      } else {
        edges_.push_back({writer->second, boxes_.size(), text});
      }
    }
    for (size_t resource : written) writers_[resource] = boxes_.size();
    boxes_.push_back(std::move(box));
  }

  // What the value that is printed first does not need, where a d.NAME is printed.
  void FindGradients() {
    std::optional<size_t> loss;
    bool has_gradients = false;
    for (const model::Command& command : model_.commands) {
      const auto* print = std::get_if<model::Print>(&command);
      if (print == nullptr) continue;
      if (!loss) loss = print->resource;
      has_gradients = has_gradients || model_.resources[print->resource].name.starts_with("d.");
    }
    if (!has_gradients || !writers_.contains(*loss)) return;
    for (Box& box : boxes_) box.is_gradient = true;
    boxes_[writers_[*loss]].is_gradient = false;
    for (auto edge = edges_.rbegin(); edge != edges_.rend(); ++edge) {
      if (!boxes_[edge->to].is_gradient) boxes_[edge->from].is_gradient = false;
    }
  }

  // Rows from top to bottom: one more than the lowest that is read; a gradient has the highest
  // row that it reads.
  void PlaceBoxes() {
    auto edge = edges_.begin();
    size_t rows = 0;
    for (size_t i = 0; i < boxes_.size(); ++i) {
      Box& box = boxes_[i];
      if (box.is_gradient) box.row = rows - 1;
      for (; edge != edges_.end() && edge->to == i; ++edge) {
        const size_t row = boxes_[edge->from].row;
        box.row = box.is_gradient ? std::min(box.row, row) : std::max(box.row, row + 1);
      }
      rows = std::max(rows, box.row + 1);
    }
    std::vector<size_t> forward(rows), gradients(rows);
    std::vector<double> tops(rows + 1, kHead);
    size_t longest = 0;
    for (Box& box : boxes_) {
      box.column = (box.is_gradient ? gradients : forward)[box.row]++;
      longest = std::max(longest, box.title.size());
      for (const auto& text : box.written) longest = std::max(longest, text.size());
      for (const auto& text : box.read) longest = std::max(longest, text.size());
      tops[box.row + 1] = std::max(tops[box.row + 1], box.height() + kGap);
    }
    for (size_t row = 0; row < rows; ++row) tops[row + 1] += tops[row];
    box_width_ = static_cast<double>(longest) * kCharacter + 16;
    const size_t first = std::ranges::max(forward);  // column of gradients
    for (Box& box : boxes_) {
      const size_t column = box.column + (box.is_gradient ? first : 0);
      box.x = kMargin + static_cast<double>(column) * (box_width_ + kGap) +
              (box.is_gradient ? kGap : 0);
      box.y = tops[box.row];
      width_ = std::max(width_, box.x + box_width_ + kMargin);
    }
    height_ = tops[rows];
  }

  void DrawBox(const Box& box) {
    body_ += fmt::format(
        "<rect class=\"box{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
        "height=\"{:.1f}\" rx=\"4\"/>\n",
        box.is_gradient ? " gradient" : "", box.x, box.y, box_width_, box.height());
    double y = box.y + kLine;
    const auto write = [&](std::string_view style, std::string_view text) {
      body_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", style,
                           box.x + 8, y, EscapedXml(text));
      y += kLine;
    };
    write("text name", box.title);
    for (const std::string& text : box.written) write("text shape", text);
    for (const std::string& text : box.read) write("faint shape", text);
  }

  // Down or up from row to row, to the right within one; past other boxes in a bow.
  void DrawEdge(const Edge& edge) {
    const Box &from = boxes_[edge.from], &to = boxes_[edge.to];
    const bool is_kept = to.is_gradient && !from.is_gradient;
    const bool is_down = to.row > from.row;
    const double middle = from.x + box_width_ / 2, end = to.x + box_width_ / 2;
    const double side = from.y + 20, end_side = to.y + 20;
    std::string path;
    if (is_kept || (from.row == to.row && to.column == from.column + 1)) {
      path = Curve(from.x + box_width_, side, kGap, 0, to.x, end_side, -kGap, 0);
    } else if (from.row == to.row) {
      path = Curve(middle, from.y, 0, -kGap * 0.8, end, to.y, 0, -kGap * 0.8);
    } else if (from.column == to.column && (is_down ? to.row - from.row : from.row - to.row) > 1) {
      path = Curve(from.x, side, -kGap * 0.9, 0, to.x, end_side, -kGap * 0.9, 0);
    } else if (is_down) {
      path = Curve(middle, from.y + from.height(), 0, kGap, end, to.y, 0, -kGap);
    } else {
      path = Curve(middle, from.y, 0, -kGap, end, to.y + to.height(), 0, kGap);
    }
    const std::string_view kind = is_kept ? " kept" : to.is_gradient ? " gradient" : "";
    body_ += fmt::format(
        "<g data-from=\"{}\" data-to=\"{}\"><title>{}</title>"
        "<path class=\"edge{}\" d=\"{}\"/></g>\n",
        edge.from, edge.to, EscapedXml(edge.text), kind, path);
  }

  // From a point to a point, which it leaves and reaches by the directions.
  static std::string Curve(double x0, double y0, double dx0, double dy0, double x1, double y1,
                           double dx1, double dy1) {
    return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x0, y0, x0 + dx0,
                       y0 + dy0, x1 + dx1, y1 + dy1, x1, y1);
  }

  const model::Model& model_;
  std::vector<Box> boxes_;
  std::vector<Edge> edges_;           // by the box that they lead to
  std::map<size_t, size_t> writers_;  // by resource: the last box that writes it
  double box_width_ = 0, width_ = 420, height_ = 0;
  std::string body_;
};

}  // namespace

std::string GraphSvg(const model::Model& model, const std::string& title) {
  return Drawing(model).Finish(title);
}

}  // namespace anydml::tool
