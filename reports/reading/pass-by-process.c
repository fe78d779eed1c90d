/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The pass process by process, by several threads at a time. Each thread has a copy of the
 * analysis. The copies share the data of each thread and process of the program, because no two
 * copies touch the same one; sums belong to a copy and are added up at the end. Locks and MPI calls
 * are kept by process until then, so that the result does not depend on which thread read which
 * process.
 *
 * Only MPI relates processes to each other. Its calls are recorded, and replayed in the order of
 * time when all processes have been read. The critical path is found after that (path-readers.c).
 *
 * If several processes make the report (readers.h), each reads the processes of one part of the
 * archive, as if it had no others, and sends process 0 its sums.
 */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "part.h"
#include "pass.h"
#include "reader-request.h"
#include "record.h"
#include "shares.h"

/* Bytes of recorded MPI calls that stay in memory, over all threads; and of one message of them. */
#define RECORD_MEMORY ((size_t)16 << 20)
#define RECORDS_SENT  ((size_t)1 << 20)

/* What is kept for each process. */
struct result {
	struct lock *locks;
	size_t lock_count;
	struct mpi_record *record;
};

/* Where recorded calls of MPI are, until they are replayed. */
struct spills {
	struct spill **items;
	size_t count, room;
};

struct pass {
	const struct archive_process *processes;
	struct result *results; /* by process */
	size_t count;
	struct spills *spills;
};

/* The copy that belongs to one reading thread. */
struct copy {
	struct analysis analysis; /* must be first: analysis_consume() gets it as its context */
	struct pass *pass;
	struct spill *spill;
	bool has_forks; /* of all processes so far; the analysis has that of the current one */
};

/*
 * A row of the timeline with threads of several processes must be filled in the order of time, so
 * processes cannot be read one by one.
 */
static bool rows_are_of_one_process(const struct analysis *analysis)
{
	const struct timeline *timeline = analysis->timeline;

	for (size_t i = 0; timeline && i < timeline->rows; i++) {
		size_t first = timeline->row_begins[i], end = timeline->row_begins[i + 1];

		if (end > first && analysis_process_of(analysis->archive, first) !=
				       analysis_process_of(analysis->archive, end - 1))
			return false;
	}
	return true;
}

/* A process may record metrics of another process's thread. */
static bool metrics_are_of_one_process(const struct archive *archive)
{
	for (size_t i = 0; i < archive->metric_class_count; i++) {
		if (archive->metric_classes[i].scope == SCOPE_LOCATION)
			return false;
	}
	return true;
}

bool analysis_is_separable(const struct analysis *analysis)
{
	return analysis->archive->group_count > 1 && !analysis->cuts && !analysis->choice->record &&
	       !analysis->choice->observe && !analysis->choice->mpi_observer &&
	       metrics_are_of_one_process(analysis->archive) && rows_are_of_one_process(analysis);
}

/* Prepares the copy for its first or next process. */
static void begin_process(struct copy *copy)
{
	copy->analysis.has_forks = false;
	copy->analysis.order = 0;
	if (copy->analysis.mpi)
		copy->analysis.mpi->record = mpi_record_new(copy->spill);
}

static struct copy *new_copy(const struct analysis *whole, struct pass *pass, size_t copies)
{
	struct copy *copy = memory_new(1, sizeof(*copy));
	struct analysis *analysis = &copy->analysis;

	copy->pass = pass;
	copy->spill = spill_new(RECORD_MEMORY / copies);
	*MEMORY_ADD(pass->spills->items, pass->spills->room, pass->spills->count) = copy->spill;
	*analysis = *whole;
	analysis->constructs = memory_new(whole->construct_count, sizeof(analysis->constructs[0]));
	memcpy(analysis->constructs, whole->constructs,
	    whole->construct_count * sizeof(analysis->constructs[0]));
	analysis->metric_sums = memory_new(
	    whole->construct_count * whole->metric_count, sizeof(analysis->metric_sums[0]));
	if (whole->timeline)
		analysis->timeline = timeline_new_part(whole->timeline);
	if (whole->path)
		analysis->path = path_new_part(whole->path, copies);
	if (whole->mpi)
		analysis->mpi = mpi_new_recorder(whole->archive);
	begin_process(copy);
	return copy;
}

static void close_lanes(struct path *path, const struct archive_process *process)
{
	for (size_t i = 0; i < process->count; i++) {
		if (process->locations[i] < path->threads)
			path_close_thread(path, process->locations[i]);
	}
}

static void finish_process(void *context, size_t process)
{
	struct copy *copy = context;
	struct analysis *analysis = &copy->analysis;
	struct result *result = &copy->pass->results[process];

	if (analysis->mpi)
		mpi_record_at(analysis->mpi->record, UINT64_MAX);
	analysis_close(analysis, copy->pass->processes[process].locations,
	    copy->pass->processes[process].count);
	if (analysis->path)
		close_lanes(analysis->path, &copy->pass->processes[process]);
	copy->has_forks |= analysis->has_forks;
	if (analysis->mpi) {
		mpi_record_end(analysis->mpi->record);
		result->record = analysis->mpi->record;
	}
	result->locks = analysis->locks;
	result->lock_count = analysis->lock_count;
	analysis->locks = NULL;
	analysis->lock_count = analysis->lock_room = 0;
	pair_map_free(&analysis->lock_of);
	begin_process(copy);
}

static void add_construct(struct construct *sum, const struct construct *part)
{
	if (part->has_body && (!sum->has_body || part->task_min < sum->task_min))
		sum->task_min = part->task_min;
	if (part->task_max > sum->task_max)
		sum->task_max = part->task_max;
	sum->events += part->events;
	sum->created += part->created;
	sum->undeferred += part->undeferred;
	sum->create_time += part->create_time;
	sum->imbalance += part->imbalance;
	sum->barriers_completed += part->barriers_completed;
	sum->arrival_imbalance += part->arrival_imbalance;
	sum->has_barrier_wait |= part->has_barrier_wait;
	sum->has_enter_wait |= part->has_enter_wait;
	sum->has_imbalance |= part->has_imbalance;
	sum->has_body |= part->has_body;
}

static void add_part(struct analysis *sum, const struct analysis *more, bool has_forks)
{
	for (size_t i = 0; i < sum->construct_count; i++)
		add_construct(&sum->constructs[i], &more->constructs[i]);
	for (size_t i = 0; i < sum->construct_count * sum->metric_count; i++)
		sum->metric_sums[i] += more->metric_sums[i];
	for (size_t i = 0; i < EVENT_KINDS; i++)
		sum->kinds[i] += more->kinds[i];
	for (size_t i = 0; i < more->behind_count; i++)
		analysis_add_behind(sum, &more->behind[i]);
	analysis_add_samples(sum, more);
	sum->events += more->events;
	sum->beside += more->beside;
	sum->unbalanced += more->unbalanced;
	sum->mpi_held += more->mpi_held;
	sum->has_teams |= more->has_teams;
	sum->has_forks |= has_forks;
	if (more->first_time < sum->first_time)
		sum->first_time = more->first_time;
	if (more->last_time > sum->last_time)
		sum->last_time = more->last_time;
}

static void free_copy(struct analysis *whole, struct copy *copy)
{
	if (whole->timeline)
		timeline_join(whole->timeline, copy->analysis.timeline);
	if (whole->path)
		path_join(whole->path, copy->analysis.path);
	if (copy->analysis.mpi)
		mpi_record_free(copy->analysis.mpi->record);
	mpi_free(copy->analysis.mpi);
	free(copy->analysis.constructs);
	free(copy->analysis.metric_sums);
	free(copy->analysis.blocked);
	pair_map_free(&copy->analysis.blocked_of);
	free(copy->analysis.samples);
	pair_map_free(&copy->analysis.samples_of);
	free(copy->analysis.behind);
	pair_map_free(&copy->analysis.behind_of);
	free(copy);
}

/* Adds the results in the order of the processes. */
static void add_results(struct analysis *analysis, const struct pass *pass)
{
	struct mpi_record **records = memory_new(pass->count, sizeof(records[0]));
	size_t record_count = 0;

	for (size_t i = 0; i < pass->count; i++) {
		struct result *result = &pass->results[i];

		MEMORY_GROW(analysis->locks, analysis->lock_room,
		    analysis->lock_count + result->lock_count);
		if (result->lock_count > 0)
			memcpy(analysis->locks + analysis->lock_count, result->locks,
			    result->lock_count * sizeof(result->locks[0]));
		analysis->lock_count += result->lock_count;
		free(result->locks);
		if (result->record)
			records[record_count++] = result->record;
	}
	if (analysis->mpi)
		mpi_replay(analysis->mpi, records, record_count);
	for (size_t i = 0; i < record_count; i++)
		mpi_record_free(records[i]);
	free(records);
}

/* Reads the pass's processes, by several threads, and adds up what they found. */
static void read_here(struct analysis *analysis, struct pass *pass)
{
	static const struct archive_consumer consumer = {analysis_consume, finish_process};
	size_t jobs = shares_jobs(analysis->archive, pass->count);
	struct copy **copies;

	copies = memory_new(jobs, sizeof(copies[0]));
	for (size_t i = 0; i < jobs; i++)
		copies[i] = new_copy(analysis, pass, jobs);
	archive_for_each_process(
	    analysis->archive, pass->processes, pass->count, &consumer, (void **)copies, jobs);
	for (size_t i = 0; i < jobs; i++)
		add_part(analysis, &copies[i]->analysis, copies[i]->has_forks);
	for (size_t i = 0; i < jobs; i++)
		free_copy(analysis, copies[i]);
	free(copies);
}

/* The recorded calls of MPI follow in messages of their own, the last of them without any. */
static void send_records(struct message *message, const struct pass *pass)
{
	unsigned char bytes[RECORD_PIECE];

	message_clear(message);
	for (size_t i = 0; i < pass->count; i++) {
		const struct mpi_record *record = pass->results[i].record;

		for (size_t j = 0; record && j < record->piece_count; j++) {
			size_t size = record->pieces[j].size;

			spill_get(record->spill, record->pieces[j], 0, bytes, size);
			MESSAGE_FIELD(message, i);
			MESSAGE_FIELD(message, size);
			message_bytes(message, bytes, size);
			if (message->used < RECORDS_SENT)
				continue;
			readers_send(0, message);
			message_clear(message);
		}
	}
	if (message->used > 0)
		readers_send(0, message);
	message_clear(message);
	readers_send(0, message);
}

static void receive_records(
    size_t reader, struct message *message, struct spill *spill, const struct pass *pass)
{
	unsigned char bytes[RECORD_PIECE];

	for (size_t i = 0; i < pass->count; i++)
		pass->results[i].record = mpi_record_new(spill);
	for (;;) {
		readers_receive(reader, message);
		if (message->used == 0)
			return;
		while (message->at < message->used) {
			struct mpi_record *record;
			size_t process = 0, size = 0;

			MESSAGE_FIELD(message, process);
			MESSAGE_FIELD(message, size);
			message_bytes(message, bytes, size);
			record = pass->results[process].record;
			*MEMORY_ADD(record->pieces, record->piece_room, record->piece_count) =
			    spill_put(spill, bytes, size);
		}
	}
}

static void exchange(struct message *message, struct analysis *analysis, struct pass *pass)
{
	for (size_t i = 0; i < pass->count; i++) {
		part_process(message, analysis, &pass->processes[i]);
		part_locks(message, &pass->results[i].locks, &pass->results[i].lock_count);
	}
}

static void send_part(struct analysis *analysis, struct pass *pass, size_t first_warning)
{
	struct message message = {0};

	part_archive(&message, analysis->archive, first_warning);
	part_sums(&message, analysis);
	exchange(&message, analysis, pass);
	readers_send(0, &message);
	if (analysis->mpi)
		send_records(&message, pass);
	message_free(&message);
	for (size_t i = 0; i < pass->count; i++) {
		for (size_t j = 0; j < pass->results[i].lock_count; j++)
			free(pass->results[i].locks[j].name);
		free(pass->results[i].locks);
		mpi_record_free(pass->results[i].record);
	}
}

/* The copy of an analysis with sums has those of the analysis, until others are read into it. */
static void forget_sums(struct analysis *copy)
{
	copy->behind = NULL;
	copy->samples = copy->blocked = NULL;
	copy->behind_of = copy->samples_of = copy->blocked_of = (struct pair_map){0};
	if (copy->timeline)
		copy->timeline->stretches = NULL;
}

static void receive_part(struct analysis *analysis, size_t reader, struct pass *pass)
{
	struct message message = {0};
	struct copy *copy = new_copy(analysis, pass, readers_count());

	forget_sums(&copy->analysis);
	readers_receive(reader, &message);
	part_archive(&message, analysis->archive, analysis->archive->warning_count);
	part_sums(&message, &copy->analysis);
	exchange(&message, &copy->analysis, pass);
	add_part(analysis, &copy->analysis, copy->analysis.has_forks);
	if (analysis->mpi)
		receive_records(reader, &message, copy->spill, pass);
	message_free(&message);
	free_copy(analysis, copy);
}

/* Who reads a process has the path of its threads. */
static void divide_path(
    struct analysis *analysis, const struct archive_process *processes, const struct share *ranges)
{
	size_t threads = analysis->archive->thread_count;
	struct path *path = analysis->path;

	analysis->path_readers = memory_new(threads, sizeof(analysis->path_readers[0]));
	path->elsewhere = memory_new(threads, sizeof(path->elsewhere[0]));
	for (size_t reader = 0, i = 0; reader < readers_count(); reader++) {
		for (; i < ranges[reader].end; i++) {
			for (size_t j = 0; j < processes[i].count; j++) {
				if (processes[i].locations[j] < threads)
					analysis->path_readers[processes[i].locations[j]] = reader;
			}
		}
	}
	for (size_t i = 0; i < threads; i++)
		path->elsewhere[i] = analysis->path_readers[i] != readers_index();
}

static struct pass part_of(const struct pass *pass, const struct share *range)
{
	return (struct pass){pass->processes + range->begin, pass->results + range->begin,
	    range->end - range->begin, pass->spills};
}

void analysis_read_processes(struct analysis *analysis)
{
	struct archive *archive = analysis->archive;
	size_t readers = readers_count(), own = readers_index();
	size_t first_warning = archive->warning_count;
	struct spills spills = {0};
	struct archive_process *processes;
	struct pass pass = {.spills = &spills}, here;
	struct share *ranges;

	processes = archive_list_processes(archive, &pass.count);
	pass.processes = processes;
	pass.results = memory_new(pass.count, sizeof(pass.results[0]));
	ranges = shares_new(archive, processes, pass.count);
	if (own == 0)
		reader_request_send(analysis);
	if (analysis->path && readers > 1)
		divide_path(analysis, processes, ranges);
	here = part_of(&pass, &ranges[own]);
	read_here(analysis, &here);
	if (own > 0) {
		send_part(analysis, &here, first_warning);
	} else {
		for (size_t i = 1; i < readers; i++) {
			struct pass part = part_of(&pass, &ranges[i]);

			receive_part(analysis, i, &part);
		}
		/* Those that have parts of the path are still needed. */
		readers_depend(analysis->path_readers);
		add_results(analysis, &pass);
	}
	for (size_t i = 0; i < spills.count; i++)
		spill_free(spills.items[i]);
	free(spills.items);
	free(ranges);
	free(pass.results);
	archive_free_processes(processes, pass.count);
}
