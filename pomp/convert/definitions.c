/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The global definitions of the archive but its regions (regions.c): the clock, the machine,
 * threads and their teams, metrics.
 */
#include "archive.h"
#include "rank-clock.h"

#include "shared/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

uint64_t convert_ticks_per_second(const struct convert_input *input)
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
			 convert_ticks_per_second(archive->input), process->start.ticks,
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

void convert_name_location(
    const struct convert_teams *teams, uint32_t location, char *name, size_t size)
{
	const struct convert_thread *thread = &teams->threads[location];

	if (thread->first_team != 0) {
		snprintf(name, size, "OMP thread ");
		append_path(teams, thread->first_team, thread->first_number, name, size, 0);
	} else if (location == 0) {
		snprintf(name, size, "Master thread");
	} else {
		snprintf(name, size, "Master thread %u", location);
	}
}

static void write_locations(struct convert_archive *archive, OTF2_GlobalDefWriter *writer)
{
	for (uint32_t location = 0; location < archive->input->log_count; location++) {
		char name[256];
		convert_name_location(archive->teams, location, name, sizeof(name));
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

OTF2_MetricType convert_metric_type(const char *name, const char *unit)
{
	if (strncmp(name, "ru_", 3) == 0)
		return OTF2_METRIC_TYPE_RUSAGE;
	return strcmp(unit, "ns") == 0 ? OTF2_METRIC_TYPE_OTHER : OTF2_METRIC_TYPE_PAPI;
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
			convert_metric_type(metric->name, metric->unit),
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
	convert_write_regions(archive, writer);
	write_locations(archive, writer);
	write_comms(archive, writer);
	write_metrics(archive, writer);
	convert_write_parameters(archive, writer);
	convert_check(archive, OTF2_Archive_CloseGlobalDefWriter(archive->archive, writer));
}
