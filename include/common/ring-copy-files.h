/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the rings of a running program into another folder, from which a trace can be made. */
#ifndef COMMON_RING_COPY_FILES_H
#define COMMON_RING_COPY_FILES_H

#include <stdbool.h>
#include <stdint.h>

enum ring_copy_result {
	RING_COPIED,
	RING_UNDEFINED,   /* there is no definitions log, or it is of another version */
	RING_NOT_WRITTEN, /* errno says why */
	RING_NONE,        /* no thread's log is a ring */
};

struct ring_copy {
	unsigned seconds; /* set by the caller: how far back; 0: everything */
	/* What was copied, and what is being copied: also valid if the copying is left by a signal.
	 */
	unsigned long threads;
	char name[256];
	/*
	 * ns from the first event of the copy to the time from which on it has the events of all
	 * threads; 0 if it has them from the first one on.
	 */
	uint64_t gap;
	/*
	 * Threads that were so fast that they overwrote all events before the end of the copy while
	 * others were copied: it has none of theirs.
	 */
	unsigned long overwritten;
};

/*
 * Copies from one folder (a descriptor) to another, which is empty. Files that are not this user's,
 * and symbolic links, are left alone. The files are mapped: one that is made shorter meanwhile is a
 * SIGBUS.
 */
enum ring_copy_result ring_copy_files(int from, int to, struct ring_copy *copy);

/* Removes the files in the folder (a descriptor, which is closed), and the folder. */
void ring_copy_remove(int folder, const char *path);

/* Returns whether the folder is this user's alone. */
bool ring_copy_is_private(int folder);

#endif
