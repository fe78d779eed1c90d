/* SPDX-License-Identifier: BSD-3-Clause */
/* What /proc says of a process as a whole. */
#ifndef PROCESS_FACTS_H
#define PROCESS_FACTS_H

#include "rank-facts.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_NAME_SIZE = 256 };

struct process_facts {
	pid_t process;
	uid_t owner;    /* whose rights it has */
	uint64_t start; /* ticks after the machine's; with the number it identifies the process */
	struct rank_facts rank;
	char command[PROCESS_NAME_SIZE]; /* the file name of the program, then its words */
};

/* False: there is no such process. The number of a thread stands for its process. */
bool process_facts_read(pid_t number, struct process_facts *facts);

/* What the kernel says when it may not be read (an errno), in words (heap or NULL). */
char *process_refusal(const struct process_facts *facts, int problem);

/* Returns whether the program is called so: its file's name, or the kernel's name of the process.
 */
bool process_has_name(const struct process_facts *facts, const char *name);

/* Seconds since the process has started. */
double process_age(const struct process_facts *facts);

#endif
