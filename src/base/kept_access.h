// SPDX-FileCopyrightText: 2026 The AnyDML authors
// SPDX-License-Identifier: MIT
//
// Who may do what with a file that takes the place of another: those who might
// before, and nobody else.
#pragma once

#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace anydml {

// What everybody may: the owner, the group and all others.
inline mode_t CommonBits(mode_t mode) { return (mode >> 6) & (mode >> 3) & mode & 07; }

// Whether a list of users (an ACL) says more about a file than its mode; also where
// nobody can tell. Lists are asked for by names alone: this one leads through the
// descriptor of the folder.
inline bool HasList(int folder, const std::string& name, const char* list) {
  char path[320];  // names have at most 255 bytes
  std::snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name.c_str());
  if (lgetxattr(path, list, nullptr, 0) >= 0) return true;
  return errno != ENODATA && errno != ENOTSUP;
}

// `file` is new, this process's own and nobody else's yet; `old` has the name that it
// will get in the folder. False where the system refuses.
//
// The owner and the group stay, where this process may give files away. Where they do
// not, others belong to the group or to nobody than before, and get what all had. The
// same where a list of users says more than the mode; that of the folder says nothing
// here. Bits beyond 0777 go: a new content gets no other user's rights.
inline bool KeepAccess(int file, int folder, const std::string& name, const struct stat& old) {
  constexpr char kList[] = "system.posix_acl_access";
  fremovexattr(file, kList);
  bool same = fchown(file, old.st_uid, old.st_gid) == 0;
  if (HasList(folder, name, kList)) same = false;
  const mode_t common = CommonBits(old.st_mode);
  const mode_t mode = same ? old.st_mode & 0777 : (old.st_mode & 0700) | common << 3 | common;
  return fchmod(file, mode) == 0;
}

}  // namespace anydml
