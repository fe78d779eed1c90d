/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of threads, summed up by construct as libpomp does: what the thread counted between
 * enter and leave, including everything that ran inside; for a task, without the tasks that ran
 * inside. A counter that is read at other times (an asynchronous class) has the value of its last
 * reading. A frame that one thread enters and another leaves counts nothing, because each thread
 * has its own counters.
 */
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "pass.h"

static bool is_of_threads(const struct analysis *analysis, uint32_t metric)
{
	const struct archive *archive = analysis->archive;

	for (size_t i = 0; i < archive->metric_class_count; i++) {
		const struct archive_metric_class *class = &archive->metric_classes[i];

		if (i == archive->usage_class || i == archive->mark_class ||
		    i == archive->counter_class)
			continue;
		for (uint32_t j = 0; class->scope != SCOPE_WIDER && j < class->count; j++) {
			if (class->metrics[j] == metric)
				return true;
		}
	}
	return false;
}

void analysis_find_metrics(struct analysis *analysis)
{
	const struct archive *archive = analysis->archive;

	analysis->metrics = memory_new(archive->metric_count, sizeof(analysis->metrics[0]));
	analysis->metric_of = memory_new(archive->metric_count, sizeof(analysis->metric_of[0]));
	for (uint32_t i = 0; i < archive->metric_count; i++) {
		const struct archive_metric *metric = &archive->metrics[i];

		analysis->metric_of[i] = ARCHIVE_NO_INDEX;
		if (!metric->accumulates || metric->scale == 0 || !is_of_threads(analysis, i))
			continue;
		analysis->metric_of[i] = (uint32_t)analysis->metric_count;
		analysis->metrics[analysis->metric_count++] = i;
	}
	if (analysis->metric_count == 0)
		return;
	analysis->metric_sums = memory_new(
	    analysis->construct_count * analysis->metric_count, sizeof(analysis->metric_sums[0]));
	for (size_t i = 0; i < archive->thread_count; i++) {
		struct thread_metrics *metrics = &analysis->threads[i].metrics;

		metrics->now = memory_new(analysis->metric_count, sizeof(metrics->now[0]));
		metrics->first = memory_new(analysis->metric_count, sizeof(metrics->first[0]));
		metrics->read = memory_new(analysis->metric_count, sizeof(metrics->read[0]));
		metrics->suspended =
		    memory_new(analysis->metric_count, sizeof(metrics->suspended[0]));
	}
}

void analysis_free_metrics(struct analysis *analysis)
{
	for (size_t i = 0; i < analysis->archive->thread_count; i++) {
		free(analysis->threads[i].metrics.now);
		free(analysis->threads[i].metrics.first);
		free(analysis->threads[i].metrics.read);
		free(analysis->threads[i].metrics.suspended);
	}
	free(analysis->metrics);
	free(analysis->metric_of);
	free(analysis->metric_sums);
}

/* The thread that the counters belong to, or NULL. */
static struct thread_metrics *find_thread(const struct analysis *analysis,
    const struct archive_event *event, const struct archive_metric_class *class)
{
	uint32_t thread = class->scope == SCOPE_RECORDER ? event->location : class->location;

	if (class->scope == SCOPE_WIDER || thread >= analysis->archive->thread_count)
		return NULL;
	return &analysis->threads[thread].metrics;
}

/* Counts start at the first reading: what the thread counted before is left out. */
void analysis_metric(struct analysis *analysis, const struct archive_event *event)
{
	const struct archive *archive = analysis->archive;
	const struct archive_metric_class *class;
	struct thread_metrics *metrics;

	if (analysis->metric_count == 0 || event->subject == ARCHIVE_NO_INDEX)
		return;
	class = &archive->metric_classes[event->subject];
	metrics = find_thread(analysis, event, class);
	for (uint32_t i = 0; metrics && i < class->count; i++) {
		uint32_t metric = class->metrics[i], index;

		if (metric == ARCHIVE_NO_INDEX || analysis->metric_of[metric] == ARCHIVE_NO_INDEX)
			continue;
		index = analysis->metric_of[metric];
		metrics->now[index] =
		    archive_metric_value(&archive->metrics[metric], event->values[i]) *
		    archive->metrics[metric].scale;
		if (!metrics->read[index])
			metrics->first[index] = metrics->now[index];
		metrics->read[index] = true;
		metrics->now[index] -= metrics->first[index];
	}
}

void analysis_metrics_enter(struct analysis *analysis, uint32_t thread)
{
	const struct thread *state = &analysis->threads[thread];
	size_t count = analysis->metric_count;
	struct task *task = state->current;
	uint64_t *at_enter;

	MEMORY_GROW(task->metrics, task->metric_room, task->depth * 2 * count);
	at_enter = task->metrics + (task->depth - 1) * 2 * count;
	memcpy(at_enter, state->metrics.now, count * sizeof(at_enter[0]));
	memcpy(at_enter + count, state->metrics.suspended, count * sizeof(at_enter[0]));
}

void analysis_metrics_leave(
    struct analysis *analysis, uint32_t thread, const struct frame *frame, bool counts)
{
	const struct thread *state = &analysis->threads[thread];
	const struct task *task = state->current;
	size_t count = analysis->metric_count;
	const uint64_t *at_enter = task->metrics + (size_t)(frame - task->frames) * 2 * count;
	bool is_task = analysis->constructs[frame->part.construct].kind == CONSTRUCT_KIND_TASK;

	if (frame->entered_by != thread)
		return;
	for (size_t i = 0; i < count; i++) {
		uint64_t *sum = &analysis->metric_sums[frame->part.construct * count + i];
		uint64_t all = state->metrics.now[i] - at_enter[i];
		uint64_t inner = 0;

		if (is_task) {
			inner = state->metrics.suspended[i] - at_enter[count + i];
			state->metrics.suspended[i] = at_enter[count + i] + all;
		}
		if (counts)
			*sum += all - inner;
	}
}
