/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between `ompinst run` and the library that it preloads into the program: one
 * environment variable, which all programs started from there inherit. Its value is
 *
 *   ROOT:RECORD:MODE:TOOL:PRELOAD
 *
 *   ROOT     the process that `ompinst run` became, which prints the findings (ten digits)
 *   RECORD   shared memory in which the other processes store their findings; 0: none. The library
 *            in ROOT creates it and writes its number over the ten digits in place
 *   MODE     RUN_AGENT_QUIET: print nothing; RUN_AGENT_SPEAKING: print; RUN_AGENT_EXPLAINED: a
 *            message explained why nothing is measured in ROOT, so only what is measured in other
 *            processes is worth a line
 *   TOOL     path of the measurement tool, first in OMP_TOOL_LIBRARIES
 *   PRELOAD  what `ompinst run` put into LD_PRELOAD, with colons
 *
 * No path in the value contains a blank or a colon, which LD_PRELOAD could not hold: a link
 * replaces such a folder.
 */
#ifndef SHARED_RUN_AGENT_H
#define SHARED_RUN_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Returns the folder in which the process started, or NULL. The measurement library uses it, which
 * a runtime loads with the first region. Only the preloaded library defines it.
 */
const char *ompinst_run_start_folder(void);

#define RUN_AGENT_VARIABLE  "OMPINST_RUN"
#define RUN_AGENT_FORMAT    "%010d:%010d:%c:%s:%s"
#define RUN_AGENT_QUIET     'q'
#define RUN_AGENT_SPEAKING  's'
#define RUN_AGENT_EXPLAINED 'e'

enum {
	RUN_AGENT_DIGITS = 10,
	RUN_AGENT_RECORD = RUN_AGENT_DIGITS + 1, /* offsets in the value */
	RUN_AGENT_MODE = 2 * (RUN_AGENT_DIGITS + 1),
	RUN_AGENT_TOOL = RUN_AGENT_MODE + 2,
};

/* Returns the size of the buffer for run_agent_merge(). */
static inline size_t run_agent_room(const char *theirs, const char *ours)
{
	return strlen(theirs) + strlen(ours) + 2;
}

/* Returns the index of the first OpenMP runtime in a list such as LD_PRELOAD, or the list's end. */
static inline size_t run_agent_runtime_in(const char *list)
{
	size_t at = 0;

	while (list[at] != '\0') {
		size_t length = strcspn(list + at, ": "), base = length;
		while (base > 0 && list[at + base - 1] != '/')
			base--;
		if (strncmp(list + at + base, "libgomp", 7) == 0 ||
		    strncmp(list + at + base, "libomp.", 7) == 0 ||
		    strncmp(list + at + base, "libiomp5", 8) == 0)
			return at;
		at += length;
		at += strspn(list + at, ": ");
	}
	return at;
}

/*
 * Composes LD_PRELOAD: our entries come after the user's, whose order can matter to them, but
 * before a runtime that ours is to replace. It does not allocate, because the library calls it
 * between vfork and exec.
 */
static inline void run_agent_merge(char *to, const char *theirs, const char *ours)
{
	size_t at = run_agent_runtime_in(theirs);

	to = (char *)mempcpy(to, theirs, at);
	if (at > 0 && theirs[at] == '\0')
		*to++ = ':';
	to = stpcpy(to, ours);
	if (theirs[at] != '\0')
		*to++ = ':';
	stpcpy(to, theirs + at);
}

#endif
