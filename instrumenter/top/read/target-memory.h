/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of another process, read while that runs: it is not stopped, and gets no signal. What
 * is read may be in the middle of a change. Pages are kept until target_memory_begin(), so that
 * many small reads cost one system call; the bytes that may be read until the next begin are
 * bounded.
 */
#ifndef TARGET_MEMORY_H
#define TARGET_MEMORY_H

#include "common/live-profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
	TARGET_PAGE_BYTES = 4096,
	TARGET_PAGES = 64,
	/* From one begin to the next: walks over a million tasks take about this. */
	TARGET_MOST_BYTES = 1 << 28,
};

struct target_page {
	uint64_t start; /* 0: empty */
	unsigned char bytes[TARGET_PAGE_BYTES];
};

struct target_memory {
	pid_t process;
	/* Reads it; returns 0 or an errno. target_memory_init() sets process_vm_readv(2). */
	int (*fetch)(
	    const struct target_memory *memory, uint64_t address, void *buffer, size_t bytes);
	int problem; /* errno of the last read that failed: EPERM, ESRCH, EFAULT; 0: none */
	uint64_t left;
	struct target_page *pages; /* TARGET_PAGES */
};

/* False: no memory. */
bool target_memory_init(struct target_memory *memory, pid_t process);

/* Forgets the pages, and what was read so far. */
void target_memory_begin(struct target_memory *memory);

/* False, with `problem`, if not all could be read. */
bool target_memory_read(struct target_memory *memory, uint64_t address, void *buffer, size_t bytes);

/* Reads what is there now, in one system call if possible; count is at most LIVE_MOST_PARTS. */
bool target_memory_read_now(
    struct target_memory *memory, const struct live_part *parts, size_t count);

void target_memory_finish(struct target_memory *memory);

#endif
