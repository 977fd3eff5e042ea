/*===----------------------------------------------------------------------===*\
|* Part of the tile compiler, under Apache License v2.0 with LLVM Exceptions. *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
\*===----------------------------------------------------------------------===*/
/* What the static libraries of Debian 12 expect of glibc 2.36, for glibc 2.28.
 * All of it is hidden, so only the library that it is linked into uses it. */

#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

#define HIDDEN __attribute__((visibility("hidden")))

/* glibc 2.36. */
HIDDEN uint32_t arc4random(void) {
  uint32_t number;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    abort();
  return number;
}

/* glibc 2.33. LLVM asks for the allocated bytes, in statistics alone. */
HIDDEN struct mallinfo2 mallinfo2(void) {
  struct mallinfo2 none = {0};
  return none;
}

/* glibc 2.32. Without it, reference counts of libstdc++ are atomic. */
HIDDEN char __libc_single_threaded = 0;

/* glibc 2.35. libgcc_eh finds the unwind tables of a function by it and by
 * nothing else: a function that finds none makes each Rust panic an abort. */
struct Object {
  unsigned long long flags;
  void *start, *end;
  struct link_map *map;
  void *eh_frame_header;
  unsigned long long reserved[7];
};

struct Search {
  uintptr_t address;
  struct Object *result;
};

static int is_object(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct Search *search = data;
  uintptr_t start = UINTPTR_MAX, end = 0, header = 0;
  int contains = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    uintptr_t first = info->dlpi_addr + segment->p_vaddr;
    uintptr_t last = first + segment->p_memsz;
    if (segment->p_type == PT_GNU_EH_FRAME)
      header = first;
    if (segment->p_type != PT_LOAD)
      continue;
    start = first < start ? first : start;
    end = last > end ? last : end;
    contains |= first <= search->address && search->address < last;
  }
  if (!contains || !header)
    return 0;
  struct Object *object = search->result;
  object->flags = 0;
  object->start = (void *)start;
  object->end = (void *)end;
  object->map = NULL;
  object->eh_frame_header = (void *)header;
  return 1;
}

HIDDEN int find_object(void *address, void *result) __asm__("_dl_find_object");
HIDDEN int find_object(void *address, void *result) {
  struct Search search = {(uintptr_t)address, result};
  return dl_iterate_phdr(is_object, &search) == 1 ? 0 : -1;
}
