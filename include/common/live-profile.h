/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a measured process has counted so far, read from its memory while it goes on: libpomp.so
 * exports these functions, so that the same code makes the summary while the process runs and at
 * its end. The process that is read has no part in it.
 *
 * A reader loads the libpomp.so of its own installation with POMP_DISABLE set. Only one thread at a
 * time may read. Whatever the memory contains, a read ends, and its results are numbers and texts
 * without meaning at worst.
 */
#ifndef COMMON_LIVE_PROFILE_H
#define COMMON_LIVE_PROFILE_H

#include "common/summary.h"
#include "shared/code-names.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LIVE_PROFILE_SYMBOL  "pomp_live_profile"
#define LIVE_PROFILE_VERSION 2

enum live_result {
	LIVE_READ,
	LIVE_OTHER_VERSION, /* its libpomp is not laid out as the reader's */
	LIVE_NOT_STARTED,   /* it has not begun to measure */
	LIVE_OFF,           /* it measures nothing (POMP_DISABLE), or has no profile */
	LIVE_OVER,          /* its measurement has ended */
	LIVE_UNREADABLE,    /* its memory cannot be read, or makes no sense */
	LIVE_NO_MEMORY,     /* of the reader */
	LIVE_UNSTEADY,      /* at each attempt a thread ended, and its sums moved meanwhile */
	LIVE_OTHER_TIME,    /* its CLOCK_MONOTONIC is not the reader's; of the caller of read() */
};

/* Bytes of the process, and where they go. */
struct live_part {
	uint64_t address;
	void *buffer;
	size_t bytes;
};
enum { LIVE_MOST_PARTS = 256 }; /* of a read */

/* A process, and how to read it. */
struct live_source {
	void *context;
	/*
	 * Reads the memory as it is now, part after part and as fast as possible; all bytes, or
	 * false.
	 */
	bool (*read)(void *context, const struct live_part *parts, size_t count);
	/*
	 * Names code that was not instrumented, as the program itself does at its end; the same at
	 * each read. The module is what the memory says. NULL: all is known by file and offset.
	 */
	void (*name)(void *context, const struct code_question *question, struct code_name *name);
	uint64_t table; /* address of its pomp_debug_table */
	/* What the kernel has counted of the process since it began: ns, ns, faults. */
	bool usage_is_known;
	uint64_t ran, system, faults;
};

struct live_profile {
	struct summary summary; /* its texts are in `memory` */
	void *memory;
	uint64_t start; /* of the measurement, on CLOCK_MONOTONIC in ns: which one it is */
	uint64_t torn;  /* threads whose sums changed at each attempt to read them */
};

/*
 * The samples so far at the end of one call path of a thread, of which tree and node are the name.
 */
struct live_sample {
	uint32_t tree, node;
	uint32_t count;
	bool waits;       /* the thread waited in OpenMP */
	uint64_t address; /* of the code; no address if bits above 2^56 are set */
};

struct live_samples {
	struct live_sample *items; /* by tree and node, each once */
	size_t count;
	uint64_t rate; /* in a second of a thread's processor time; 0: none are taken */
	bool is_part;  /* there are more than are read */
};

struct live_profile_functions {
	uint64_t version; /* LIVE_PROFILE_VERSION */
	/* LIVE_READ: release() must follow. */
	enum live_result (*read)(const struct live_source *source, struct live_profile *profile);
	void (*release)(struct live_profile *profile);
	/* A summary as bytes (heap), and back; the texts of what was read stay in the bytes. */
	void *(*pack)(struct summary *summary, size_t *bytes);
	bool (*unpack)(struct summary *summary, char *packed, size_t bytes);
	void (*release_unpacked)(struct summary *summary);
	/* LIVE_READ: release_samples() must follow. */
	enum live_result (*read_samples)(
	    const struct live_source *source, struct live_samples *samples);
	void (*release_samples)(struct live_samples *samples);
};

#endif
