// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
#include "faults/every_failure.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

namespace anydml::faults {
namespace {

constexpr unsigned kMaxSeconds = 60;  // that a child takes before it counts as hanging

// What a child tells its parent, in memory that both share.
struct Report {
  bool has_failed;
  Answer first, second;
  int64_t left_behind;  // allocations
};

class SharedReport {
 public:
  SharedReport()
      : report_(static_cast<Report*>(mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE,
                                          MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~SharedReport() { munmap(report_, sizeof(Report)); }
  SharedReport(const SharedReport&) = delete;
  SharedReport& operator=(const SharedReport&) = delete;
  Report* operator->() const { return report_; }

 private:
  Report* report_;
};

// Why a child did not end by itself; empty when it did.
std::string Abnormal(int status) {
  if (WIFSIGNALED(status)) return std::string("killed by ") + strsignal(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "exit code " + std::to_string(WEXITSTATUS(status));
}

// Without telling anybody: a library that hears of a fork may do with fewer threads
// after it, and this process has only one.
pid_t Fork() {
  return static_cast<pid_t>(syscall(SYS_clone, static_cast<long>(SIGCHLD), 0L, 0L, 0L, 0L));
}

// Runs the program after `fail`, then once more with nothing failing.
std::string RunInChild(const SharedReport& report, const std::function<void()>& prepare,
                       const std::function<void()>& fail, const Program& program) {
  std::fflush(nullptr);
  const pid_t child = Fork();
  if (child == 0) {
    alarm(kMaxSeconds);
    prepare();
    const int64_t before = LiveAllocations();
    fail();
    report->first = program();
    report->has_failed = HasFailed();
    StopFailing();
    report->second = program();
    report->left_behind = LiveAllocations() - before;
    _exit(0);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child ? Abnormal(status) : "no child";
}

class Campaign {
 public:
  Campaign(const std::string& name, const Program& program, const Options& options)
      : name_(name), program_(program), options_(options) {}

  void Run() {
    const std::string trouble = RunInChild(
        report_, options_.prepare, [] {}, program_);
    EXPECT_EQ(trouble, "") << name_ << " without failures";
    EXPECT_EQ(report_->first.verdict, Verdict::kDone) << name_ << ": " << report_->first.sentence;
    if (trouble.empty() && report_->first.verdict == Verdict::kDone) {
      normally_left_ = report_->left_behind;
      RunAll(Which::kOne);
      if (options_.also_all_from_there) RunAll(Which::kAllFromThere);
    }
    std::printf("%s: %lld allocations made to fail\n", name_.c_str(),
                static_cast<long long>(injected_));
  }

 private:
  void RunAll(Which which) {
    int64_t number = 1;
    while (RunOne(number, which)) {
      number += number < options_.every_one_up_to ? 1 : number / 8;
    }
    EXPECT_GT(number, 1) << name_;
  }

  // Whether there was an allocation with this number.
  bool RunOne(int64_t number, Which which) {
    const std::string trouble = RunInChild(
        report_, options_.prepare, [&] { FailAllocation(number, which, options_.threads); },
        program_);
    const std::string where = name_ + ", allocation " + std::to_string(number) +
                              (which == Which::kOne ? "" : " and all after it");
    EXPECT_EQ(trouble, "") << where;
    if (!trouble.empty() || !report_->has_failed) return false;
    ++injected_;
    EXPECT_NE(report_->first.verdict, Verdict::kOther) << where << ": " << report_->first.sentence;
    if (report_->first.verdict == Verdict::kOutOfMemory) {
      EXPECT_STRNE(report_->first.sentence, "") << where;
    }
    EXPECT_EQ(report_->second.verdict, Verdict::kDone) << where << ": " << report_->second.sentence;
    if (options_.counts_leaks) {
      EXPECT_LE(report_->left_behind, normally_left_) << where;  // the CUDA runtime keeps some
    }
    return true;
  }

  const std::string name_;
  const Program& program_;
  const Options options_;
  const SharedReport report_;
  int64_t normally_left_ = 0;
  int64_t injected_ = 0;
};

}  // namespace

Answer Answer::Of(Verdict verdict, std::string_view sentence) {
  Answer answer;
  answer.verdict = verdict;
  const size_t count = std::min(sentence.size(), sizeof answer.sentence - 1);
  std::copy_n(sentence.data(), count, answer.sentence);
  answer.sentence[count] = '\0';
  return answer;
}

void FailEverywhere(const std::string& name, const Program& program, const Options& options) {
  OpenCudaLibrary();
  Campaign(name, program, options).Run();
}

int64_t FailEveryThread(const std::string& name, const Program& program) {
  const SharedReport report;
  int64_t number = 1;
  for (; number < 100; ++number) {
    const std::string trouble = RunInChild(
        report, [] {}, [&] { FailThread(number); }, program);
    EXPECT_EQ(trouble, "") << name << ", thread " << number;
    if (!trouble.empty() || !report->has_failed) break;
    EXPECT_NE(report->first.verdict, Verdict::kOther)
        << name << ", thread " << number << ": " << report->first.sentence;
    EXPECT_EQ(report->second.verdict, Verdict::kDone)
        << name << ", thread " << number << ": " << report->second.sentence;
  }
  return number - 1;
}

}  // namespace anydml::faults
