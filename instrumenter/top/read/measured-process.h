/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that libpomp measures, and its profile so far, by the functions of this installation's
 * libpomp (common/live-profile.h). The process is not stopped and has no part in it.
 */
#ifndef MEASURED_PROCESS_H
#define MEASURED_PROCESS_H

#include "loaded-modules.h"
#include "process-facts.h"
#include "common/live-profile.h"
#include "place-names.h"
#include "target-memory.h"

/* The library that reads profiles. */
struct profile_library {
	void *handle; /* NULL: it was not loaded */
	const struct live_profile_functions *functions;
};

/* False with *error (heap, or NULL if memory ran out). */
bool profile_library_open(struct profile_library *library, const char *path, char **error);
void profile_library_close(struct profile_library *library);

/* The address of libpomp's table in the process, or 0; memory->problem says why if it is EPERM. */
uint64_t measured_table(struct target_memory *memory, const struct loaded_modules *modules);

/*
 * Reads the profile. LIVE_READ: the functions' release() must follow, and the summary has no name
 * of the program. Code that was not instrumented is named as at the end.
 */
enum live_result measured_read(const struct profile_library *library, struct target_memory *memory,
    struct place_names *names, uint64_t table, struct live_profile *profile);

/*
 * Reads the samples so far, of one begin of the memory. LIVE_READ: release_samples() must follow.
 */
enum live_result measured_read_samples(const struct profile_library *library,
    struct target_memory *memory, uint64_t table, struct live_samples *samples);

/* What a result other than LIVE_READ says of a process, as in "process 12 ...". */
const char *measured_problem(enum live_result result);

#endif
