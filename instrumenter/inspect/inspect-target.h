/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be looked at: processes, or a core file and perhaps its program. */
#ifndef INSPECT_TARGET_H
#define INSPECT_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { INSPECT_MOST_PROCESSES = 256 };

struct inspect_target {
	pid_t process;                            /* 0: a core file */
	pid_t others[INSPECT_MOST_PROCESSES - 1]; /* ranks of the same program */
	size_t other_count;
	const char *core;    /* its path, or NULL */
	const char *program; /* that the core file is of, or NULL: it says so itself */
};

/*
 * Reads the words behind the options. False with *error (heap, or NULL if memory ran out) if there
 * is nothing to look at.
 */
bool inspect_target_read(const char *const *words, struct inspect_target *target, char **error);

/*
 * Why a debugger may not look at the process, if the kernel's settings tell (heap), or NULL: to be
 * asked after it could not.
 */
char *inspect_target_refusal(const struct inspect_target *target);

/* The same of the setting in that file, for root or another user. */
char *inspect_scope_refusal(const char *setting, bool is_root);

#endif
