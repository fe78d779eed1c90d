/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of POMP_FILTERING_FILE: which regions are not measured, or only if a visit takes long.
 * The rules are applied to a region when it is registered, and again when they change.
 */
#ifndef REGION_FILTER_H
#define REGION_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct pomp_region;

/*
 * What is left out of a region: 0: nothing, POMP_FILTER_ALL: everything, otherwise visits in the
 * trace that are shorter than this many ticks.
 */
#define POMP_FILTER_ALL UINT64_MAX

struct pomp_filter {
	struct pomp_filter_rule *rules;
	size_t rule_count, rule_capacity;
	bool has_durations;
	double tick; /* nanoseconds per tick, as exact as a filter needs */
};

/* Written at the start, then under the process lock, with which it is read. */
extern struct pomp_filter pomp_filter __attribute__((visibility("hidden")));

/*
 * Reads the file. Errors in it are reported on `messages`, the first lines one by one, and ignored.
 * A file that is not text, or has mostly wrong lines, is not read to its end.
 */
void pomp_filter_read(struct pomp_filter *filter, const char *path, FILE *messages);

/*
 * The same while the program runs: of a plain file of at most 1 MB, because nobody may have to wait
 * for it. Returns 0, or an errno with one line on `messages`; then there are no rules.
 */
int pomp_filter_read_plain(struct pomp_filter *filter, const char *path, FILE *messages);

/* Frees the rules. */
void pomp_filter_free(struct pomp_filter *filter);

/* Returns what the rules leave out of the region. `tick` is nanoseconds per tick. */
uint64_t pomp_filter_evaluate(
    const struct pomp_filter *filter, const struct pomp_region *region, double tick);

#endif
