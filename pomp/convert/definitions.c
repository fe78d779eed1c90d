/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global definitions of the archive. One table says how each construct shows: its name, its
 * role and those of its parts, as Score-P's traces have them, so that the viewers group and colour
 * them alike.
 */
#include "../clock.h"
#include "archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROLE(name) OTF2_REGION_ROLE_##name

/* Constructs whose name is not here are user regions: CODE, named by their sub_name. */
static const struct look {
	const char *name;
	OTF2_RegionRole role, block_role;
	const char *block_suffix;
} looks[] = {
    {"parallel", ROLE(PARALLEL), ROLE(CODE), " block"},
    {"for", ROLE(LOOP), ROLE(CODE), " block"},
    {"sections", ROLE(SECTIONS), ROLE(SECTION), " section"},
    {"section", ROLE(SECTION), ROLE(CODE), " block"},
    {"single", ROLE(SINGLE), ROLE(SINGLE_SBLOCK), " sblock"},
    {"scope", ROLE(WORKSHARE), ROLE(CODE), " block"},
    {"master", ROLE(MASTER), ROLE(CODE), " block"},
    {"masked", ROLE(MASTER), ROLE(CODE), " block"},
    {"critical", ROLE(CRITICAL), ROLE(CRITICAL_SBLOCK), " sblock"},
    {"ordered", ROLE(ORDERED), ROLE(ORDERED_SBLOCK), " sblock"},
    {"atomic", ROLE(ATOMIC), ROLE(CODE), " block"},
    {"flush", ROLE(FLUSH), ROLE(CODE), " block"},
    {"barrier", ROLE(BARRIER), ROLE(CODE), " block"},
    {"task", ROLE(TASK), ROLE(CODE), " block"},
    {"taskwait", ROLE(TASK_WAIT), ROLE(CODE), " block"},
    {"taskyield", ROLE(TASK_WAIT), ROLE(CODE), " block"},
    {"taskgroup", ROLE(CODE), ROLE(CODE), " block"},
    {"taskloop", ROLE(CODE), ROLE(CODE), " block"},
};

static const struct look *look_of(const char *name)
{
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++)
		if (strcmp(looks[i].name, name) == 0)
			return &looks[i];
	return NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* "!$omp critical(sum) sblock @file.c:6"; heap, NULL when memory ran out. */
static char *region_name(
    const struct convert_region *region, const struct look *look, enum convert_part part)
{
	const char *before = "", *after = "";
	char *name = NULL;

	if (look == NULL)
		return strdup(region->sub_name[0] != '\0' ? region->sub_name : region->name);
	if (part == PART_BLOCK)
		after = look->block_suffix;
	else if (part == PART_WAIT)
		after = " wait";
	else if (part == PART_CREATE)
		before = "create ";
	bool named = region->sub_name[0] != '\0';
	int length = part == PART_BARRIER
			 ? asprintf(&name, "!$omp implicit barrier @%s:%d", base_name(region->file),
			       region->head.end_last)
			 : asprintf(&name, "!$omp %s%s%s%s%s%s @%s:%d", before, region->name,
			       named ? "(" : "", region->sub_name, named ? ")" : "", after,
			       base_name(region->file), region->head.begin_first);
	return length < 0 ? NULL : name;
}

static OTF2_RegionRole role_of(
    const struct convert_region *region, const struct look *look, enum convert_part part)
{
	switch (part) {
	case PART_BARRIER:
		return OTF2_REGION_ROLE_IMPLICIT_BARRIER;
	case PART_WAIT:
		return OTF2_REGION_ROLE_TASK_WAIT;
	case PART_CREATE:
		return OTF2_REGION_ROLE_TASK_CREATE;
	case PART_BLOCK:
		return look != NULL ? look->block_role : OTF2_REGION_ROLE_CODE;
	case PART_CONSTRUCT:
	case PART_COUNT:
		break;
	}
	if (look != NULL)
		return look->role;
	return strcmp(region->name, "function") == 0 ? OTF2_REGION_ROLE_FUNCTION
						     : OTF2_REGION_ROLE_CODE;
}

/* The number at a place, given now if it has none yet. */
static OTF2_RegionRef number_at(struct convert_archive *archive, _Atomic uint32_t *place)
{
	uint32_t ref = atomic_load_explicit(place, memory_order_relaxed);

	if (ref != 0)
		return ref - 1;
	pthread_mutex_lock(&archive->lock);
	ref = atomic_load_explicit(place, memory_order_relaxed);
	if (ref == 0) {
		ref = ++archive->region_count;
		atomic_store_explicit(place, ref, memory_order_relaxed);
	}
	pthread_mutex_unlock(&archive->lock);
	return ref - 1;
}

OTF2_RegionRef convert_region_ref(
    struct convert_archive *archive, uint32_t region, enum convert_part part)
{
	/* Id 0 is an event whose descriptor could not be registered, beyond: a damaged log. */
	if (region > archive->input->region_count)
		region = 0;
	return number_at(archive, &archive->region[(size_t)region * PART_COUNT + part]);
}

OTF2_RegionRef convert_routine_ref(struct convert_archive *archive, enum trace_log_routine routine)
{
	return number_at(archive, &archive->routine[routine]);
}

static void write_region(struct convert_archive *archive, OTF2_GlobalDefWriter *writer,
    uint32_t ref, uint32_t id, enum convert_part part)
{
	static const struct convert_region unknown = {
	    .name = "region", .sub_name = "(unknown region)", .file = ""};
	const struct convert_region *region = id > 0 && archive->input->regions[id - 1].name != NULL
						  ? &archive->input->regions[id - 1]
						  : &unknown;
	const struct look *look = look_of(region->name);
	char *text = region_name(region, look, part);
	OTF2_StringRef name = convert_string(archive, text != NULL ? text : "");

	free(text);
	convert_check(archive,
	    OTF2_GlobalDefWriter_WriteRegion(writer, ref, name, name,
		convert_string(archive, region->sub_name), role_of(region, look, part),
		look != NULL ? OTF2_PARADIGM_OPENMP : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
		region->file[0] != '\0' ? convert_string(archive, region->file)
					: OTF2_UNDEFINED_STRING,
		(uint32_t)region->head.begin_first, (uint32_t)region->head.end_last));
}

static void write_routine(struct convert_archive *archive, OTF2_GlobalDefWriter *writer,
    uint32_t ref, enum trace_log_routine routine)
{
	static const char *const names[] = {
#define NAME(name) "omp_" #name,
	    TRACE_LOG_ROUTINES(NAME)
#undef NAME
	};
	OTF2_StringRef name = convert_string(archive, names[routine]);

	convert_check(
	    archive, OTF2_GlobalDefWriter_WriteRegion(writer, ref, name, name,
			 convert_string(archive, ""), OTF2_REGION_ROLE_WRAPPER,
			 OTF2_PARADIGM_OPENMP, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
}

/* Regions in order of reference, as readers want them: first turns the map around. */
static void write_regions(struct convert_archive *archive, OTF2_GlobalDefWriter *writer)
{
	size_t parts = (archive->input->region_count + 1) * PART_COUNT;
	size_t *user = malloc((archive->region_count + 1) * sizeof(*user));

	if (user == NULL) {
		convert_check(archive, OTF2_ERROR_ENOMEM);
		return;
	}
	for (size_t i = 0; i < parts; i++)
		if (archive->region[i] != 0)
			user[archive->region[i] - 1] = i;
	for (size_t i = 0; i < TRACE_LOG_ROUTINE_COUNT; i++)
		if (archive->routine[i] != 0)
			user[archive->routine[i] - 1] = parts + i;
	for (uint32_t ref = 0; ref < archive->region_count; ref++)
		if (user[ref] < parts)
			write_region(archive, writer, ref, (uint32_t)(user[ref] / PART_COUNT),
			    (enum convert_part)(user[ref] % PART_COUNT));
		else
			write_routine(
			    archive, writer, ref, (enum trace_log_routine)(user[ref] - parts));
	free(user);
}

/*
 * The latest moment that is known beside the start. A killed program left at best the one of its
 * last window; but while the machine has not been booted since, its counter goes on at the same
 * rate, and now is the best moment of all.
 */
static struct trace_log_moment latest_moment(const struct convert_input *input)
{
	struct trace_log_moment latest = input->process.end;
	struct pomp_clock clock;

	if (latest.ticks != 0)
		return latest;
	if (input->process.boot != 0 && input->process.boot == pomp_clock_boot() &&
	    pomp_clock_init(&clock, POMP_TIMER_TSC) &&
	    clock.start.ticks > input->process.start.ticks)
		return clock.start;
	for (size_t i = 0; i < input->log_count; i++)
		if (input->logs[i].latest.ticks > latest.ticks)
			latest = input->logs[i].latest;
	return latest;
}

static uint64_t ticks_per_second(const struct convert_input *input)
{
	struct trace_log_moment start = input->process.start;
	struct trace_log_moment end = latest_moment(input);
	double rate;

	if (input->process.tick_is_nanosecond || end.ticks <= start.ticks ||
	    end.monotonic <= start.monotonic)
		return 1000000000;
	rate = (double)(end.ticks - start.ticks) * 1e9 / (double)(end.monotonic - start.monotonic);
	/* No machine's counter: one of the moments is damaged. */
	if (rate < 1e3 || rate > 1e12)
		return 1000000000;
	return (uint64_t)(rate + 0.5);
}

static void write_clock(struct convert_archive *archive, OTF2_GlobalDefWriter *writer)
{
	const struct trace_log_process *process = &archive->input->process;

	convert_check(
	    archive, OTF2_GlobalDefWriter_WriteClockProperties(writer,
			 ticks_per_second(archive->input), process->start.ticks,
			 archive->end - process->start.ticks + 1, process->start.realtime));
	convert_check(
	    archive, OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_OPENMP,
			 convert_string(archive, "OpenMP"), OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN));
	convert_check(archive, OTF2_GlobalDefWriter_WriteParadigm(writer, OTF2_PARADIGM_USER,
				   convert_string(archive, "User"), OTF2_PARADIGM_CLASS_PROCESS));
	OTF2_AttributeValue template = {
	    .stringRef = convert_string(archive, "OpenMP thread team ${id}")};
	convert_check(
	    archive, OTF2_GlobalDefWriter_WriteParadigmProperty(writer, OTF2_PARADIGM_OPENMP,
			 OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_STRING, template));
}

static void write_system(struct convert_archive *archive, OTF2_GlobalDefWriter *writer)
{
	char host[256] = "localhost";

	gethostname(host, sizeof(host) - 1);
	convert_check(archive,
	    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, convert_string(archive, "machine"),
		convert_string(archive, "machine"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	convert_check(archive, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
				   writer, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
	convert_check(
	    archive, OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 1,
			 convert_string(archive, host), convert_string(archive, "node"), 0));
	convert_check(archive, OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
				   writer, 1, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
	convert_check(archive,
	    OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, convert_string(archive, "Process"),
		OTF2_LOCATION_GROUP_TYPE_PROCESS, 1, OTF2_UNDEFINED_LOCATION_GROUP));
}

/* Thread numbers from the outermost team to the thread's own, as in "1:2". */
static void append_path(const struct convert_teams *teams, uint64_t team, uint32_t number,
    char *text, size_t size, int depth)
{
	const struct convert_team *found = convert_team_find(teams, team);

	if (found != NULL && found->parent != 0 && depth < 32) {
		append_path(teams, found->parent, found->master_number, text, size, depth + 1);
		strncat(text, ":", size - strlen(text) - 1);
	}
	size_t length = strlen(text);
	snprintf(text + length, size - length, "%u", number);
}

/*
 * The string of a location's name, made unique: several threads of the program can be masters of
 * teams, and each then has an "OMP thread 1".
 */
static OTF2_StringRef unique_name(struct convert_archive *archive, const char *name)
{
	char numbered[300];
	size_t before = archive->strings.count;
	OTF2_StringRef ref = convert_string(archive, name);

	for (unsigned i = 2; archive->strings.count == before && archive->error == OTF2_SUCCESS;
	     i++) {
		snprintf(numbered, sizeof(numbered), "%s (%u)", name, i);
		ref = convert_string(archive, numbered);
	}
	return ref;
}

static void write_locations(struct convert_archive *archive, OTF2_GlobalDefWriter *writer)
{
	for (uint32_t location = 0; location < archive->input->log_count; location++) {
		const struct convert_thread *thread = &archive->teams->threads[location];
		char name[256] = "OMP thread ";
		if (thread->first_team != 0)
			append_path(archive->teams, thread->first_team, thread->first_number, name,
			    sizeof(name), 0);
		else if (location == 0)
			snprintf(name, sizeof(name), "Master thread");
		else
			snprintf(name, sizeof(name), "Master thread %u", location);
		convert_check(archive,
		    OTF2_GlobalDefWriter_WriteLocation(writer, location, unique_name(archive, name),
			OTF2_LOCATION_TYPE_CPU_THREAD, archive->event_count[location], 0));
	}
}

/* Group 0: all locations; group i + 1 and comm i: a team. */
static void write_comms(struct convert_archive *archive, OTF2_GlobalDefWriter *writer)
{
	const struct convert_teams *teams = archive->teams;
	size_t most = archive->input->log_count;
	OTF2_StringRef empty = convert_string(archive, "");

	for (size_t i = 0; i < teams->comm_count; i++)
		most = teams->comms[i].size > most ? teams->comms[i].size : most;
	uint64_t *members = malloc(most * sizeof(*members));
	if (members == NULL) {
		convert_check(archive, OTF2_ERROR_ENOMEM);
		return;
	}
	for (size_t i = 0; i < archive->input->log_count; i++)
		members[i] = i;
	convert_check(
	    archive, OTF2_GlobalDefWriter_WriteGroup(writer, 0, empty,
			 OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE,
			 (uint32_t)archive->input->log_count, members));
	for (uint32_t i = 0; i < teams->comm_count; i++) {
		const struct convert_comm *comm = &teams->comms[i];
		uint32_t count = 0;
		for (uint32_t rank = 0; rank < comm->size; rank++)
			if (comm->member[rank] != CONVERT_NONE)
				members[count++] = comm->member[rank];
		convert_check(archive, OTF2_GlobalDefWriter_WriteGroup(writer, i + 1, empty,
					   OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP,
					   OTF2_GROUP_FLAG_NONE, count, members));
		convert_check(
		    archive, OTF2_GlobalDefWriter_WriteComm(writer, i, empty, i + 1,
				 comm->parent != CONVERT_NONE ? comm->parent : OTF2_UNDEFINED_COMM,
				 OTF2_COMM_FLAG_NONE));
	}
	free(members);
}

/* Readers expect a local definition file for each location, even an empty one. */
static void write_local_definitions(struct convert_archive *archive)
{
	convert_check(archive, OTF2_Archive_OpenDefFiles(archive->archive));
	for (uint32_t location = 0; location < archive->input->log_count; location++) {
		OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive->archive, location);
		if (writer != NULL)
			convert_check(
			    archive, OTF2_Archive_CloseDefWriter(archive->archive, writer));
	}
	convert_check(archive, OTF2_Archive_CloseDefFiles(archive->archive));
}

/* Metric class 0: all that every thread counts since its beginning. */
static void write_metrics(struct convert_archive *archive, OTF2_GlobalDefWriter *writer)
{
	const struct convert_input *input = archive->input;
	OTF2_MetricMemberRef members[TRACE_LOG_METRICS_MAX];

	for (uint32_t i = 0; i < input->metric_count; i++) {
		const struct convert_metric *metric = &input->metrics[i];
		bool is_time = strcmp(metric->unit, "ns") == 0;
		members[i] = i;
		convert_check(archive,
		    OTF2_GlobalDefWriter_WriteMetricMember(writer, i,
			convert_string(archive, metric->name),
			convert_string(archive, metric->meaning),
			strncmp(metric->name, "ru_", 3) == 0 ? OTF2_METRIC_TYPE_RUSAGE
			: is_time                            ? OTF2_METRIC_TYPE_OTHER
							     : OTF2_METRIC_TYPE_PAPI,
			OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL,
			is_time ? -9 : 0, convert_string(archive, is_time ? "s" : metric->unit)));
	}
	if (input->metric_count > 0)
		convert_check(
		    archive, OTF2_GlobalDefWriter_WriteMetricClass(writer, 0,
				 (uint8_t)input->metric_count, members,
				 input->metrics_everywhere ? OTF2_METRIC_SYNCHRONOUS_STRICT
							   : OTF2_METRIC_SYNCHRONOUS,
				 OTF2_RECORDER_KIND_CPU));
}

void convert_write_definitions(struct convert_archive *archive)
{
	OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive->archive);

	if (writer == NULL) {
		convert_check(archive, OTF2_ERROR_INVALID_CALL);
		return;
	}
	write_local_definitions(archive);
	archive->definitions = writer;
	convert_strings_write(archive);
	write_clock(archive, writer);
	write_system(archive, writer);
	write_regions(archive, writer);
	write_locations(archive, writer);
	write_comms(archive, writer);
	write_metrics(archive, writer);
	convert_check(archive, OTF2_Archive_CloseGlobalDefWriter(archive->archive, writer));
}
