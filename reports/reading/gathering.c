/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements gathering.h. A message to process 0 has an entry for each process of the program: its
 * place among them from 1, what finish() wrote, and what reading found about its locations. The
 * last entry, at place 0, is about the share and its archive.
 */
#include "gathering.h"

#include <pthread.h>
#include <stdlib.h>

#include "memory.h"
#include "part.h"
#include "reader-request.h"
#include "shares.h"

/* Bytes after which entries are sent. */
#define ENTRIES_SENT ((size_t)1 << 20)

struct gatherer {
	const struct gathering *gathering;
	struct archive *archive;
	const struct archive_process *processes; /* of the share */
	size_t first, count;  /* place of the share's first process among all; how many it has */
	pthread_mutex_t lock; /* protects the rest */
	void *sums;
	uint64_t first_time; /* of the first event; UINT64_MAX: there is none */
	struct message entries;
};

/* Of one thread. */
struct worker {
	struct gatherer *gatherer;
	void *part;
	struct message found;
	uint64_t first_time; /* of the process; UINT64_MAX: it has had no event so far */
	bool sends;          /* only the first thread may call MPI */
};

void gathering_choice_free(struct gathering_choice *choice)
{
	free(choice->threads);
	free(choice->regions);
}

static void exchange_choice(
    struct message *message, struct gathering_choice *choice, const struct archive *archive)
{
	size_t threads = choice->threads ? archive->location_count : 0;
	size_t regions = choice->regions ? archive->region_count + 1 : 0;

	MESSAGE_FIELD(message, choice->from);
	MESSAGE_FIELD(message, choice->to);
	MESSAGE_FIELD(message, choice->first);
	choice->threads =
	    message_array(message, choice->threads, &threads, sizeof(choice->threads[0]));
	choice->regions =
	    message_array(message, choice->regions, &regions, sizeof(choice->regions[0]));
}

static void send_request(const struct gathering *gathering, const struct archive *archive,
    const struct gathering_choice *choice)
{
	struct gathering_choice sent = *choice;
	struct message message = {0};

	reader_request_begin(&message, gathering->kind, archive);
	exchange_choice(&message, &sent, archive);
	for (size_t i = 1; i < readers_count(); i++)
		readers_send(i, &message);
	message_free(&message);
}

static void consume(void *context, const struct archive_event *event)
{
	struct worker *worker = context;

	if (worker->first_time == UINT64_MAX)
		worker->first_time = event->time;
	worker->gatherer->gathering->consume(worker->part, event);
}

/* What travels about a process, with its size before it. */
static void put_entry(struct gatherer *gatherer, size_t index, struct message *found)
{
	const struct archive_process *process = &gatherer->processes[index];
	struct message *entries = &gatherer->entries;
	size_t place = gatherer->first + index + 1;

	MESSAGE_FIELD(entries, place);
	message_part(entries, found);
	for (size_t i = 0; i < process->count; i++)
		part_location(entries, &gatherer->archive->locations[process->locations[i]]);
}

static void finish(void *context, size_t index)
{
	struct worker *worker = context;
	struct gatherer *gatherer = worker->gatherer;
	const struct archive_process *process = &gatherer->processes[index];

	message_clear(&worker->found);
	gatherer->gathering->finish(worker->part, process, &worker->found);
	pthread_mutex_lock(&gatherer->lock);
	if (worker->first_time < gatherer->first_time)
		gatherer->first_time = worker->first_time;
	worker->first_time = UINT64_MAX;
	if (readers_index() == 0) {
		worker->found.reads = true;
		gatherer->gathering->add(gatherer->sums, process, &worker->found);
	} else {
		put_entry(gatherer, index, &worker->found);
		if (worker->sends && gatherer->entries.used >= ENTRIES_SENT) {
			readers_send(0, &gatherer->entries);
			message_clear(&gatherer->entries);
		}
	}
	pthread_mutex_unlock(&gatherer->lock);
}

static struct worker *new_worker(struct gatherer *gatherer, const struct gathering_choice *choice)
{
	struct worker *worker = memory_new(1, sizeof(*worker));

	worker->gatherer = gatherer;
	worker->first_time = UINT64_MAX;
	worker->part = gatherer->gathering->part_new(gatherer->archive, choice);
	return worker;
}

static void free_worker(struct worker *worker)
{
	worker->gatherer->gathering->part_free(worker->part);
	message_free(&worker->found);
	free(worker);
}

static void read_share(struct gatherer *gatherer, const struct gathering_choice *choice)
{
	static const struct archive_consumer consumer = {consume, finish};
	size_t jobs = shares_jobs(gatherer->archive, gatherer->count);
	struct worker **workers = memory_new(jobs, sizeof(workers[0]));

	for (size_t i = 0; i < jobs; i++)
		workers[i] = new_worker(gatherer, choice);
	workers[0]->sends = true;
	archive_for_each_process(gatherer->archive, gatherer->processes, gatherer->count, &consumer,
	    (void **)workers, jobs);
	for (size_t i = 0; i < jobs; i++)
		free_worker(workers[i]);
	free(workers);
}

/* A thread of its own reads ahead, which pays where there is only one process to read. */
static void read_one_process(struct gatherer *gatherer, const struct gathering_choice *choice)
{
	struct worker *worker = new_worker(gatherer, choice);

	archive_for_each_event(gatherer->archive, consume, worker);
	if (gatherer->count > 0)
		finish(worker, 0);
	free_worker(worker);
}

static void receive_share(struct gatherer *gatherer, size_t reader)
{
	struct archive *archive = gatherer->archive;
	struct message message = {0}, found = {0};
	uint64_t first_time;
	size_t place = 1;

	while (place > 0) {
		readers_receive(reader, &message);
		while (place > 0 && message.at < message.used) {
			const struct archive_process *process;

			MESSAGE_FIELD(&message, place);
			if (place == 0)
				break;
			process = &gatherer->processes[place - 1];
			message_part(&message, &found);
			gatherer->gathering->add(gatherer->sums, process, &found);
			for (size_t i = 0; i < process->count; i++)
				part_location(&message, &archive->locations[process->locations[i]]);
		}
	}
	MESSAGE_FIELD(&message, first_time);
	if (first_time < gatherer->first_time)
		gatherer->first_time = first_time;
	part_archive(&message, archive, archive->warning_count);
	message_free(&message);
}

static void read_shares(struct gatherer *all, const struct gathering_choice *choice)
{
	struct share *shares = shares_new(all->archive, all->processes, all->count);
	struct gatherer here = *all;

	here.count = shares[0].end;
	readers_depend(readers_count() > 1);
	send_request(all->gathering, all->archive, choice);
	read_share(&here, choice);
	all->first_time = here.first_time;
	for (size_t i = 1; i < readers_count(); i++)
		receive_share(all, i);
	readers_depend(false);
	free(shares);
}

/* What reading has found is forgotten, but for the program, which reading again does not change. */
static void forget(struct archive *archive, size_t first_warning)
{
	for (size_t i = first_warning; i < archive->warning_count; i++)
		free(archive->warnings[i]);
	archive->warning_count = first_warning;
	archive->events = 0;
	for (size_t i = 0; i < archive->location_count; i++) {
		struct archive_location *location = &archive->locations[i];

		location->events_read = location->events_skipped = 0;
		location->switches = location->other_metrics = 0;
		location->truncated = location->has_local_definitions = false;
	}
}

uint64_t gathering_read(const struct gathering *gathering, struct archive *archive,
    const struct gathering_choice *choice, void *sums)
{
	size_t count, first_warning = archive->warning_count;
	struct archive_process *processes = archive_list_processes(archive, &count);
	struct gatherer all = {gathering, archive, processes, 0, count, PTHREAD_MUTEX_INITIALIZER,
	    sums, UINT64_MAX, {0}};
	bool has_times = choice->from > 0 || choice->to != UINT64_MAX;
	struct gathering_choice timed = *choice;

	timed.first = count <= 1 ? UINT64_MAX : has_times ? archive->clock_start : 0;
	if (count <= 1)
		read_one_process(&all, &timed);
	else
		read_shares(&all, &timed);
	if (count > 1 && has_times && all.first_time != timed.first) {
		timed.first = all.first_time;
		gathering->clear(sums);
		forget(archive, first_warning);
		read_shares(&all, &timed);
	}
	archive_free_processes(processes, count);
	return all.first_time;
}

void gathering_serve(
    const struct gathering *gathering, struct archive *archive, struct message *request)
{
	struct gathering_choice choice = {0};
	size_t count, last = 0, first_warning = archive->warning_count;
	struct archive_process *processes = archive_list_processes(archive, &count);
	struct share *shares = shares_new(archive, processes, count);
	const struct share *own = &shares[readers_index()];
	struct gatherer here = {gathering, archive, processes + own->begin, own->begin,
	    own->end - own->begin, PTHREAD_MUTEX_INITIALIZER, NULL, UINT64_MAX, {0}};

	exchange_choice(request, &choice, archive);
	read_share(&here, &choice);
	MESSAGE_FIELD(&here.entries, last);
	MESSAGE_FIELD(&here.entries, here.first_time);
	part_archive(&here.entries, archive, first_warning);
	readers_send(0, &here.entries);
	message_free(&here.entries);
	gathering_choice_free(&choice);
	free(shares);
	archive_free_processes(processes, count);
}
