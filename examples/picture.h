// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Pictures of trainings as SVG, for light and dark pages.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

class Picture {
 public:
  Picture(const std::string& title, uint32_t width, uint32_t height) {
    text_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\""
          << height << "\" viewBox=\"0 0 " << width << ' ' << height << "\" role=\"img\">\n<title>"
          << title << R"(</title>
<style>
  .page { fill: #ffffff; } .text { fill: #1f2328; } .grid { stroke: #d1d9e0; }
  .curve { stroke: #2f7fed; stroke-width: 2.5; } .every { stroke: #2f7fed; stroke-opacity: 0.35; }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; } .text { fill: #e6edf3; } .grid { stroke: #30363d; }
  }
  text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
</style>
)"
          << "<rect class=\"page\" width=\"" << width << "\" height=\"" << height
          << "\" rx=\"6\"/>\n";
  }

  // `anchor`: start, middle or end.
  void Text(double x, double y, const std::string& words, const char* anchor = "middle") {
    text_ << "<text class=\"text\" x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
          << "\">" << words << "</text>\n";
  }
  void Line(const char* style, const std::vector<std::pair<double, double>>& points) {
    const char* separator = "M";
    text_ << "<path class=\"" << style << "\" fill=\"none\" d=\"";
    for (const auto& [x, y] : points) {
      text_ << separator << x << ' ' << y;
      separator = "L";
    }
    text_ << "\"/>\n";
  }
  // A square of bytes, `scale` times as large, in 16 greys: a path of horizontal lines for each.
  void Pixels(double x, double y, double scale, uint32_t side, const uint8_t* pixels) {
    std::vector<std::ostringstream> greys(16);
    for (uint32_t row = 0; row < side; ++row) {
      for (uint32_t first = 0, last = 0; first < side; first = last) {
        const uint8_t* const line = pixels + row * side;
        const int grey = line[first] / 16;
        while (last < side && line[last] / 16 == grey) ++last;
        greys[grey] << 'M' << first << ' ' << row << 'h' << last - first;
      }
    }
    text_ << "<g transform=\"translate(" << x << ' ' << y + scale / 2 << ") scale(" << scale
          << ")\" shape-rendering=\"crispEdges\">\n";
    for (int grey = 0; grey < 16; ++grey) {
      const std::string path = greys[grey].str();
      if (path.empty()) continue;
      text_ << "<path stroke=\"rgb(" << grey * 17 << ',' << grey * 17 << ',' << grey * 17
            << ")\" d=\"" << path << "\"/>\n";
    }
    text_ << "</g>\n";
  }

  void Write(const std::string& file) const {
    std::ofstream stream(file);
    stream << text_.str() << "</svg>\n";
    if (!stream.flush()) throw std::runtime_error(file + " cannot be written");
  }

 private:
  std::ostringstream text_;
};

// Three pictures below each other per column, twice as large; five columns.
class Gallery {
 public:
  Gallery(const std::string& title, uint32_t side)
      : side_(side), picture_(title, 16 + 5 * (2 * side + 16), 24 + 3 * (2 * side + 16)) {}

  // The first three squares among the values.
  template <typename T, typename ToGrey>
  void Add(const std::string& title, const std::vector<T>& values, const ToGrey& to_grey) {
    const uint32_t distance = 2 * side_ + 16, x = 16 + distance * columns_++;
    picture_.Text(x + side_, 22, title);
    for (uint32_t i = 0; i < 3; ++i) {
      std::vector<uint8_t> greys;
      for (uint32_t p = i * side_ * side_; p < (i + 1) * side_ * side_; ++p) {
        greys.push_back(static_cast<uint8_t>(to_grey(values.at(p))));
      }
      picture_.Pixels(x, 32 + distance * i, 2, side_, greys.data());
    }
  }
  void Write(const std::string& file) const { picture_.Write(file); }

 private:
  uint32_t side_;
  uint32_t columns_ = 0;
  Picture picture_;
};

inline std::string Number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

// Every step's loss as a thin line, and the means of 60 parts of the training.
inline void DrawLosses(const std::string& title, const std::vector<float>& losses,
                       const std::string& file) {
  constexpr double kLeft = 48, kTop = 44, kWidth = 584, kHeight = 240, kHighest = 2.5;
  Picture picture(title, 656, 324);
  const auto x_of = [&](double step) {
    return kLeft + kWidth * step / static_cast<double>(losses.size());
  };
  const auto y_of = [&](double loss) {
    return kTop + kHeight * (1 - std::clamp(loss / kHighest, 0.0, 1.0));
  };
  picture.Text(kLeft, 24, title, "start");
  for (double loss = 0; loss <= kHighest; loss += 0.5) {
    picture.Line("grid", {{kLeft, y_of(loss)}, {kLeft + kWidth, y_of(loss)}});
    picture.Text(kLeft - 8, y_of(loss) + 4, Number(loss), "end");
  }
  const double steps = static_cast<double>(losses.size());
  const double distance = std::pow(10, std::floor(std::log10(std::max(steps, 1.0))));
  for (double step = 0; step <= steps; step += distance) {
    picture.Text(x_of(step), kTop + kHeight + 20, Number(step));
  }
  std::vector<std::pair<double, double>> every, means;
  const size_t parts = std::min<size_t>(60, losses.size());
  for (size_t i = 0; i < losses.size(); ++i) {
    every.emplace_back(x_of(static_cast<double>(i) + 0.5), y_of(losses[i]));
  }
  for (size_t part = 0; part < parts; ++part) {
    const size_t first = part * losses.size() / parts, last = (part + 1) * losses.size() / parts;
    double sum = 0;
    for (size_t i = first; i < last; ++i) sum += losses[i];
    means.emplace_back(x_of(static_cast<double>(first + last) / 2),
                       y_of(sum / static_cast<double>(last - first)));
  }
  picture.Line("every", every);
  picture.Line("curve", means);
  picture.Write(file);
}
