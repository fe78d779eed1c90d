/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes memory from the kernel by large pieces, whose untouched pages cost nothing, so that the
 * program's own allocator sees nothing of it.
 */
#include "record-memory.h"

#include "spin-lock.h"

#include "shared/processor.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PIECE = 4 << 20, ALWAYS = 16 << 20, PAGE = 4096 };

/* Under the lock. */
static struct {
	struct spin_lock lock;
	char *at, *end;
	size_t taken;
	_Atomic int is_full;
} memory;

/* The process's resident memory, in bytes; 0: unknown. */
static size_t resident(void)
{
	char text[128];
	int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t length = file >= 0 ? read(file, text, sizeof text - 1) : 0;

	if (file >= 0)
		close(file);
	if (length <= 0)
		return 0;
	text[length] = '\0';
	char *second = text;
	strtoul(text, &second, 10);
	return strtoul(second, NULL, 10) * PAGE;
}

/* The program may have twice as much as its records, which are part of what is resident. */
static int may_grow(void)
{
	return memory.taken < ALWAYS || memory.taken * 3 < resident();
}

static void *take_piece(void)
{
	void *piece = may_grow() ? mmap(NULL, PIECE, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
				 : MAP_FAILED;

	if (piece == MAP_FAILED) {
		store_relaxed(&memory.is_full, 1);
		return NULL;
	}
	memory.taken += PIECE;
	return piece;
}

void *record_memory_take(size_t size)
{
	void *taken = NULL;

	if (load_relaxed(&memory.is_full))
		return NULL;
	size = (size + PROCESSOR_APART - 1) / PROCESSOR_APART * PROCESSOR_APART;
	spin_lock_take(&memory.lock);
	if ((size_t)(memory.end - memory.at) < size) {
		memory.at = take_piece();
		memory.end = memory.at != NULL ? memory.at + PIECE : NULL;
	}
	if (memory.at != NULL) {
		taken = memory.at;
		memory.at += size;
	}
	spin_lock_give(&memory.lock);
	return taken;
}
