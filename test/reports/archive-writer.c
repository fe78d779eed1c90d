/* SPDX-License-Identifier: BSD-3-Clause */
/* See archive-writer.h. Definitions as Score-P 8 writes them, by its documentation and OTF2's. */
#include "archive-writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct region_row {
	const char *name; /* %s: the file's base name */
	OTF2_RegionRole role;
	uint32_t begin, end;
} regions[REGIONS] = {
    [MAIN] = {"time step", OTF2_REGION_ROLE_CODE, 1, 99},
    [PARALLEL] = {"!$omp parallel @%s:10", OTF2_REGION_ROLE_PARALLEL, 10, 40},
    [PARALLEL_BARRIER] = {"!$omp implicit barrier @%s:40", OTF2_REGION_ROLE_IMPLICIT_BARRIER, 10,
	40},
    [INNER] = {"!$omp parallel @%s:50", OTF2_REGION_ROLE_PARALLEL, 50, 60},
    [INNER_BARRIER] = {"!$omp implicit barrier @%s:60", OTF2_REGION_ROLE_IMPLICIT_BARRIER, 50, 60},
    [LOOP] = {"!$omp for @%s:12", OTF2_REGION_ROLE_LOOP, 12, 15},
    [LOOP_BARRIER] = {"!$omp implicit barrier @%s:15", OTF2_REGION_ROLE_IMPLICIT_BARRIER, 12, 15},
    [LOOP_NOWAIT] = {"!$omp for @%s:17", OTF2_REGION_ROLE_LOOP, 17, 19},
    [SINGLE] = {"!$omp single @%s:20", OTF2_REGION_ROLE_SINGLE, 20, 22},
    [SINGLE_BLOCK] = {"!$omp single sblock @%s:20", OTF2_REGION_ROLE_SINGLE_SBLOCK, 20, 22},
    [SINGLE_BARRIER] = {"!$omp implicit barrier @%s:22", OTF2_REGION_ROLE_IMPLICIT_BARRIER, 20, 22},
    [SECTIONS] = {"!$omp sections @%s:23", OTF2_REGION_ROLE_SECTIONS, 23, 27},
    [SECTION] = {"!$omp section @%s:24", OTF2_REGION_ROLE_SECTION, 24, 25},
    [SECTIONS_BARRIER] = {"!$omp implicit barrier @%s:27", OTF2_REGION_ROLE_IMPLICIT_BARRIER, 23,
	27},
    [CRITICAL] = {"!$omp critical(sum) @%s:28", OTF2_REGION_ROLE_CRITICAL, 28, 30},
    [CRITICAL_BLOCK] = {"!$omp critical(sum) sblock @%s:28", OTF2_REGION_ROLE_CRITICAL_SBLOCK, 28,
	30},
    [ORDERED] = {"!$omp ordered @%s:31", OTF2_REGION_ROLE_ORDERED, 31, 32},
    [ORDERED_BLOCK] = {"!$omp ordered sblock @%s:31", OTF2_REGION_ROLE_ORDERED_SBLOCK, 31, 32},
    [BARRIER] = {"!$omp barrier @%s:33", OTF2_REGION_ROLE_BARRIER, 33, 33},
    [MASTER] = {"!$omp master @%s:34", OTF2_REGION_ROLE_MASTER, 34, 35},
    [ATOMIC] = {"!$omp atomic @%s:36", OTF2_REGION_ROLE_ATOMIC, 36, 36},
    [TASK] = {"!$omp task @%s:37", OTF2_REGION_ROLE_TASK, 37, 38},
    [TASK_CREATE] = {"!$omp create task @%s:37", OTF2_REGION_ROLE_TASK_CREATE, 37, 38},
    [TASK_WAIT] = {"!$omp taskwait @%s:39", OTF2_REGION_ROLE_TASK_WAIT, 39, 39},
    [SET_LOCK] = {"omp_set_lock", OTF2_REGION_ROLE_WRAPPER, 0, 0},
    [UNSET_LOCK] = {"omp_unset_lock", OTF2_REGION_ROLE_WRAPPER, 0, 0},
    [MPI_CALL] = {"MPI_Barrier", OTF2_REGION_ROLE_BARRIER, 0, 0},
};

static void check(OTF2_ErrorCode code, const char *what)
{
	if (code == OTF2_SUCCESS)
		return;
	fprintf(stderr, "archive-writer: %s: %s\n", what, OTF2_Error_GetDescription(code));
	exit(1);
}

static OTF2_FlushType flush(
    void *context, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)context, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flush_callbacks = {.otf2_pre_flush = flush};

static void open_archive(struct writer *writer, const char *folder, int threads)
{
	*writer = (struct writer){.threads = threads,
	    .processes = 1,
	    .source = "/src/app/solver.c",
	    .more_source = "/src/app/many.c",
	    .program = "./solver"};
	writer->archive = OTF2_Archive_Open(folder, "traces", OTF2_FILEMODE_WRITE, 256 * 1024,
	    256 * 1024, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (!writer->archive) {
		fprintf(stderr, "archive-writer: %s: cannot open an archive there\n", folder);
		exit(1);
	}
	check(OTF2_Archive_SetFlushCallbacks(writer->archive, &flush_callbacks, NULL),
	    "flush callbacks");
	check(OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive), "collective callbacks");
	OTF2_Archive_SetCreator(writer->archive, "archive-writer");
	check(OTF2_Archive_OpenEvtFiles(writer->archive), "event files");
	for (int i = 0; i < threads; i++)
		writer->now[i] = CLOCK_START;
	writer->definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
	writer_string(writer, "");
}

static void open_events(struct writer *writer, int first, int count)
{
	for (int i = first; i < first + count; i++)
		writer->events[i] = OTF2_Archive_GetEvtWriter(writer->archive, (OTF2_LocationRef)i);
}

static void close_events(struct writer *writer, int first, int count)
{
	for (int i = first; i < first + count; i++) {
		check(OTF2_EvtWriter_GetNumberOfEvents(writer->events[i], &writer->counts[i]),
		    "count");
		check(OTF2_Archive_CloseEvtWriter(writer->archive, writer->events[i]),
		    "event writer");
	}
}

void writer_open(struct writer *writer, const char *folder, int threads)
{
	open_archive(writer, folder, threads);
	open_events(writer, 0, threads);
}

void writer_open_ranks(struct writer *writer, const char *folder, int ranks, int threads)
{
	open_archive(writer, folder, ranks * threads);
	writer->processes = ranks;
	writer->rank_by_rank = true;
}

void writer_begin_rank(struct writer *writer, int rank)
{
	int threads = writer->threads / writer->processes;

	open_events(writer, rank * threads, threads);
}

void writer_end_rank(struct writer *writer, int rank)
{
	int threads = writer->threads / writer->processes;

	close_events(writer, rank * threads, threads);
}

OTF2_StringRef writer_string(struct writer *writer, const char *text)
{
	if (writer->backwards) {
		writer->later[writer->strings] = strdup(text);
		return writer->strings++;
	}
	check(
	    OTF2_GlobalDefWriter_WriteString(writer->definitions, writer->strings, text), "string");
	return writer->strings++;
}

static void define_later_strings(struct writer *writer)
{
	for (uint32_t i = 0; i < writer->strings && writer->backwards; i++) {
		if (!writer->later[i])
			continue;
		check(OTF2_GlobalDefWriter_WriteString(writer->definitions, i, writer->later[i]),
		    "string");
		free(writer->later[i]);
	}
}

static OTF2_Paradigm paradigm_of(int region)
{
	if (region == MPI_CALL)
		return OTF2_PARADIGM_MPI;
	return region == MAIN ? OTF2_PARADIGM_USER : OTF2_PARADIGM_OPENMP;
}

static void define_regions(struct writer *writer)
{
	const char *slash = strrchr(writer->source, '/');
	OTF2_StringRef file = writer_string(writer, writer->source);
	char name[512];

	for (int i = 0; i < REGIONS; i++) {
		const struct region_row *row = &regions[i];
		OTF2_StringRef ref;
		int length = 0;

		for (const char *at = row->name; *at && length < 500; at++) {
			if (at[0] == '%')
				length += snprintf(name + length, sizeof(name) - (size_t)length,
				    "%.200s", slash ? slash + 1 : writer->source),
				    at++;
			else
				name[length++] = *at;
		}
		name[length] = '\0';
		ref = writer_string(writer, name);
		check(OTF2_GlobalDefWriter_WriteRegion(writer->definitions, (OTF2_RegionRef)i, ref,
			  ref, 0, row->role, paradigm_of(i), OTF2_REGION_FLAG_NONE,
			  row->begin ? file : OTF2_UNDEFINED_STRING, row->begin, row->end),
		    "region");
	}
}

static void define_more_loops(struct writer *writer)
{
	OTF2_StringRef file = writer_string(writer, writer->more_source);
	char name[64];

	for (uint32_t i = 0; i < writer->more_loops; i++) {
		OTF2_StringRef ref;

		snprintf(name, sizeof(name), "!$omp for @many.c:%u", i + 1);
		ref = writer_string(writer, name);
		check(OTF2_GlobalDefWriter_WriteRegion(writer->definitions, REGIONS + i, ref, ref,
			  0, OTF2_REGION_ROLE_LOOP, OTF2_PARADIGM_OPENMP, OTF2_REGION_FLAG_NONE,
			  file, i + 1, i + 1),
		    "region");
	}
}

static void define_team(struct writer *writer, OTF2_StringRef name, OTF2_GroupRef group,
    OTF2_CommRef comm, uint32_t size, const uint64_t *members)
{
	check(OTF2_GlobalDefWriter_WriteGroup(writer->definitions, group, name,
		  OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, size,
		  members),
	    "group");
	check(OTF2_GlobalDefWriter_WriteComm(writer->definitions, comm, name, group,
		  comm == 0 || writer->rank_by_rank ? OTF2_UNDEFINED_COMM : 0, OTF2_COMM_FLAG_NONE),
	    "comm");
}

/* Teams that are not a process's: of all threads, and of pairs. */
static int shared_teams(const struct writer *writer)
{
	return writer->rank_by_rank ? 0 : writer->threads + (writer->threads > 2);
}

static int process_teams(const struct writer *writer)
{
	return writer->processes > 1 || writer->rank_by_rank ? writer->processes : 0;
}

OTF2_CommRef writer_team(const struct writer *writer, int process)
{
	return (OTF2_CommRef)(shared_teams(writer) + process);
}

OTF2_CommRef writer_comms(const struct writer *writer)
{
	return (OTF2_CommRef)(shared_teams(writer) + process_teams(writer));
}

static void define_teams(struct writer *writer)
{
	OTF2_StringRef name = writer_string(writer, "OpenMP thread team");
	static uint64_t members[WRITER_THREADS];
	uint32_t group = 0, comm = 0;

	for (int i = 0; i < writer->threads; i++)
		members[i] = (uint64_t)i;
	check(OTF2_GlobalDefWriter_WriteGroup(writer->definitions, group++, 0,
		  OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE,
		  (uint32_t)writer->threads, members),
	    "locations");
	for (int i = 0; i < shared_teams(writer); i++) {
		static const uint64_t first_and_third[] = {0, 2};
		uint32_t size = i == 0 ? (uint32_t)writer->threads : 2;
		const uint64_t *first = i == 0                 ? members
					: i == writer->threads ? first_and_third
							       : members + i - 1;

		define_team(writer, name, group++, comm++, size, first);
	}
	for (int i = 0; i < process_teams(writer); i++) {
		int size = writer->threads / writer->processes;

		define_team(writer, name, group++, comm++, (uint32_t)size, members + i * size);
	}
}

/* Without these a trace can be read, but viewers say less or nothing of its teams and locks. */
static void define_system(struct writer *writer)
{
	OTF2_StringRef openmp = writer_string(writer, "OpenMP");

	check(OTF2_GlobalDefWriter_WriteParadigm(writer->definitions, OTF2_PARADIGM_OPENMP, openmp,
		  OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN),
	    "paradigm");
	check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
		  writer->definitions, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE),
	    "machine");
	check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
		  writer->definitions, 0, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY),
	    "shared memory");
	check(OTF2_Archive_SetBoolProperty(
		  writer->archive, "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", true, false),
	    "property");
	check(OTF2_Archive_SetBoolProperty(
		  writer->archive, "OTF2::THREAD_LOCK_EVENT_COMPLETE", true, false),
	    "property");
}

static OTF2_LocationType type_of(const struct writer *writer, int location)
{
	if (location < writer->threads - writer->others)
		return OTF2_LOCATION_TYPE_CPU_THREAD;
	return location == writer->threads - 1 ? OTF2_LOCATION_TYPE_METRIC
					       : OTF2_LOCATION_TYPE_ACCELERATOR_STREAM;
}

static void define_location(struct writer *writer, int i, const char *name)
{
	check(OTF2_GlobalDefWriter_WriteLocation(writer->definitions, (OTF2_LocationRef)i,
		  writer_string(writer, name), type_of(writer, i), writer->counts[i],
		  (OTF2_LocationGroupRef)(i * writer->processes / writer->threads)),
	    "location");
}

static void define_processes(struct writer *writer)
{
	OTF2_StringRef class = writer_string(writer, "machine");
	OTF2_StringRef machine = writer->machine ? writer_string(writer, writer->machine) : class;
	OTF2_StringRef process = writer_string(writer, "Process");

	check(OTF2_GlobalDefWriter_WriteSystemTreeNode(
		  writer->definitions, 0, machine, class, OTF2_UNDEFINED_SYSTEM_TREE_NODE),
	    "system tree");
	if (writer->second_machine)
		check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer->definitions, 1,
			  writer_string(writer, writer->second_machine), class,
			  OTF2_UNDEFINED_SYSTEM_TREE_NODE),
		    "second system tree");
	if (!writer->bare)
		define_system(writer);
	for (int i = 0; i < writer->processes; i++)
		check(OTF2_GlobalDefWriter_WriteLocationGroup(writer->definitions,
			  (OTF2_LocationGroupRef)i, process, OTF2_LOCATION_GROUP_TYPE_PROCESS,
			  writer->second_machine && i % 2 == 1 ? 1 : 0,
			  OTF2_UNDEFINED_LOCATION_GROUP),
		    "location group");
}

static void define_locations(struct writer *writer)
{
	const char *const *own = writer->thread_names;
	char name[32];

	if (!writer->backwards)
		define_processes(writer);
	for (int i = writer->threads - writer->others; i < writer->threads; i++) {
		snprintf(name, sizeof(name), "no thread %d", i);
		define_location(writer, i, name);
	}
	for (int i = 0; i < writer->threads - writer->others; i++) {
		snprintf(name, sizeof(name), i ? "OMP thread %d" : "Master thread", i);
		own = own && *own ? own : NULL;
		define_location(writer, i, own ? *own++ : name);
	}
	if (writer->backwards)
		define_processes(writer);
}

void writer_close(struct writer *writer)
{
	uint64_t end = CLOCK_START;

	for (int i = 0; i < writer->threads; i++) {
		if (writer->now[i] > end)
			end = writer->now[i];
	}
	if (!writer->rank_by_rank)
		close_events(writer, 0, writer->threads);
	check(OTF2_Archive_CloseEvtFiles(writer->archive), "event files");
	check(OTF2_Archive_OpenDefFiles(writer->archive), "definition files");
	for (int i = 0; i < writer->threads; i++) {
		OTF2_DefWriter *local =
		    OTF2_Archive_GetDefWriter(writer->archive, (OTF2_LocationRef)i);

		check(OTF2_Archive_CloseDefWriter(writer->archive, local), "local definitions");
	}
	check(OTF2_Archive_CloseDefFiles(writer->archive), "definition files");
	check(OTF2_GlobalDefWriter_WriteClockProperties(writer->definitions,
		  writer->ticks_per_second ? writer->ticks_per_second : 1000000000, CLOCK_START,
		  end - CLOCK_START, UINT64_C(1700000000000000000)),
	    "clock");
	define_regions(writer);
	define_more_loops(writer);
	define_locations(writer);
	define_teams(writer);
	if (writer->define_more)
		writer->define_more(writer);
	define_later_strings(writer);
	check(
	    OTF2_Archive_CloseGlobalDefWriter(writer->archive, writer->definitions), "definitions");
	check(OTF2_Archive_Close(writer->archive), "archive");
}

void writer_work(struct writer *writer, int thread, uint64_t ticks)
{
	writer->now[thread] += ticks;
}

void writer_enter(struct writer *writer, int thread, enum region region)
{
	OTF2_EvtWriter_Enter(
	    writer->events[thread], NULL, writer->now[thread], (OTF2_RegionRef)region);
}

void writer_leave(struct writer *writer, int thread, enum region region)
{
	OTF2_EvtWriter_Leave(
	    writer->events[thread], NULL, writer->now[thread], (OTF2_RegionRef)region);
}

void writer_region(struct writer *writer, int thread, enum region region, uint64_t ticks)
{
	writer_enter(writer, thread, region);
	writer_work(writer, thread, ticks);
	writer_leave(writer, thread, region);
}

void writer_barrier(struct writer *writer, int first, int count, enum region region)
{
	uint64_t last = 0;

	for (int i = first; i < first + count; i++) {
		writer_enter(writer, i, region);
		if (writer->now[i] > last)
			last = writer->now[i];
	}
	for (int i = first; i < first + count; i++) {
		writer->now[i] = last;
		writer_leave(writer, i, region);
	}
}

void writer_fork(struct writer *writer, int first, int count, OTF2_CommRef team, enum region region,
    uint64_t cost)
{
	OTF2_EvtWriter_ThreadFork(
	    writer->events[first], NULL, writer->now[first], OTF2_PARADIGM_OPENMP, (uint32_t)count);
	for (int i = first; i < first + count; i++) {
		writer->now[i] = i == first ? writer->now[i] + cost : writer->now[first];
		OTF2_EvtWriter_ThreadTeamBegin(writer->events[i], NULL, writer->now[i], team);
		writer_enter(writer, i, region);
	}
}

void writer_join(struct writer *writer, int first, int count, OTF2_CommRef team, enum region region,
    enum region barrier, uint64_t cost)
{
	writer_barrier(writer, first, count, barrier);
	for (int i = first; i < first + count; i++) {
		writer_leave(writer, i, region);
		OTF2_EvtWriter_ThreadTeamEnd(writer->events[i], NULL, writer->now[i], team);
	}
	writer->now[first] += cost;
	OTF2_EvtWriter_ThreadJoin(
	    writer->events[first], NULL, writer->now[first], OTF2_PARADIGM_OPENMP);
}

void writer_critical(
    struct writer *writer, int thread, uint64_t begin, uint32_t lock, uint64_t ticks)
{
	writer_enter(writer, thread, CRITICAL);
	if (begin > writer->now[thread])
		writer->now[thread] = begin;
	/* Threads are written one after the other: what counts up in the order of time is time. */
	uint32_t order = (uint32_t)(writer->now[thread] - CLOCK_START);
	OTF2_EvtWriter_ThreadAcquireLock(
	    writer->events[thread], NULL, writer->now[thread], OTF2_PARADIGM_OPENMP, lock, order);
	writer_region(writer, thread, CRITICAL_BLOCK, ticks);
	OTF2_EvtWriter_ThreadReleaseLock(
	    writer->events[thread], NULL, writer->now[thread], OTF2_PARADIGM_OPENMP, lock, order);
	writer_leave(writer, thread, CRITICAL);
}

void writer_task_create(struct writer *writer, int thread, uint32_t number, uint64_t ticks)
{
	writer_enter(writer, thread, TASK_CREATE);
	OTF2_EvtWriter_ThreadTaskCreate(
	    writer->events[thread], NULL, writer->now[thread], 0, 0, number);
	writer_work(writer, thread, ticks);
	writer_leave(writer, thread, TASK_CREATE);
}

void writer_task_switch(struct writer *writer, int thread, uint32_t number)
{
	OTF2_EvtWriter_ThreadTaskSwitch(
	    writer->events[thread], NULL, writer->now[thread], 0, 0, number);
}

void writer_task_complete(struct writer *writer, int thread, uint32_t number)
{
	OTF2_EvtWriter_ThreadTaskComplete(
	    writer->events[thread], NULL, writer->now[thread], 0, 0, number);
}
