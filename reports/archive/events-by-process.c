/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the events process by process. Each thread takes the next process, opens the archive anew
 * for it and closes it again. The OTF2 library searches all open locations whenever it opens
 * another one and keeps some 270 KiB for each, so opening thousands at a time takes long and needs
 * much memory.
 *
 * Each thread works on its own copy of the archive's struct. The copies share the definitions,
 * which nobody changes; what reading adds to a copy is merged when all threads are done. A thread
 * changes only the locations of its own process. The lock protects the number of the next process
 * and the count of events read.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "definitions.h"
#include "event-source.h"
#include "memory.h"

/* What reading a process adds to the archive. */
struct addition {
	char **warnings;
	size_t warning_count;
	const char *program;
	const char **arguments;
	size_t argument_count;
	uint64_t events;
};

struct reading {
	struct archive *archive;
	const struct archive_process *processes;
	size_t process_count;
	const struct archive_consumer *consumer;
	struct addition *additions; /* by process */
	pthread_mutex_t lock;
	size_t next;
	uint64_t events, announced; /* for the progress */
};

struct worker {
	struct reading *reading;
	void *context;
	pthread_t thread;
	bool has_thread;
};

/* The index of the location's group; locations without a group follow all others. */
static size_t process_of(const struct archive *archive, size_t location)
{
	uint32_t group = archive->locations[location].group;

	return group == ARCHIVE_NO_INDEX ? archive->group_count : group;
}

struct archive_process *archive_list_processes(const struct archive *archive, size_t *count)
{
	struct archive_process *processes =
	    memory_new(archive->group_count + 1, sizeof(processes[0]));

	*count = 0;
	for (size_t i = 0; i < archive->location_count; i++)
		processes[process_of(archive, i)].count++;
	for (size_t i = 0; i <= archive->group_count; i++) {
		processes[i].locations =
		    memory_new(processes[i].count, sizeof(processes[i].locations[0]));
		processes[i].count = 0;
	}
	for (size_t i = 0; i < archive->location_count; i++) {
		struct archive_process *process = &processes[process_of(archive, i)];

		process->locations[process->count++] = (uint32_t)i;
	}
	for (size_t i = 0; i <= archive->group_count; i++) {
		if (processes[i].count > 0)
			processes[(*count)++] = processes[i];
		else
			free(processes[i].locations);
	}
	return processes;
}

void archive_free_processes(struct archive_process *processes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(processes[i].locations);
	free(processes);
}

/* False when none is left. */
static bool take_next(struct reading *reading, size_t *process)
{
	pthread_mutex_lock(&reading->lock);
	*process = reading->next;
	if (reading->next < reading->process_count)
		reading->next++;
	pthread_mutex_unlock(&reading->lock);
	return *process < reading->process_count;
}

/* Calls archive->progress once every million events; the lock keeps two calls from overlapping. */
static void show_progress(struct reading *reading, uint64_t more)
{
	pthread_mutex_lock(&reading->lock);
	reading->events += more;
	if (reading->archive->progress && reading->events >> 20 != (reading->events - more) >> 20)
		reading->archive->progress(reading->events, reading->announced);
	pthread_mutex_unlock(&reading->lock);
}

static void read_process(struct worker *worker, struct archive *copy, size_t index)
{
	struct reading *reading = worker->reading;
	const struct archive_process *process = &reading->processes[index];

	copy->reader = OTF2_Reader_Open(copy->path);
	if (copy->reader) {
		OTF2_Reader_SetSerialCollectiveCallbacks(copy->reader);
		archive_read_locations(copy, process->locations, process->count, false,
		    reading->consumer->consume, worker->context);
		OTF2_Reader_Close(copy->reader);
	} else {
		archive_warn(copy, "the events of %s%s cannot be read (%s); they are left out",
		    copy->locations[process->locations[0]].label,
		    process->count > 1 ? " and others of its process" : "",
		    copy->last_error ? copy->last_error : "no reason given");
	}
	reading->consumer->finish(worker->context, index);
}

static void *run(void *context)
{
	struct worker *worker = context;
	struct reading *reading = worker->reading;
	size_t process;

	while (take_next(reading, &process)) {
		struct archive copy = *reading->archive;

		copy.progress = NULL;
		copy.warnings = NULL;
		copy.warning_count = copy.warning_room = 0;
		copy.last_error = NULL;
		copy.program = NULL;
		copy.arguments = NULL;
		copy.argument_count = 0;
		copy.events = 0;
		archive_take_errors(&copy);
		read_process(worker, &copy, process);
		archive_take_errors(NULL);
		free(copy.last_error);
		reading->additions[process] = (struct addition){copy.warnings, copy.warning_count,
		    copy.program, copy.arguments, copy.argument_count, copy.events};
		show_progress(reading, copy.events);
	}
	return NULL;
}

/* The first process that names the program decides its name, as it does when one thread reads. */
static void add_up(struct archive *archive, struct addition *addition)
{
	for (size_t i = 0; i < addition->warning_count; i++) {
		archive_warn(archive, "%s", addition->warnings[i]);
		free(addition->warnings[i]);
	}
	free(addition->warnings);
	archive->events += addition->events;
	if (archive->program) {
		free(addition->arguments);
		return;
	}
	archive->program = addition->program;
	archive->arguments = addition->arguments;
	archive->argument_count = addition->argument_count;
}

static uint64_t announced_by(const struct archive *archive)
{
	uint64_t announced = 0;

	for (size_t i = 0; i < archive->location_count; i++)
		announced += archive->locations[i].events_announced;
	return announced;
}

/*
 * The OTF2 library allocates the same large blocks for each process. glibc would return them to the
 * system, which clears them again; that would take most of the time.
 */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 32 << 20);
	mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

void archive_for_each_process(struct archive *archive, const struct archive_process *processes,
    size_t process_count, const struct archive_consumer *consumer, void **contexts, size_t count)
{
	struct reading reading = {.archive = archive,
	    .processes = processes,
	    .process_count = process_count,
	    .consumer = consumer,
	    .announced = announced_by(archive)};
	struct worker *workers = memory_new(count, sizeof(workers[0]));

	reading.additions = memory_new(process_count, sizeof(reading.additions[0]));
	pthread_mutex_init(&reading.lock, NULL);
	keep_freed_memory();
	for (size_t i = 0; i < count; i++)
		workers[i] = (struct worker){.reading = &reading, .context = contexts[i]};
	/* If a thread cannot be created, the other threads do its work. */
	for (size_t i = 1; i < count; i++)
		workers[i].has_thread =
		    pthread_create(&workers[i].thread, NULL, run, &workers[i]) == 0;
	run(&workers[0]);
	for (size_t i = 1; i < count; i++) {
		if (workers[i].has_thread)
			pthread_join(workers[i].thread, NULL);
	}
	for (size_t i = 0; i < process_count; i++)
		add_up(archive, &reading.additions[i]);
	pthread_mutex_destroy(&reading.lock);
	free(reading.additions);
	free(workers);
}
