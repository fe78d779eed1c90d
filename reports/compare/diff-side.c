/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches the regions of runs, and combines several runs of one program. */
#include "diff-side.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "moved-lines.h"
#include "streams.h"

/* The regions to match, in any order. */
struct list {
	const struct summary_region **regions;
	size_t count;
};

/* What counts as the same region besides one at the same place. */
enum matching {
	MATCH_PLACES, /* nothing */
	MATCH_NAMES,  /* with the same name on another line, in their order */
	MATCH_MOVED,  /* a sampled line of a function that moved: not every line has samples */
};

static const char *text_of(const char *text)
{
	return text ? text : "";
}

/* Ignores folders: the two programs may have been built in different places. */
static int compare_names(const struct summary_region *one, const struct summary_region *other)
{
	int result = strcmp(summary_base_name(one->file), summary_base_name(other->file));

	if (result == 0)
		result = strcmp(text_of(one->name), text_of(other->name));
	return result ? result : strcmp(text_of(one->sub_name), text_of(other->sub_name));
}

static int compare_places(const struct summary_region *one, const struct summary_region *other)
{
	int result = compare_names(one, other);

	return result
		   ? result
		   : (one->begin_line > other->begin_line) - (one->begin_line < other->begin_line);
}

static int compare_indices(const void *left, const void *right, void *context)
{
	const struct list *list = context;
	size_t one = *(const size_t *)left, other = *(const size_t *)right;
	int result = compare_places(list->regions[one], list->regions[other]);

	return result ? result : (one > other) - (one < other);
}

static size_t *sorted(struct list *list)
{
	size_t *order = memory_new(list->count, sizeof(order[0]));

	for (size_t i = 0; i < list->count; i++)
		order[i] = i;
	qsort_r(order, list->count, sizeof(order[0]), compare_indices, list);
	return order;
}

/* Goes through both lists in their order and pairs equal regions that are not matched yet. */
static void pair(const struct list *a, const struct list *b, const size_t *order_a,
    const size_t *order_b, size_t *of_b, bool *taken,
    int (*compare)(const struct summary_region *, const struct summary_region *))
{
	size_t i = 0, j = 0;

	while (i < a->count && j < b->count) {
		size_t one = order_a[i], other = order_b[j];
		int result = compare(a->regions[one], b->regions[other]);

		if (taken[one]) {
			i++;
		} else if (of_b[other] != DIFF_UNMATCHED) {
			j++;
		} else if (result == 0) {
			of_b[other] = one;
			taken[one] = true;
		} else {
			*(result < 0 ? &i : &j) += 1;
		}
	}
}

/* Two lists of which functions are matched, and what was found. */
struct moving {
	const struct list *a, *b;
	const size_t *order_a, *order_b;
	size_t *of_b;
	bool *taken;
};

static void match_moved(void *context, size_t of_a, size_t of_b)
{
	struct moving *moving = context;

	moving->of_b[of_b] = of_a;
	moving->taken[of_a] = true;
}

/* The regions with the name of the one at `first` in the order. The caller frees the lines. */
static struct function_lines lines_of(const struct list *list, const size_t *order, size_t first)
{
	struct function_lines lines = {.count = 0};
	size_t end = first;

	while (end < list->count &&
	       compare_names(list->regions[order[first]], list->regions[order[end]]) == 0)
		end++;
	lines.lines = memory_new(end - first, sizeof(lines.lines[0]));
	for (size_t i = first; i < end; i++) {
		const struct summary_region *region = list->regions[order[i]];

		lines.lines[lines.count++] = (struct function_line){
		    .line = region->begin_line, .weight = region->time, .index = order[i]};
	}
	return lines;
}

static void match_functions(struct moving *moving)
{
	size_t i = 0, j = 0;

	while (i < moving->a->count && j < moving->b->count) {
		int result = compare_names(
		    moving->a->regions[moving->order_a[i]], moving->b->regions[moving->order_b[j]]);

		if (result != 0) {
			*(result < 0 ? &i : &j) += 1;
			continue;
		}
		struct function_lines a = lines_of(moving->a, moving->order_a, i);
		struct function_lines b = lines_of(moving->b, moving->order_b, j);

		match_moved_lines(a, b, match_moved, moving);
		i += a.count;
		j += b.count;
		free(a.lines);
		free(b.lines);
	}
}

static size_t *match_lists(struct list *a, struct list *b, bool *taken, enum matching matching)
{
	size_t *order_a = sorted(a), *order_b = sorted(b);
	size_t *of_b = memory_new(b->count, sizeof(of_b[0]));
	struct moving moving = {a, b, order_a, order_b, of_b, taken};

	for (size_t i = 0; i < b->count; i++)
		of_b[i] = DIFF_UNMATCHED;
	if (matching == MATCH_MOVED)
		match_functions(&moving);
	else
		pair(a, b, order_a, order_b, of_b, taken, compare_places);
	if (matching == MATCH_NAMES)
		pair(a, b, order_a, order_b, of_b, taken, compare_names);
	free(order_a);
	free(order_b);
	return of_b;
}

static struct list list_of_side(const struct diff_side *side)
{
	struct list list = {
	    memory_new(side->region_count, sizeof(list.regions[0])), side->region_count};

	for (size_t i = 0; i < list.count; i++)
		list.regions[i] = side->regions[i].region;
	return list;
}

static struct list list_of_run(const struct diff_side *side, size_t run)
{
	const struct summary *summary = &side->runs[run].summary;
	const struct summary_region *regions =
	    side->hot ? side->hot[run].regions : summary->regions;
	size_t count = side->hot ? side->hot[run].count : summary->region_count;
	struct list list = {memory_new(count, sizeof(list.regions[0])), count};

	for (size_t i = 0; i < list.count; i++)
		list.regions[i] = &regions[i];
	return list;
}

size_t *diff_match(const struct diff_side *a, const struct diff_side *b, bool *taken)
{
	struct list one = list_of_side(a), other = list_of_side(b);
	enum matching matching = !b->hot                    ? MATCH_NAMES
				 : b->hot_kind == HOT_LINES ? MATCH_MOVED
							    : MATCH_PLACES;
	size_t *of_b = match_lists(&one, &other, taken, matching);

	free(one.regions);
	free(other.regions);
	return of_b;
}

static size_t add_region(struct diff_side *side, const struct summary_region *region)
{
	struct diff_region *added;

	MEMORY_GROW(side->regions, side->region_room, side->region_count + 1);
	added = &side->regions[side->region_count];
	*added = (struct diff_region){
	    .region = region,
	    .times = memory_new(side->count, sizeof(added->times[0])),
	    .visits = memory_new(side->count, sizeof(added->visits[0])),
	    .waits = memory_new(side->count, sizeof(added->waits[0])),
	    .own = memory_new(side->count, sizeof(added->own[0])),
	    .counts = side->counts ? memory_new(side->count, sizeof(added->counts[0])) : NULL,
	};
	return side->region_count++;
}

/* Adds the region's counter value. */
static void add_count(struct diff_side *side, size_t run, size_t metric, size_t index,
    const struct summary_region *region)
{
	uint64_t count = region->metrics ? region->metrics[metric] : 0;

	if (count == SUMMARY_NOT_MEASURED)
		count = 0;
	side->regions[index].counts[run] = count;
	if (strcmp(text_of(region->name), "parallel") == 0)
		side->counts[run] += count;
}

/* Adds a run; regions that no earlier run has become new. metric: index of the compared counter. */
static void add_run(struct diff_side *side, size_t run, size_t metric)
{
	struct list known = list_of_side(side), own = list_of_run(side, run);
	bool *taken = memory_new(known.count, sizeof(taken[0]));
	size_t *known_of = match_lists(&known, &own, taken, side->hot ? MATCH_PLACES : MATCH_NAMES);

	side->walls[run] = side->runs[run].summary.wall;
	for (size_t i = 0; i < own.count; i++) {
		const struct summary_region *region = own.regions[i];
		size_t index =
		    known_of[i] == DIFF_UNMATCHED ? add_region(side, region) : known_of[i];

		side->regions[index].times[run] = region->time;
		side->regions[index].visits[run] = region->visits;
		side->regions[index].waits[run] =
		    summary_add(region->barrier_wait, region->enter_wait);
		side->regions[index].own[run] =
		    summary_add(region->self, side->regions[index].waits[run]);
		if (side->counts)
			add_count(side, run, metric, index, region);
	}
	free(known.regions);
	free(own.regions);
	free(taken);
	free(known_of);
}

/* Finds the counter's index in the run; -1 after a message. */
static int find_metric(struct diff_side *side, const struct summary *summary, const char *name,
    const char *path, size_t *metric)
{
	for (*metric = 0; *metric < summary->metric_count; (*metric)++) {
		if (strcmp(summary->metrics[*metric].name, name) != 0)
			continue;
		side->counts_time = strcmp(summary->metrics[*metric].unit, "ns") == 0;
		return 0;
	}
	fprintf(stream_messages(), "ompreport diff: %s: --measure='%s': the run has ", path, name);
	for (size_t i = 0; i < summary->metric_count; i++)
		fprintf(stream_messages(), "%s%s", i ? ", " : "only ", summary->metrics[i].name);
	fprintf(stream_messages(), "%s; expected runs with POMP_METRICS=%s\n",
	    summary->metric_count ? "" : "no counters", name);
	return -1;
}

static struct diff_side new_side(size_t count, const struct options *options)
{
	return (struct diff_side){
	    .walls = memory_new(count, sizeof(uint64_t)),
	    .count = count,
	    .counts = options->measure ? memory_new(count, sizeof(uint64_t)) : NULL,
	    .hot = options->hot != HOT_NONE ? memory_new(count, sizeof(struct hot_regions)) : NULL,
	    .hot_kind = options->hot,
	};
}

/* Adds a run that has been read. */
static int take_run(
    struct diff_side *side, size_t run, const char *path, const struct options *options)
{
	size_t metric = 0;

	if (side->hot && hot_regions_make(&side->hot[run], &side->runs[run], path, options) != 0)
		return 1;
	if (options->measure &&
	    find_metric(side, &side->runs[run].summary, options->measure, path, &metric) != 0)
		return 1;
	add_run(side, run, metric);
	return 0;
}

/* The option that a profile cannot obey, or NULL. */
static const char *option_of_events(const struct options *options)
{
	return options->hot == HOT_LINES             ? "--lines"
	       : options->hot == HOT_FUNCTIONS       ? "--functions"
	       : options->hot == HOT_PATHS           ? "--paths"
	       : options->thread                     ? "--thread"
	       : options->rank                       ? "--rank"
	       : options->from > 0                   ? "--from"
	       : options->to != SUMMARY_NOT_MEASURED ? "--to"
	       : options->min_duration > 0           ? "--min-duration"
						     : NULL;
}

/* Returns the exit status. */
static int read_run(
    struct diff_side *side, size_t run, const char *path, const struct options *options)
{
	const char *option = option_of_events(options);

	if (!profile_file_is(path))
		return report_read(&side->runs[run], path, options) != 0;
	if (option) {
		fprintf(stream_messages(),
		    "ompreport diff: %s: %s: a profile has only sums of all threads and the whole time; "
		    "expected archives\n",
		    path, option);
		return 2;
	}
	if (profile_file_read(&side->profiles[run], path) != 0)
		return 1;
	side->runs[run].summary = side->profiles[run].summary;
	side->runs[run].figures = side->profiles[run].figures;
	return 0;
}

int diff_side_read(
    struct diff_side *side, const char *const *paths, size_t count, const struct options *options)
{
	int status = 0;

	*side = new_side(count, options);
	side->runs = memory_new(count, sizeof(side->runs[0]));
	side->profiles = memory_new(count, sizeof(side->profiles[0]));
	for (size_t i = 0; i < count && status == 0; i++) {
		status = read_run(side, i, paths[i], options);
		if (status == 0)
			status = take_run(side, i, paths[i], options);
	}
	return status;
}

int diff_side_borrow(struct diff_side *side, const struct diff_side *other,
    const char *const *paths, const struct options *options)
{
	*side = new_side(other->count, options);
	side->runs = other->runs;
	side->profiles = other->profiles;
	side->borrows_runs = true;
	for (size_t i = 0; i < side->count; i++)
		if (take_run(side, i, paths[i], options) != 0)
			return 1;
	return 0;
}

void diff_side_finish(struct diff_side *side)
{
	for (size_t i = 0; i < side->count; i++) {
		if (side->hot)
			hot_regions_finish(&side->hot[i]);
		if (side->borrows_runs)
			continue;
		report_finish(&side->runs[i]);
		profile_file_free(&side->profiles[i]);
	}
	free(side->hot);
	for (size_t i = 0; i < side->region_count; i++) {
		free(side->regions[i].times);
		free(side->regions[i].visits);
		free(side->regions[i].waits);
		free(side->regions[i].own);
		free(side->regions[i].counts);
	}
	free(side->regions);
	free(side->walls);
	free(side->counts);
	if (side->borrows_runs)
		return;
	free(side->runs);
	free(side->profiles);
}

static int compare_values(const void *left, const void *right)
{
	const uint64_t *one = left, *other = right;

	return (*one > *other) - (*one < *other);
}

uint64_t diff_median(const uint64_t *values, size_t count)
{
	uint64_t *sorted_values = memory_new(count, sizeof(values[0])), low, high;

	memcpy(sorted_values, values, count * sizeof(values[0]));
	qsort(sorted_values, count, sizeof(values[0]), compare_values);
	low = sorted_values[(count - 1) / 2];
	high = sorted_values[count / 2];
	free(sorted_values);
	return low == SUMMARY_NOT_MEASURED || high == SUMMARY_NOT_MEASURED ? high
									   : low + (high - low) / 2;
}

uint64_t diff_spread(const uint64_t *values, size_t count)
{
	uint64_t least = UINT64_MAX, greatest = 0;

	for (size_t i = 0; i < count; i++) {
		least = values[i] < least ? values[i] : least;
		greatest = values[i] > greatest ? values[i] : greatest;
	}
	return count < 2 ? SUMMARY_NOT_MEASURED : greatest - least;
}
