// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Sentences that are longer than the memory for them.
#include "base/last_error.h"

#include <gtest/gtest.h>

#include <string>

namespace anydml {
namespace {

constexpr size_t kRoom = sizeof LastErrorText::bytes - 1;

TEST(LastError, KeepsWhatThereIsRoomFor) {
  const std::string all(kRoom, 'x');
  SetLastError(all);
  EXPECT_EQ(LastErrorOfThread(), all);
}

TEST(LastError, SaysThatASentenceIsCut) {
  SetLastError(std::string(kRoom + 1, 'x'));
  EXPECT_EQ(LastErrorOfThread(), std::string(kRoom - 3, 'x') + "...");
  SetLastError({LastErrorOfThread(), ": ", "more"});
  EXPECT_EQ(LastErrorOfThread(), std::string(kRoom - 3, 'x') + "...");
}

// U+20AC, three bytes, and U+1F600, four, at every place of the cut.
TEST(LastError, CutsBetweenCharacters) {
  for (const std::string character : {"\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    for (size_t shift = 0; shift < 8; ++shift) {
      std::string sentence(shift, 'x');
      while (sentence.size() <= kRoom) sentence += character;
      SetLastError({sentence, sentence});
      const size_t whole = (kRoom - 3 - shift) / character.size() * character.size();
      EXPECT_EQ(LastErrorOfThread(), sentence.substr(0, shift + whole) + "...") << shift;
    }
  }
}

}  // namespace
}  // namespace anydml
