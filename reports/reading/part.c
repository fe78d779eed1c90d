/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements part.h. Pointers in what travels have no meaning in the other process. */
#include "part.h"

#include <stdlib.h>

#include "memory.h"

static void kept_samples(struct message *message, struct code_samples **samples, size_t *count)
{
	*samples = message_array(message, *samples, count, sizeof((*samples)[0]));
}

void part_sums(struct message *message, struct analysis *analysis)
{
	message_bytes(message, analysis->constructs,
	    analysis->construct_count * sizeof(analysis->constructs[0]));
	message_bytes(message, analysis->metric_sums,
	    analysis->construct_count * analysis->metric_count * sizeof(analysis->metric_sums[0]));
	MESSAGE_FIELD(message, analysis->kinds);
	analysis->behind = message_array(
	    message, analysis->behind, &analysis->behind_count, sizeof(analysis->behind[0]));
	kept_samples(message, &analysis->samples, &analysis->sample_count);
	kept_samples(message, &analysis->blocked, &analysis->blocked_count);
	MESSAGE_FIELD(message, analysis->events);
	MESSAGE_FIELD(message, analysis->beside);
	MESSAGE_FIELD(message, analysis->unbalanced);
	MESSAGE_FIELD(message, analysis->mpi_held);
	MESSAGE_FIELD(message, analysis->has_teams);
	MESSAGE_FIELD(message, analysis->has_forks);
	MESSAGE_FIELD(message, analysis->first_time);
	MESSAGE_FIELD(message, analysis->last_time);
	if (!analysis->timeline)
		return;
	MESSAGE_FIELD(message, analysis->timeline->stretches_max);
	analysis->timeline->stretches = message_array(message, analysis->timeline->stretches,
	    &analysis->timeline->stretch_count, sizeof(analysis->timeline->stretches[0]));
}

/* All but what only the thread's events need: that is free by now. */
static void part_thread(struct message *message, struct thread *thread)
{
	struct thread_metrics metrics = thread->metrics;

	message_bytes(message, thread, sizeof(*thread));
	if (message->reads) {
		thread->metrics = metrics;
		thread->current = &thread->base;
		thread->base.frames = NULL;
		thread->base.metrics = NULL;
		thread->stays = NULL;
		thread->forks = NULL;
		thread->visited_of = (struct map){0};
	}
	thread->visited = message_array(
	    message, thread->visited, &thread->visited_count, sizeof(thread->visited[0]));
	for (size_t i = 0; message->reads && i < thread->visited_count; i++)
		memory_map_set(&thread->visited_of, thread->visited[i].construct, i);
}

void part_location(struct message *message, struct archive_location *location)
{
	MESSAGE_FIELD(message, location->events_read);
	MESSAGE_FIELD(message, location->events_skipped);
	MESSAGE_FIELD(message, location->switches);
	MESSAGE_FIELD(message, location->other_metrics);
	MESSAGE_FIELD(message, location->truncated);
	MESSAGE_FIELD(message, location->has_local_definitions);
}

static void part_rows(struct message *message, struct timeline *timeline, uint32_t thread)
{
	uint32_t row = timeline->row_of[thread];

	/* A row's threads are of one process, and its first thread stands for it. */
	if (timeline->row_begins[row] == thread)
		message_bytes(message, &timeline->cells[row * timeline->bins],
		    timeline->bins * sizeof(timeline->cells[0]));
}

void part_process(
    struct message *message, struct analysis *analysis, const struct archive_process *process)
{
	size_t group = analysis_process_of(analysis->archive, process->locations[0]);

	for (size_t i = 0; i < process->count; i++) {
		uint32_t location = process->locations[i];

		part_location(message, &analysis->archive->locations[location]);
		if (location >= analysis->archive->thread_count)
			continue;
		part_thread(message, &analysis->threads[location]);
		if (analysis->timeline)
			part_rows(message, analysis->timeline, location);
	}
	MESSAGE_FIELD(message, analysis->largest_teams[group]);
	MESSAGE_FIELD(message, analysis->imbalances[group]);
}

void part_locks(struct message *message, struct lock **locks, size_t *count)
{
	*locks = message_array(message, *locks, count, sizeof((*locks)[0]));
	for (size_t i = 0; i < *count; i++)
		message_text(message, &(*locks)[i].name);
}

/* A string of the definitions, by its place among them; "" is none of them. */
static void part_string(struct message *message, const struct archive *archive, const char **string)
{
	size_t place = 0;

	while (
	    !message->reads && place < archive->string_count && archive->strings[place] != *string)
		place++;
	MESSAGE_FIELD(message, place);
	if (message->reads)
		*string = place < archive->string_count ? archive->strings[place] : "";
}

static void part_program(struct message *message, struct archive *archive)
{
	bool has_program = archive->program;
	const char *program = archive->program;
	size_t count = archive->argument_count;
	const char **arguments;

	MESSAGE_FIELD(message, has_program);
	if (!has_program)
		return;
	part_string(message, archive, &program);
	MESSAGE_FIELD(message, count);
	arguments = message->reads ? memory_new(count, sizeof(arguments[0])) : archive->arguments;
	for (size_t i = 0; i < count; i++)
		part_string(message, archive, &arguments[i]);
	if (!message->reads)
		return;
	/* The first process that names the program decides. */
	if (archive->program) {
		free(arguments);
		return;
	}
	archive->program = program;
	archive->arguments = arguments;
	archive->argument_count = count;
}

void part_archive(struct message *message, struct archive *archive, size_t first_warning)
{
	size_t warnings = archive->warning_count - first_warning;
	uint64_t events = archive->events;

	MESSAGE_FIELD(message, warnings);
	for (size_t i = 0; i < warnings; i++) {
		char *text = message->reads ? NULL : archive->warnings[first_warning + i];

		message_text(message, &text);
		if (message->reads) {
			archive_warn(archive, "%s", text);
			free(text);
		}
	}
	MESSAGE_FIELD(message, events);
	if (message->reads)
		archive->events += events;
	part_program(message, archive);
}
