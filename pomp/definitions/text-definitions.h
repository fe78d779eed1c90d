/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The texts for pomp_parameter_*(): names of parameters, and string values. Each is kept once and
 * never freed, and is in the definitions log before an event refers to it.
 */
#ifndef TEXT_DEFINITIONS_H
#define TEXT_DEFINITIONS_H

#include "shared/trace-log.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct pomp_text {
	uint32_t type;   /* enum trace_log_text */
	uint32_t number; /* from 1, separately for names of parameters and for values */
	char text[];
};

struct pomp_texts {
	_Atomic(struct pomp_text_table *) table;
	struct pomp_text **entry; /* in the order of creation; under the process lock */
	size_t count, capacity;
	uint32_t parameters, values; /* how many of each sort */
};

extern struct pomp_texts pomp_texts __attribute__((visibility("hidden")));

/* Returns the number of a text, made when first seen; 0 (unknown) when memory ran out. */
uint32_t pomp_text_number(enum trace_log_text type, const char *content);

/* Writes all texts into the definitions log. Process lock held. */
void pomp_texts_define(void);

#endif
