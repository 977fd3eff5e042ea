/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* A command of a wheel: becomes the tool of its name in the package mlir_tile,
   which pip has installed under the same prefix. A script in Python would take
   longer to start than the tool.

     PREFIX/bin/tile-opt
     PREFIX/lib/python3.11/site-packages/mlir_tile/_native/bin/tile-opt

   It runs with older versions of glibc than the tools, so that it can say what
   they need. */

#include <dirent.h>
#include <gnu/libc-version.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The program's file, whose last component is the tool's name. */
static char self[PATH_MAX];
static char **arguments;

/* Becomes the tool of the package in a folder, if there is one. */
static void become(const char *packages) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s/mlir_tile/_native/bin/%s",
                        packages, strrchr(self, '/') + 1);
  if (length >= (int)sizeof path || access(path, X_OK))
    return;
  arguments[0] = path;
  execv(path, arguments);
}

/* Looks in the packages of every Python of a folder of libraries. */
static void search(const char *libraries) {
  DIR *folder = opendir(libraries);
  if (!folder)
    return;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strncmp(entry->d_name, "python3", 7))
      continue;
    char packages[PATH_MAX];
    static const char *const KINDS[] = {"site-packages", "dist-packages"};
    for (int kind = 0; kind < 2; ++kind) {
      int length = snprintf(packages, sizeof packages, "%s/%s/%s", libraries,
                            entry->d_name, KINDS[kind]);
      if (length < (int)sizeof packages)
        become(packages);
    }
  }
  closedir(folder);
}

int main(int argc, char **argv) {
  (void)argc;
  int major = 0, minor = 0;
  const char *version = gnu_get_libc_version();
  sscanf(version, "%d.%d", &major, &minor);
  if (major < 2 || (major == 2 && minor < 28)) {
    fprintf(stderr, "error: the wheel needs glibc 2.28 or later, and this is glibc %s\n", version);
    return 1;
  }
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  char prefix[PATH_MAX], libraries[PATH_MAX + 8];
  arguments = argv;
  if (length > 0) {
    snprintf(prefix, sizeof prefix, "%s", self);
    for (int up = 0; up < 2; ++up) {
      char *slash = strrchr(prefix, '/');
      if (slash)
        *slash = 0;
    }
    snprintf(libraries, sizeof libraries, "%s/lib", prefix);
    search(libraries);
    snprintf(libraries, sizeof libraries, "%s/lib64", prefix);
    search(libraries);
    /* pip install --target PREFIX */
    become(prefix);
  }
  fprintf(stderr, "error: there is no package mlir_tile that runs under %s: install it again\n", length > 0 ? prefix : "/proc/self/exe");
  return 1;
}
