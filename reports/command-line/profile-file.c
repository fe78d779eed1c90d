/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the members of a profile that comparing runs needs, by tables of their keys; all others are
 * left out. What is no number counts as not measured.
 */
#include "profile-file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/json-reader.h"
#include "memory.h"
#include "shared/read-text.h"
#include "streams.h"
#include "whole-file.h"

#define FORMAT      "ompinst-summary"
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

enum { HEAD_BYTES = 256 };
enum value { NUMBER, SHARE, LINE, TEXT };

/* Where the value of a key goes. */
struct member {
	const char *key;
	enum value kind;
	size_t offset;
};

#define PROFILE(member) offsetof(struct profile_file, member)
static const struct member of_profile[] = {
    {"program", TEXT, PROFILE(summary.program)},
    {"snapshot/began_ns", NUMBER, PROFILE(summary.began)},
    {"wall_ns", NUMBER, PROFILE(summary.wall)},
    {"threads", NUMBER, PROFILE(summary.threads)},
    {"capacity_ns", NUMBER, PROFILE(figures.capacity)},
    {"efficiency/total", SHARE, PROFILE(figures.total)},
};

#define REGION(member) offsetof(struct summary_region, member)
static const struct member of_region[] = {
    {"name", TEXT, REGION(name)},
    {"sub_name", TEXT, REGION(sub_name)},
    {"file", TEXT, REGION(file)},
    {"function", TEXT, REGION(function)},
    {"begin_line", LINE, REGION(begin_line)},
    {"end_line", LINE, REGION(end_line)},
    {"visits", NUMBER, REGION(visits)},
    {"time_ns", NUMBER, REGION(time)},
    {"self_ns", NUMBER, REGION(self)},
    {"threads", NUMBER, REGION(threads)},
    {"barrier_wait_ns", NUMBER, REGION(barrier_wait)},
    {"enter_wait_ns", NUMBER, REGION(enter_wait)},
    {"delayed_ns", NUMBER, REGION(delayed)},
    {"system_ns", NUMBER, REGION(system)},
    {"faults", NUMBER, REGION(faults)},
};

static const struct member of_metric[] = {
    {"name", TEXT, offsetof(struct summary_metric, name)},
    {"unit", TEXT, offsetof(struct summary_metric, unit)},
};

struct reading {
	struct profile_file *profile;
	bool is_format, is_version;
};

static uint64_t number_of(const char *text)
{
	char *end;
	uint64_t number = strtoull(text, &end, 10);

	return end == text || *end != '\0' || *text == '-' ? SUMMARY_NOT_MEASURED : number;
}

static double share_of(const char *text)
{
	char *end;
	double share = strtod(text, &end);

	return end == text || *end != '\0' || !(share >= 0 && share <= 1) ? -1 : share;
}

/* Replaces the text, which an object may have twice. What is unknown is null. */
static void put_text(const char **place, const char *text)
{
	free((char *)*place);
	*place = memory_copy_text(strcmp(text, "null") == 0 ? "" : text);
}

static void put(
    void *object, const struct member *members, size_t count, const char *key, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		void *place = (char *)object + members[i].offset;

		if (strcmp(members[i].key, key) != 0)
			continue;
		if (members[i].kind == TEXT)
			put_text(place, text);
		else if (members[i].kind == NUMBER)
			*(uint64_t *)place = number_of(text);
		else if (members[i].kind == SHARE)
			*(double *)place = share_of(text);
		else
			*(int *)place = atoi(text);
	}
}

/*
 * For "regions/3/visits" and the array "regions": the number, and the key behind it. False: the
 * path is another.
 */
static bool is_element(const char *path, const char *array, size_t *number, const char **key)
{
	size_t length = strlen(array);
	char *end;

	if (strncmp(path, array, length) != 0 || path[length] != '/')
		return false;
	*number = strtoull(path + length + 1, &end, 10);
	*key = end + 1;
	return *end == '/';
}

static void add_region(struct profile_file *profile)
{
	struct summary_region *region =
	    MEMORY_ADD(profile->regions, profile->region_room, profile->summary.region_count);

	*region = (struct summary_region){.time = SUMMARY_NOT_MEASURED,
	    .visits = SUMMARY_NOT_MEASURED,
	    .self = SUMMARY_NOT_MEASURED,
	    .barrier_wait = SUMMARY_NOT_MEASURED,
	    .enter_wait = SUMMARY_NOT_MEASURED,
	    .delayed = SUMMARY_NOT_MEASURED,
	    .system = SUMMARY_NOT_MEASURED,
	    .faults = SUMMARY_NOT_MEASURED};
}

static void put_metric(
    struct profile_file *profile, struct summary_region *region, const char *name, const char *text)
{
	size_t count = profile->summary.metric_count;
	uint64_t *values = (uint64_t *)region->metrics;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(profile->metrics[i].name, name) != 0)
			continue;
		if (!values) {
			values = memory_new(count, sizeof(values[0]));
			region->metrics = values;
		}
		values[i] = number_of(text);
	}
}

/* Metrics stand before the regions; all have names when the first region is read. */
static void put_region(
    struct profile_file *profile, size_t number, const char *key, const char *text)
{
	struct summary_region *region;

	if (number == profile->summary.region_count)
		add_region(profile);
	if (number + 1 != profile->summary.region_count)
		return;
	region = &profile->regions[number];
	if (strncmp(key, "metrics/", strlen("metrics/")) == 0)
		put_metric(profile, region, key + strlen("metrics/"), text);
	else if (strcmp(key, "known_by") == 0)
		region->code = SUMMARY_CODE;
	else if (strcmp(key, "static_loops_visible") == 0 && strcmp(text, "false") == 0)
		region->code = SUMMARY_CODE_GNU;
	else
		put(region, of_region, COUNT(of_region), key, text);
}

static void add_metric(
    struct profile_file *profile, size_t number, const char *key, const char *text)
{
	/* Regions have values by the metrics so far. */
	if (profile->summary.region_count > 0)
		return;
	if (number == profile->summary.metric_count)
		*MEMORY_ADD(profile->metrics, profile->metric_room, profile->summary.metric_count) =
		    (struct summary_metric){memory_copy_text(""), memory_copy_text("")};
	if (number + 1 == profile->summary.metric_count)
		put(&profile->metrics[number], of_metric, COUNT(of_metric), key, text);
}

static void visit(void *context, const char *path, const char *text)
{
	struct reading *reading = context;
	struct profile_file *profile = reading->profile;
	const char *key;
	size_t number;

	if (is_element(path, "regions", &number, &key))
		put_region(profile, number, key, text);
	else if (is_element(path, "metrics", &number, &key))
		add_metric(profile, number, key, text);
	else if (strcmp(path, "format") == 0)
		reading->is_format = strcmp(text, FORMAT) == 0;
	else if (strcmp(path, "version") == 0)
		reading->is_version = strcmp(text, "1") == 0;
	else if (strcmp(path, "snapshot/is_interval") == 0)
		profile->summary.is_interval = strcmp(text, "true") == 0;
	else
		put(profile, of_profile, COUNT(of_profile), path, text);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		if (strncmp(path, "thread_time_ns/", strlen("thread_time_ns/")) == 0 &&
		    strcmp(path + strlen("thread_time_ns/"), summary_category_names[i].key) == 0)
			profile->figures.categories[i] = number_of(text);
}

bool profile_file_is(const char *path)
{
	char head[HEAD_BYTES];
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       read_text(path, head, sizeof(head)) && strstr(head, "\"" FORMAT "\"") != NULL;
}

int profile_file_read(struct profile_file *profile, const char *path)
{
	struct reading reading = {.profile = profile};
	size_t length;
	char *bytes = whole_file_read(path, &length);

	*profile = (struct profile_file){.summary.wall = SUMMARY_NOT_MEASURED, .figures.total = -1};
	for (int i = 0; i < SUMMARY_CATEGORIES; i++)
		profile->figures.categories[i] = SUMMARY_NOT_MEASURED;
	if (!bytes) {
		fprintf(
		    stream_messages(), "ompreport: cannot read '%s': %s\n", path, strerror(errno));
		return -1;
	}
	bool is_read = json_read(bytes, length, visit, &reading) == 0;
	free(bytes);
	profile->summary.regions = profile->regions;
	profile->summary.metrics = profile->metrics;
	profile->figures.chosen = profile->figures.capacity;
	if (is_read && reading.is_format && reading.is_version &&
	    profile->summary.wall != SUMMARY_NOT_MEASURED)
		return 0;
	fprintf(stream_messages(),
	    "ompreport: '%s': %s; expected what 'ompinst snapshot --format=json' writes; nothing "
	    "is reported\n",
	    path,
	    !is_read             ? "the JSON is damaged or cut"
	    : reading.is_version ? "no profile with a wall time"
				 : "a profile of another version");
	return -1;
}

void profile_file_free(struct profile_file *profile)
{
	for (size_t i = 0; i < profile->summary.region_count; i++) {
		struct summary_region *region = &profile->regions[i];

		free((char *)region->name);
		free((char *)region->sub_name);
		free((char *)region->file);
		free((char *)region->function);
		free((uint64_t *)region->metrics);
	}
	for (size_t i = 0; i < profile->summary.metric_count; i++) {
		free((char *)profile->metrics[i].name);
		free((char *)profile->metrics[i].unit);
	}
	free(profile->regions);
	free(profile->metrics);
	free((char *)profile->summary.program);
	*profile = (struct profile_file){0};
}

void profile_file_refuse(const char *path)
{
	fprintf(stream_messages(),
	    "ompreport: %s: a profile, which has sums and no events: 'ompreport diff' compares it "
	    "with another one, and 'ompreport scaling --growth' with those of other numbers of "
	    "threads; this report needs an archive (POMP_ENABLE_TRACING=1, or 'ompinst "
	    "trace' of a running program); nothing was written\n",
	    path);
}
