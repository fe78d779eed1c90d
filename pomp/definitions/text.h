/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The texts behind pomp_parameter_*(): names of parameters and values that are strings. Each is
 * kept once, for ever, and is in the definitions log before an event refers to it.
 */
#ifndef TEXT_H
#define TEXT_H

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

extern struct pomp_texts pomp_texts __attribute__((visibility("hidden")));

/* The number of a text, made on first sight; 0, the unknown one, when memory ran out. */
uint32_t pomp_text_number(enum trace_log_text type, const char *content);

/* Writes all texts into the definitions log. Process lock held. */
void pomp_texts_define(void);

#endif
