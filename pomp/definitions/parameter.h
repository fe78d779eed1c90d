/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The texts behind pomp_parameter_*(): names of parameters and values that are strings. Each is
 * kept once, for ever, and is in the definitions log before an event refers to it.
 */
#ifndef PARAMETER_H
#define PARAMETER_H

#include "shared/trace-log.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_text {
	uint32_t type;   /* enum trace_log_text */
	uint32_t number; /* from 1, of its sort: names of parameters, or values */
	char text[];
};

struct pomp_texts {
	_Atomic(struct pomp_text_table *) table;
	struct pomp_text **entry; /* in the order of their making; under the process's lock */
	size_t count, capacity;
	uint32_t parameters, values; /* how many of each sort */
};

#endif
