/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks once, before anything can have been bound. */
#include "processors.h"

#include <stdbool.h>
#include <stddef.h>

static cpu_set_t at_start;
static bool known;

__attribute__((constructor)) static void note_processors(void)
{
	known = sched_getaffinity(0, sizeof(at_start), &at_start) == 0;
}

unsigned pomp_processors_count(void)
{
	return known ? (unsigned)CPU_COUNT(&at_start) : 0;
}

const cpu_set_t *pomp_processors(void)
{
	return known ? &at_start : NULL;
}
