// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// The command line of AnyDML: options here, the work in one file per command.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <sstream>

#include "anydml/anydml.h"
#include "base/escaped.h"
#include "base/partial_file.h"
#include "base/standard_streams.h"
#include "bench/program.h"
#include "commands.h"
#include "console.h"
#include "model/nearest.h"
#include "schema/feature_level.h"

namespace anydml::tool {
namespace {

constexpr char kExamples[] = R"(Examples:
  anydml run models/max_pooling_grad.json
  anydml run models/activation_relu_grad.json --tables
  anydml check models/resample_grad1.json --feature-level 5.0
  anydml explain models/slice_grad.json
  anydml draw models/max_pooling_grad.json --taps
  anydml ops MAX_POOLING_GRAD)";

// What an option excludes would stand between its name and its purpose; the purpose
// says it.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, text.find(" Excludes:"));
  }
};

// Accepts what ParseFeatureLevel accepts, and says so.
std::string ValidateLevel(const std::string& text) {
  if (ParseFeatureLevel(text)) return {};
  std::vector<std::string> names;
  names.reserve(std::size(kFeatureLevels));
  for (FeatureLevel level : kFeatureLevels) names.push_back(FeatureLevelName(level));
  return fmt::format("'{}' is not a feature level; these are: {}", text, fmt::join(names, ", "));
}

void AddLevel(CLI::App* command, std::string& level) {
  command
      ->add_option("--feature-level", level,
                   "Behave as this level, such as 3.0 (default: the newest)")
      ->check(CLI::Validator(ValidateLevel, ""))
      ->type_name("X.Y");
}

void AddModel(CLI::App* command, std::string& model, std::string& input_path) {
  command
      ->add_option("model", model,
                   "A model in DxDispatch's JSON format, or ONNX's; - for standard input")
      ->required()
      ->type_name("MODEL.json");
  command
      ->add_option("--input-path", input_path,
                   "Folder of the model's files (default: the model's; with -, the current)")
      ->type_name("DIR");
}

void AddOutputPath(CLI::App* command, std::string& output_path) {
  command
      ->add_option("--output-path", output_path,
                   "Folder that files are written to (default: the current)")
      ->type_name("DIR");
}

void AddDevice(CLI::App* command, std::string& device, uint32_t& threads) {
  command->add_option("--device", device, "Device, as 'anydml devices' lists them (default: cpu)")
      ->type_name("NAME");
  command->add_option("--threads", threads, "CPU threads (default: one per core)")
      ->check(CLI::Range(1, 1024).description(""))
      ->type_name("N");
}

CLI::Option* AddNumber(CLI::App* command, const char* name, uint64_t& number, const char* purpose) {
  return command->add_option(name, number, purpose)
      ->check(CLI::Range(1, 1000000000).description(""))
      ->type_name("N");
}

// CLI11 makes a large number of "-1".
void AddSeed(CLI::App* command, uint64_t& seed) {
  command
      ->add_option_function<std::string>(
          "--seed",
          [&seed](const std::string& text) {
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
            if (error == std::errc() && end == text.data() + text.size()) return;
            throw CLI::ValidationError(
                "--seed", fmt::format("'{}' must be a whole number from 0 to 2^64 - 1", text));
          },
          "Of the order of samples and of --init (default: 1)")
      ->type_name("N");
}

// "adam:0.002", "sgd:0.1" or, with momentum, "sgd:0.1:0.9"
void SetUpdate(const std::string& text, GradOptions& options) {
  using Kind = train::Optimizer::Kind;
  train::Optimizer made = {.kind = text.starts_with("adam:") ? Kind::kAdam : Kind::kSgd};
  const char* const end = text.data() + text.size();
  const auto read = [end](const char* from, float& number) {
    return std::from_chars(from, end, number);
  };
  auto found = read(text.data() + text.find(':') + 1, made.learning_rate);
  if (made.kind == Kind::kSgd && found.ec == std::errc() && found.ptr != end && *found.ptr == ':') {
    found = read(found.ptr + 1, made.momentum);
  }
  const bool is_rule = text.starts_with("adam:") || text.starts_with("sgd:");
  if (!is_rule || found.ec != std::errc() || found.ptr != end) {
    throw CLI::ValidationError(
        "--update", fmt::format("'{}' must be adam:RATE, sgd:RATE or sgd:RATE:MOMENTUM", text));
  }
  options.update = made;
}

std::string FailureMessage(const CLI::App* app, const CLI::Error& error) {
  std::string sentence = error.what();
  const std::vector<std::string> unknown = app->remaining();
  if (error.get_name() == "RequiredError" && app->get_parent() == nullptr && !unknown.empty()) {
    constexpr std::string_view kCommands[] = {"run",   "check",  "explain", "draw",    "grad",
                                              "train", "verify", "ops",     "devices", "bench"};
    sentence =
        fmt::format("'{}' is no command{}", unknown[0], model::Suggest(unknown[0], kCommands));
  }
  const std::vector<CLI::App*> given = app->get_subcommands();
  const std::string help =
      given.empty() ? "'anydml --help' for the commands"
                    : fmt::format("'anydml {} --help' for its options", given[0]->get_name());
  return fmt::format("anydml: {}\nRun {}.\n", Escaped(sentence), help);
}

class CommandLine {
 public:
  CommandLine() {
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.require_subcommand(1);
    app_.set_version_flag("--version", std::string("anydml ") + anydml_version());
    app_.footer(kExamples);
    app_.failure_message(FailureMessage);
    AddRun();
    AddCheck();
    AddExplain();
    AddDraw();
    AddGrad();
    AddTrain();
    AddVerify();
    AddOps();
    AddDevices();
    AddBench();
  }

  int Run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      std::ostringstream output, errors;
      const int result = app_.exit(error, output, errors);
      WriteOutput(output.str());
      WriteError(errors.str());
      return result == 0 ? kSuccess : kUsage;
    }
    return command_();
  }

 private:
  CLI::App* Add(const char* name, const char* purpose, const char* examples,
                std::function<int()> command) {
    CLI::App* added = app_.add_subcommand(name, purpose);
    added->footer(examples);
    added->callback([this, command = std::move(command)] { command_ = command; });
    return added;
  }

  void AddRun() {
    CLI::App* run = Add("run", "Run a model: its dispatches, prints and files, in order",
                        "Examples:\n  anydml run models/activation_relu_grad.json\n"
                        "  anydml run models/slice_grad.json --threads 1 --iterations 100",
                        [this] { return RunModel(run_); });
    AddModel(run, run_.model, run_.input_path);
    AddDevice(run, run_.device, run_.threads);
    AddLevel(run, run_.feature_level);
    AddOutputPath(run, run_.output_path);
    run->add_option("--iterations", run_.iterations, "Repeat each dispatch and time it")
        ->check(CLI::Range(1, 1000000000).description(""))
        ->type_name("N");
    run->add_flag("--tables", run_.tables, "Show the tensors of every dispatch as small tables");
  }

  void AddCheck() {
    CLI::App* check = Add("check", "Validate a model without running it",
                          "Example:\n  anydml check models/slice_grad.json --feature-level 3.0",
                          [this] { return CheckModel(check_); });
    AddModel(check, check_.model, check_.input_path);
    AddOutputPath(check, check_.output_path);
    AddLevel(check, check_.feature_level);
  }

  void AddExplain() {
    CLI::App* explain = Add("explain", "Show a model's descriptions, plans and chosen strategies",
                            "Example:\n  anydml explain models/max_pooling_grad.json",
                            [this] { return ExplainModel(explain_); });
    AddModel(explain, explain_.model, explain_.input_path);
    AddLevel(explain, explain_.feature_level);
  }

  void AddDraw() {
    CLI::App* draw =
        Add("draw", "Draw a small dispatch, where each element goes, or a model's graph, as SVG",
            "Examples:\n  anydml draw models/max_pooling_grad.json --taps\n"
            "  anydml draw models/slice_grad.json -o slice_grad.svg",
            [this] { return DrawModel(draw_); });
    AddModel(draw, draw_.model, draw_.input_path);
    draw->add_option("-o,--output", draw_.output, "The picture (default: standard output)")
        ->type_name("FILE.svg");
    draw->add_flag("--taps", draw_.taps,
                   "Show weights, and the elements of other inputs that arrows belong to");
    AddLevel(draw, draw_.feature_level);
  }

  void AddGrad() {
    CLI::App* grad =
        Add("grad", "Add the gradients of a value to a model, and a step of an optimizer",
            "Examples:\n  anydml grad models/linear_regression.json --loss loss --of w,b\n"
            "  anydml grad models/linear_regression.json --loss loss --of w,b --update adam:0.1 -o "
            "step.json",
            [this] { return DifferentiateModel(grad_); });
    AddModel(grad, grad_.model, grad_.input_path);
    grad->add_option("--loss", grad_.loss, "The resource to differentiate, of one element")
        ->required()
        ->type_name("NAME");
    grad->add_option("--of", grad_.of, "The resources to differentiate by; d.NAME is the gradient")
        ->required()
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,NAME...");
    grad->add_option("-o,--output", grad_.output, "The model (default: standard output)")
        ->type_name("OUT.json");
    grad->add_option_function<std::string>(
            "--update", [this](const std::string& text) { SetUpdate(text, grad_); },
            "Write the resources of --of anew: adam:RATE, sgd:RATE or sgd:RATE:MOMENTUM")
        ->type_name("RULE");
    CLI::Option* runner =
        grad->add_option("--for", grad_.runner,
                         "directml: with operators and settings that mean the same to Microsoft's")
            ->check(CLI::IsMember({"directml"}).description(""))
            ->type_name("directml");
    AddLevel(grad, grad_.feature_level);
    grad->get_option("--feature-level")
        ->needs(runner)
        ->description("Of --for: with operators of this level, such as 4.1 (default: the newest)");
  }

  void AddTrain() {
    CLI::App* train =
        Add("train", "Train: execute a model that is a step, with batches from files",
            "Examples:\n  anydml train step.json --steps 100 --save weights --log run.jsonl\n"
            "  anydml train step.json --steps 200 --save weights --from weights/100",
            [this] { return TrainModel(train_); });
    AddModel(train, train_.model, train_.input_path);
    train
        ->add_option("--feed", train_.feeds,
                     "An IDX or .npy file for a resource, whose first dimension counts samples; "
                     "once per resource")
        ->allow_extra_args(false)
        ->type_name("NAME=FILE");
    AddNumber(train, "--steps", train_.steps, "How many steps to make, with those before --from")
        ->required();
    AddDevice(train, train_.device, train_.threads);
    AddSeed(train, train_.seed);
    train
        ->add_option("--init", train_.initialized,
                     "Parameters whose first values follow from the seed (default: the model's)")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME,NAME...");
    train->add_option("--from", train_.from, "A checkpoint to go on from, such as weights/64")
        ->type_name("DIR");
    train->add_option("--save", train_.save, "Folder of the checkpoints, a folder each")
        ->required()
        ->type_name("DIR");
    AddNumber(train, "--every", train_.every, "Steps from checkpoint to checkpoint (default: 64)");
    train->add_option("--log", train_.log, "What 'anydml verify' reads")->type_name("RUN.jsonl");
  }

  void AddVerify() {
    CLI::App* verify = Add("verify", "Make steps of a logged training again, and compare bits",
                           "Example:\n  anydml verify run.jsonl --step 70 --device cpu",
                           [this] { return VerifyLog(verify_); });
    verify->add_option("log", verify_.log, "The log that 'anydml train' wrote")
        ->required()
        ->type_name("RUN.jsonl");
    AddNumber(verify, "--step", verify_.step,
              "A step: from the checkpoint before it to the next one all are made again")
        ->required();
    AddDevice(verify, verify_.device, verify_.threads);
  }

  void AddOps() {
    CLI::App* ops = Add("ops", "List the operators, or describe one",
                        "Examples:\n  anydml ops\n  anydml ops SLICE_GRAD --markdown\n"
                        "  anydml ops --json",
                        [this] { return ListOps(ops_); });
    ops->add_option("name", ops_.name, "An operator, such as SLICE_GRAD")->type_name("NAME");
    CLI::Option* json = ops->add_flag("--json", ops_.json, "As a JSON array; not with --markdown");
    ops->add_flag("--markdown", ops_.markdown, "As Markdown tables; not with --json")
        ->excludes(json);
  }

  void AddDevices() {
    Add("devices", "List the devices", "Example:\n  anydml devices", [] { return ListDevices(); });
  }

  void AddBench() {
    CLI::App* added = Add("bench", "Time the operators beside a copy of the same bytes",
                          "Examples:\n  anydml bench --filter MAX_POOLING_GRAD --list\n"
                          "  anydml bench --filter RELU_GRAD,2_to_the_10 --seconds 0.1",
                          [this] { return Benchmark(bench_); });
    bench::AddOptions(*added, bench_);
  }

  CLI::App app_{"AnyDML runs DirectML's training operators on any machine.", "anydml"};
  RunOptions run_;
  CheckOptions check_;
  ExplainOptions explain_;
  DrawOptions draw_;
  GradOptions grad_;
  TrainOptions train_;
  VerifyOptions verify_;
  OpsOptions ops_;
  bench::Options bench_;
  std::function<int()> command_;
};

// Where memory is missing in a destructor, no exception gets out. The command then
// ends as it does when one does.
[[noreturn]] void EndWithoutMemory() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kSentence = "anydml: there is not enough memory\n";
    [[maybe_unused]] const ssize_t written =
        write(STDERR_FILENO, kSentence.data(), kSentence.size());
    PartialFile::Remove();
    _exit(kFailure);
  } catch (...) {
  }
  std::abort();  // a defect
}

}  // namespace
}  // namespace anydml::tool

int main(int argc, char** argv) {
  // A file that grows too large is then a failed write, told in a sentence, with
  // nothing left behind.
  std::signal(SIGXFSZ, SIG_IGN);
  using namespace anydml::tool;
  std::set_terminate(EndWithoutMemory);
  anydml::ReserveStandardStreams();
  int result = kFailure;
  try {
    result = CommandLine().Run(argc, argv);
  } catch (const std::bad_alloc&) {
    Complain("there is not enough memory");
  } catch (const std::exception& error) {
    Complain("{}", error.what());
  }
  return FinishOutput() ? result : kFailure;
}
