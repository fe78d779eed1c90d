/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice about page faults. Samples show where they are, and where the program gets memory from the
 * kernel and gives it back; without samples only their number and what one costs are known.
 */
#include <inttypes.h>

#include "advice.h"
#include "common/blocked-rows.h"
#include "common/hot-rows.h"

/* Below this share of the kernel's time, page faults are not known to matter. */
#define FAULTS_MATTER 0.25

/*
 * From so many samples in page faults on, their share tells how long these take; and from so many
 * on, memory that goes back to the kernel would have samples there.
 */
#define SAMPLES_TELL   10
#define SAMPLES_EXCEED 50

#define KEEP_SETTINGS "MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=268435456"

enum { MEMORY_PLACE_SIZE = 64, WHERE_SIZE = 160, REMEDY_SIZE = 450 };

/* The places with a change of memory. */
struct places {
	const struct summary_memory *most; /* NULL: there are none */
	uint64_t samples, by_allocator;    /* by_allocator: the part of samples */
};

static struct places find_places(const struct summary *summary, enum summary_memory_change change)
{
	struct places places = {NULL, 0, 0};

	for (size_t i = 0; i < summary->memory_count; i++) {
		const struct summary_memory *row = &summary->memory[i];
		if (row->change != change)
			continue;
		if (!places.most && (row->file || row->function))
			places.most = row;
		places.samples += row->samples;
		places.by_allocator += row->by_allocator ? row->samples : 0;
	}
	return places;
}

static bool is_most(const struct places *places)
{
	return places->most && places->most->samples * 2 > places->samples;
}

static void write_place(char place[MEMORY_PLACE_SIZE], const struct summary_memory *row)
{
	const char *file = row->file ? summary_base_name(row->file) : "";

	if (row->line > 0)
		snprintf(place, MEMORY_PLACE_SIZE, "%.36s:%d", file, row->line);
	else
		snprintf(place, MEMORY_PLACE_SIZE, "%.50s%s%.40s",
		    row->function ? row->function : "", row->function ? " of " : "", file);
}

/* Returns the samples of all lines of the row's function. */
static uint64_t samples_of_function(const struct summary *summary, const struct summary_memory *row)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < summary->memory_count; i++) {
		const struct summary_memory *other = &summary->memory[i];
		if (other->change == row->change && other->function &&
		    strcmp(other->function, row->function) == 0)
			sum += other->samples;
	}
	return sum;
}

/* Returns the first row of the function with most samples, and their sum; NULL: none has a name. */
static const struct summary_memory *find_function(
    const struct summary *summary, enum summary_memory_change change, uint64_t *most)
{
	const struct summary_memory *found = NULL;

	*most = 0;
	for (size_t i = 0; i < summary->memory_count; i++) {
		const struct summary_memory *row = &summary->memory[i];
		uint64_t sum =
		    row->change == change && row->function ? samples_of_function(summary, row) : 0;
		if (sum > *most) {
			found = row;
			*most = sum;
		}
	}
	return found;
}

/*
 * Half a sentence about where most of the faults are, with a comma before: a line with more than
 * half of them, else a function with a third or more, else the construct.
 */
static void write_faulted(char *text, size_t size, const struct summary *summary,
    const struct places *faulted, const char *most)
{
	char place[MEMORY_PLACE_SIZE], share[SUMMARY_FIGURE_SIZE];
	const struct summary_memory *line = faulted->most;
	uint64_t samples;
	const struct summary_memory *function = find_function(summary, SUMMARY_FAULTED, &samples);

	snprintf(text, size, "%s", most);
	if (is_most(faulted)) {
		bool is_named = line->line > 0 && line->function;
		write_place(place, line);
		summary_format_share(share, summary_share(line->samples, faulted->samples));
		snprintf(text, size, ", %s of that in %s%s%.40s%s", share, place,
		    is_named ? " (" : "", is_named ? line->function : "", is_named ? ")" : "");
	} else if (function && samples * 3 >= faulted->samples) {
		write_place(place, function);
		summary_format_share(share, summary_share(samples, faulted->samples));
		snprintf(text, size, ", %s of that in %.40s (most in %s)", share,
		    function->function, place);
	}
}

/* Writes "allocated at PLACE (by WRAPPER) and freed at PLACE", as far as samples show it. */
static void write_life(
    char *text, size_t size, const struct places *allocated, const struct places *released)
{
	bool by_allocator = released->by_allocator * 2 > released->samples;
	const char *verbs[] = {
	    by_allocator ? "allocated" : "mapped", by_allocator ? "freed" : "unmapped"};
	const struct places *both[] = {allocated, released};
	char place[MEMORY_PLACE_SIZE], by[BLOCKED_WRAPPER_SIZE];
	size_t length = 0;

	text[0] = '\0';
	for (int i = 0; i < 2 && length < size; i++) {
		if (!both[i]->most)
			continue;
		write_place(place, both[i]->most);
		blocked_wrapper_text(by, " (by ", &both[i]->most->by, ")");
		length += (size_t)snprintf(text + length, size - length, "%s%s at %s%s%s",
		    length > 0 ? " and " : "", verbs[i], place, by,
		    is_most(both[i]) ? "" : " and elsewhere");
	}
}

/* What to do, as far as samples show where the memory comes from and goes to. */
static void write_remedy(char *text, size_t size, const struct summary *summary, uint64_t samples)
{
	struct places allocated = find_places(summary, SUMMARY_ALLOCATED);
	struct places released = find_places(summary, SUMMARY_RELEASED);
	char life[300];

	if (released.most) {
		write_life(life, sizeof(life), &allocated, &released);
		snprintf(text, size, "The memory is %s, and goes back to the kernel there: %s",
		    life,
		    released.by_allocator * 2 > released.samples ? "keep it, or try " KEEP_SETTINGS
								   "."
								 : "keep it.");
	} else if (samples >= SAMPLES_EXCEED) {
		snprintf(text, size,
		    "No sample shows memory going back to the kernel, so these are first uses of "
		    "pages: use less memory, or larger pages "
		    "(GLIBC_TUNABLES=glibc.malloc.hugetlb=1 for memory of malloc).");
	} else {
		snprintf(text, size,
		    "Memory that is freed and allocated again may have gone back to the kernel "
		    "meanwhile: keep it, or try " KEEP_SETTINGS ".");
	}
}

/* By samples: false if there are too few, or page faults take little of the kernel's time. */
static bool write_sampled(const struct summary *summary, const char *most, char *text)
{
	struct places faulted = find_places(summary, SUMMARY_FAULTED);
	double share = summary_share(faulted.samples, summary->samples);
	uint64_t time = (uint64_t)(share * (double)summary->processor_time);
	char taken[SUMMARY_FIGURE_SIZE], part[SUMMARY_FIGURE_SIZE], count[SUMMARY_FIGURE_SIZE];
	char where[WHERE_SIZE], remedy[REMEDY_SIZE];

	if (faulted.samples < SAMPLES_TELL ||
	    (double)time < FAULTS_MATTER * (double)summary->system)
		return false;
	write_faulted(where, sizeof(where), summary, &faulted, most);
	write_remedy(remedy, sizeof(remedy), summary, faulted.samples);
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "Page faults take %s (%s of the processor time)%s: %s of them. %s",
	    summary_format_time(taken, time), summary_format_share(part, share), where,
	    summary_format_count(count, summary->faults), remedy);
	return true;
}

bool advice_write_faults(const struct summary *summary, const char *time, const char *share,
    const char *most, char *text)
{
	double least = summary->fault_cost == SUMMARY_NOT_MEASURED
			   ? 0
			   : (double)summary->faults * (double)summary->fault_cost;
	char faults[SUMMARY_FIGURE_SIZE], taken[SUMMARY_FIGURE_SIZE], remedy[REMEDY_SIZE];

	if (write_sampled(summary, most, text))
		return true;
	if (least < FAULTS_MATTER * (double)summary->system)
		return false;
	if (least > (double)summary->system)
		least = (double)summary->system;
	write_remedy(remedy, sizeof(remedy), summary, 0);
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "Page faults take at least %s of the %s that the kernel works (%s of the processor "
	    "time)%s: %s of them. %s",
	    summary_format_time(taken, (uint64_t)least), time, share, most,
	    summary_format_count(faults, summary->faults), remedy);
	return true;
}
