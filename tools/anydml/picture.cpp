// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "picture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "labels.h"

namespace anydml::tool {
namespace {

constexpr double kMargin = 20, kHead = 62, kCellHeight = 38, kPlaneGap = 10;
constexpr double kGridGap = 36, kArrowGap = 190, kCharacter = 7.4, kSmallCharacter = 6.4;
constexpr uint64_t kColours = 8;
constexpr size_t kMaxWeightsOnArrows = 8, kMaxSums = 16;

// The page's own colours, because an image does not inherit those of its page. The eight colours
// of the arrows are dark enough for white and light enough for black.
constexpr std::string_view kStyle = R"(
  .page { fill: #ffffff; } .text { fill: #1f2328; } .faint { fill: #59636e; }
  .cell { fill: none; stroke: #b7c0ca; } text.halo { stroke: #ffffff; }
  .many { fill: #59636e; stroke: #59636e; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } .text { fill: #e6edf3; } .faint { fill: #9198a1; }
    .cell { stroke: #444c56; } text.halo { stroke: #0d1117; }
    .many { fill: #9198a1; stroke: #9198a1; }
  }
  .c0 { fill: #2f7fed; stroke: #2f7fed; } .c1 { fill: #e16f24; stroke: #e16f24; }
  .c2 { fill: #1a9988; stroke: #1a9988; } .c3 { fill: #a257d6; stroke: #a257d6; }
  .c4 { fill: #d6453d; stroke: #d6453d; } .c5 { fill: #7a991f; stroke: #7a991f; }
  .c6 { fill: #d9489f; stroke: #d9489f; } .c7 { fill: #a9772f; stroke: #a9772f; }
  .tint { fill-opacity: 0.16; stroke-width: 1.5; }
  .arrow { fill: none; stroke-width: 1.8; } .tip { stroke: none; }
  .halo { stroke-width: 4; paint-order: stroke; stroke-linejoin: round; }
  text { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 12px; }
  .name, .title, .note { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
  .name { font-size: 12px; } .title { font-size: 16px; font-weight: bold; }
  .note, .weight { font-size: 11px; }
)";

std::string ColourOf(uint64_t source) { return fmt::format("c{}", source % kColours); }

// "InputTensor[0, 1]"
std::string Subscript(const DrawnTensor& tensor, uint64_t index) {
  std::vector<uint64_t> position(tensor.sizes.size());
  for (size_t i = position.size(); i-- > 0;) {
    position[i] = index % tensor.sizes[i];
    index /= tensor.sizes[i];
  }
  return fmt::format("{}[{}]", tensor.name, fmt::join(position, ", "));
}

// Lines of at most `width`, broken at spaces, but not inside brackets or before braces.
std::vector<std::string> Wrapped(std::string_view text, double width) {
  std::vector<std::string> lines(1);
  size_t start = 0;
  for (size_t i = 0, depth = 0; i <= text.size(); ++i) {
    if (i < text.size()) {
      if (text[i] == '{' || text[i] == '[') ++depth;
      if (text[i] == '}' || text[i] == ']') --depth;
      const bool before_brace = i + 1 < text.size() && text[i + 1] == '{';
      if (text[i] != ' ' || depth > 0 || before_brace) continue;
    }
    const std::string_view word = text.substr(start, i - start);
    start = i + 1;
    const double wide = static_cast<double>(lines.back().size() + 1 + word.size());
    if (lines.back().empty()) {
      lines.back() = word;
    } else if (wide * kSmallCharacter <= width) {
      lines.back() += fmt::format(" {}", word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

// A tensor's place on the page.
struct Box {
  double x = 0, y = 0, cell_width = 0;
  const DrawnTensor* tensor = nullptr;

  double width() const { return cell_width * static_cast<double>(tensor->columns()); }
  double Top(uint64_t row) const {
    const uint64_t planes_before = row / tensor->rows_per_plane();
    return y + kCellHeight * static_cast<double>(row) +
           kPlaneGap * static_cast<double>(planes_before);
  }
  double Left(uint64_t index) const {
    return x + cell_width * static_cast<double>(index % tensor->columns());
  }
  double TopOf(uint64_t index) const { return Top(index / tensor->columns()); }
  double bottom() const { return Top(tensor->rows() - 1) + kCellHeight; }
};

class Drawing {
 public:
  explicit Drawing(const Picture& picture) : picture_(picture) { PlaceBoxes(); }

  std::string Finish() {
    Head();
    for (size_t i = 0; i < boxes_.size(); ++i) Cells(i);
    for (size_t i = 0; i < picture_.arrows.size(); ++i) DrawArrow(picture_.arrows[i]);
    for (size_t i = 0; i < boxes_.size(); ++i) Numbers(i);
    if (picture_.taps && WeightCount() <= kMaxWeightsOnArrows) Weights();
    double y = bottom_ + 30;
    const auto write = [&](const std::string& text, std::string_view style) {
      for (const std::string& line : Wrapped(text, width_ - 2 * kMargin)) {
        Text(kMargin, y, style, line);
        y += 16;
      }
    };
    if (picture_.taps && WeightCount() > kMaxWeightsOnArrows) {
      for (const std::string& sum : Sums()) write(sum, "text note");
    }
    write(picture_.caption, "faint note");
    return SvgPage(picture_.title, width_, y + 2, "", body_);
  }

 private:
  void PlaceBoxes() {
    size_t longest = 4;
    for (const DrawnTensor& tensor : picture_.tensors) {
      for (const std::string& cell : tensor.cells) longest = std::max(longest, cell.size());
    }
    double x = kMargin;
    for (size_t i = 0; i < picture_.tensors.size(); ++i) {
      const DrawnTensor& tensor = picture_.tensors[i];
      Box box = {x, kHead, static_cast<double>(longest) * kCharacter + 14, &tensor};
      const double named = static_cast<double>(tensor.name.size()) * kCharacter;
      const bool before_arrows = i == picture_.source;
      x += std::max(box.width() + (before_arrows ? kArrowGap : kGridGap), named + 24);
      boxes_.push_back(box);
    }
    width_ = std::max(x - kGridGap + kMargin, 420.0);
    settings_ = Wrapped(picture_.settings, width_ - 2 * kMargin);
    for (Box& box : boxes_) {
      box.y += 16 * static_cast<double>(settings_.size()) + 20;
      bottom_ = std::max(bottom_, box.bottom());
    }
  }

  void Text(double x, double y, std::string_view style, std::string_view words,
            std::string_view anchor = "start") {
    body_ +=
        fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                    style, x, y, anchor, EscapedXml(words));
  }

  void Head() {
    Text(kMargin, 30, "text title", picture_.title);
    double y = 50;
    for (const std::string& line : settings_) {
      Text(kMargin, y, "faint note", line);
      y += 16;
    }
    for (const Box& box : boxes_) {
      Text(box.x, box.y - 24, "text name", box.tensor->name);
      Text(box.x, box.y - 8, "faint note", fmt::format("{}", fmt::join(box.tensor->sizes, " x ")));
    }
  }

  // The colour of a cell: of the arrow that starts or ends there, or in a tensor of the target's
  // sizes, when taps are asked for, of the one that ends at the same place.
  std::string_view TintOf(size_t tensor, uint64_t index) {
    const DrawnTensor& drawn = picture_.tensors[tensor];
    const bool is_source = tensor == picture_.source;
    const bool marked = picture_.taps && drawn.sizes == picture_.tensors[picture_.target].sizes;
    if (!is_source && tensor != picture_.target && !marked) return "";
    std::string& tint = tint_;
    tint.clear();
    for (const Arrow& arrow : picture_.arrows) {
      if ((is_source ? arrow.from : arrow.to) != index) continue;
      const std::string colour = ColourOf(arrow.from);
      tint = tint.empty() || tint == colour ? colour : "many";
    }
    return tint;
  }

  void Cells(size_t tensor) {
    const Box& box = boxes_[tensor];
    body_ += fmt::format("<g class=\"tensor\" data-name=\"{}\">\n", EscapedXml(box.tensor->name));
    for (uint64_t i = 0; i < box.tensor->cells.size(); ++i) {
      const std::string_view tint = TintOf(tensor, i);
      body_ += fmt::format(
          "<rect class=\"{}{}\" data-index=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
          "height=\"{:.1f}\"/>\n",
          tint.empty() ? "cell" : "tint ", tint, i, box.Left(i), box.TopOf(i), box.cell_width,
          kCellHeight);
    }
    body_ += "</g>\n";
  }

  void Numbers(size_t tensor) {
    const Box& box = boxes_[tensor];
    for (uint64_t i = 0; i < box.tensor->cells.size(); ++i) {
      Text(box.Left(i) + box.cell_width / 2, box.TopOf(i) + 17, "text", box.tensor->cells[i],
           "middle");
    }
  }

  // Arrows keep to the lower part of the rows, where no number is; neighbours in three lanes.
  static double Lane(uint64_t source) { return 25 + 4 * static_cast<double>(source % 3); }

  void DrawArrow(const Arrow& arrow) {
    const Box &from = boxes_[picture_.source], &to = boxes_[picture_.target];
    const double x0 = from.Left(arrow.from) + from.cell_width - 7, x3 = to.Left(arrow.to) + 2;
    const auto [begin, end] = CurveOf(arrow);
    const double middle = (begin.x + end.x) / 2;
    const std::string colour = ColourOf(arrow.from);
    body_ += fmt::format(
        "<g class=\"{}\" data-from=\"{}\" data-to=\"{}\" data-weight=\"{:.6g}\"><title>{}: {} of "
        "it goes to {}</title>\n<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>"
        "<path class=\"arrow {}\" d=\"M{:.1f} {:.1f}H{:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} "
        "{:.1f}H{:.1f}\"/>"
        "<path class=\"tip {}\" d=\"M{:.1f} {:.1f}l-7 -3.5v7z\"/></g>\n",
        "way", arrow.from, arrow.to, arrow.weight, EscapedXml(Subscript(*from.tensor, arrow.from)),
        Number(arrow.weight), EscapedXml(Subscript(*to.tensor, arrow.to)), colour, x0, begin.y,
        colour, x0, begin.y, begin.x, middle, begin.y, middle, end.y, end.x, end.y, x3, colour,
        x3 + 5, end.y);
  }

  static std::string Number(double weight) { return fmt::format("{:.3g}", weight); }

  size_t WeightCount() const {
    return std::ranges::count_if(picture_.arrows, [](const Arrow& a) { return a.weight != 1; });
  }

  // "OutputTensor[0] = InputTensor[0] + 0.25 InputTensor[1]", an element of the target a line; of
  // large ones the first.
  std::vector<std::string> Sums() const {
    std::map<uint64_t, std::string> sums;
    for (const Arrow& arrow : picture_.arrows) {
      std::string& sum = sums[arrow.to];
      sum += sum.empty() ? "" : " + ";
      if (arrow.weight != 1) sum += Number(arrow.weight) + " ";
      sum += Subscript(picture_.tensors[picture_.source], arrow.from);
    }
    std::vector<std::string> lines;
    for (const auto& [to, sum] : sums) {
      if (lines.size() == kMaxSums) {
        lines.push_back("and so on.");
        break;
      }
      lines.push_back(
          fmt::format("{} = {}", Subscript(picture_.tensors[picture_.target], to), sum));
    }
    return lines;
  }

  Curve CurveOf(const Arrow& arrow) const {
    const Box &from = boxes_[picture_.source], &to = boxes_[picture_.target];
    return {{from.x + from.width() + 6, from.TopOf(arrow.from) + Lane(arrow.from)},
            {to.x - 8, to.TopOf(arrow.to) + Lane(arrow.from)}};
  }

  void Weights() {
    std::vector<Curve> curves;
    std::vector<Label> labels;
    for (const Arrow& arrow : picture_.arrows) {
      const double width = static_cast<double>(Number(arrow.weight).size()) * kSmallCharacter;
      if (arrow.weight != 1) labels.push_back({curves.size(), width, {}});
      curves.push_back(CurveOf(arrow));
    }
    PlaceLabels(curves, labels);
    for (const Label& label : labels) {
      const Arrow& arrow = picture_.arrows[label.curve];
      Text(label.baseline.x, label.baseline.y, "halo weight " + ColourOf(arrow.from),
           Number(arrow.weight), "middle");
    }
  }

  const Picture& picture_;
  std::vector<Box> boxes_;
  std::vector<std::string> settings_;
  double width_ = 0, bottom_ = 0;
  std::string body_, tint_;
};

}  // namespace

std::string Svg(const Picture& picture) { return Drawing(picture).Finish(); }

std::string SvgPage(std::string_view title, double width, double height, std::string_view style,
                    std::string_view body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n<title>{2}</title>\n<style>{3}{4}</style>\n"
      "<rect class=\"page\" width=\"{0:.0f}\" height=\"{1:.0f}\" rx=\"6\"/>\n{5}</svg>\n",
      width, height, EscapedXml(title), kStyle, style, body);
}

std::string EscapedXml(std::string_view text) {
  std::string out;
  for (char c : text) {
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return out;
}

}  // namespace anydml::tool
