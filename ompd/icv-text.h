/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of internal control variables as text, in the format of the environment. */
#ifndef OMPD_ICV_TEXT_H
#define OMPD_ICV_TEXT_H

#include "target.h"
#include "debugger-text.h"

/* A number and its word; tables end in NULL. A number without a word is printed as a number. */
struct icv_word {
	int64_t value;
	const char *word;
};

extern const struct icv_word icv_bool_words[], icv_bind_words[], icv_schedule_words[],
    icv_wait_words[], icv_offload_words[], icv_allocator_words[];

void icv_add_word(struct text *text, const struct icv_word *words, int64_t value);

/*
 * A list from OMP_NUM_THREADS or OMP_PROC_BIND, for a task with these variables. The task's own
 * copy contains the first element. `words` are the elements' words, or NULL: they are numbers.
 */
struct icv_list {
	enum target_field_id list;  /* a field of the process */
	enum target_field_id first; /* a field of the task's variables */
	const struct icv_word *words;
};

/* Returns how many elements are left, at least 1; *rest is the address of those after the first. */
uint64_t icv_list_rest(
    struct reader *reader, const struct icv_list *list, ompd_addr_t icvs, ompd_addr_t *rest);

void icv_add_list(
    struct reader *reader, const struct icv_list *list, ompd_addr_t icvs, struct text *text);
void icv_add_schedule(struct reader *reader, ompd_addr_t icvs, struct text *text);
void icv_add_partition(struct reader *reader, ompd_addr_t icvs, struct text *text);

#endif
