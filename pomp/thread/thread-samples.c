/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes samples in the timer's handler. */
#include "thread-samples.h"

#include "limited-calls.h"
#include "page-fault.h"
#include "process-state.h"
#include "process-usage.h"
#include "sample-queue.h"
#include "thread-number.h"
#include "thread-origins.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool samples_wanted; /* written before any thread begins */

/* Whether the thread has to wait in the frame, and what it executes is waiting. */
static bool waits_in(const struct pomp_frame *frame)
{
	return frame->role == POMP_ROLE_BARRIER || frame->role == POMP_ROLE_WAIT;
}

/* Logs a node of the tree, in case the program is killed; room is there. */
static void log_node(struct pomp_thread *thread, uint32_t number)
{
	struct pomp_log *log = &thread->log;
	const struct pomp_path_node *node = &thread->paths->node[number];
	bool is_leaf = (node->word & POMP_PATH_LEAF) != 0;
	/* Only libpomp's end can continue a path in another thread's tree. */
	uint64_t address = node->word < POMP_PATH_REGION ? node->word : 0;
	const uint64_t payload[] = {is_leaf ? TRACE_LOG_PATH_IS_LEAF : address,
	    trace_log_path(thread->paths->number, node->parent)};

	pomp_log_append(
	    log, log->cursor, pomp_log_word(TRACE_LOG_PATH, number, 0), payload, 2, log->time);
}

/*
 * Returns the outermost node of the sample's path, with what was done there as its end, that is not
 * in that segment of a ring; 0: all are. The ancestors of a node that is there are there, too.
 */
static uint32_t missing_node(
    const struct pomp_path_tree *tree, const struct pomp_sample *sample, uint32_t segment)
{
	uint32_t node = tree->node[sample->node].child, missing = 0;

	while (node != 0 && !(tree->node[node].word & POMP_PATH_LEAF))
		node = tree->node[node].sibling;
	for (node = node != 0 ? node : sample->node; node != 0; node = tree->node[node].parent) {
		if (tree->segment[node] == segment)
			break;
		missing = node;
	}
	return missing;
}

/*
 * Returns a number for the current segment of a ring. The next ring of the block, whose segments
 * count from 1 again, has others: two are equal by chance only, and a few paths are then
 * incomplete.
 */
static uint32_t segment_of(const struct pomp_log *log)
{
	const uint32_t spread = 0x9e3779b1;

	return (uint32_t)log->ring.number + (log->location + 1) * spread;
}

/*
 * Logs a node that the sample needs and the log lacks; false: it lacks none. A log has each once, a
 * ring once in each segment, since nothing in a segment refers to an earlier one.
 */
static bool log_missing_node(struct pomp_thread *thread, const struct pomp_sample *sample)
{
	struct pomp_path_tree *tree = thread->paths;
	uint32_t segment = segment_of(&thread->log), node;

	if (thread->log.ring.base == NULL) {
		if (tree->logged == load_relaxed(&tree->count))
			return false;
		log_node(thread, tree->logged++);
		return true;
	}
	node = missing_node(tree, sample, segment);
	if (node == 0)
		return false;
	log_node(thread, node);
	tree->segment[node] = segment;
	return true;
}

/*
 * A sample has a time of its own, and the log's does not change: events that were about to begin,
 * or are reported late, may have an earlier one.
 */
static void log_sample(struct pomp_thread *thread, const struct pomp_sample *sample)
{
	struct pomp_log *log = &thread->log;
	const uint64_t payload[] = {
	    trace_log_sample(thread->paths->number, sample->node, sample->samples, sample->faults),
	    sample->time};

	pomp_log_append(log, log->cursor, pomp_log_word(TRACE_LOG_SAMPLE, sample->region, 0),
	    payload, 2, log->time);
}

/* Logs what counters counted at the oldest sample; room is there for both. */
static void log_counts(struct pomp_thread *thread)
{
	struct pomp_log *log = &thread->log;
	uint64_t set = pomp_exact_clock_counters(), rest = pomp_exact_clock_slots();
	const uint64_t *counted = pomp_sample_counts(&thread->paths->queue);
	uint64_t counts[SAMPLE_COUNTERS_MOST] = {0}, *next = counts;

	for (unsigned i = 0; rest != 0; i++)
		if (sample_counter_is_in(set, sample_counter_take(&rest)))
			*next++ = counted[i];
	pomp_log_append(log, log->cursor, pomp_log_word(TRACE_LOG_COUNTED, (uint32_t)set, 0),
	    counts, SAMPLE_COUNTERS_MOST, log->time);
}

/*
 * Logs the samples that wait, as long as there is room: a handler cannot make any, because that may
 * take a lock. The thread's next event does, and the next sample finds it.
 */
static void log_queue(struct pomp_thread *thread)
{
	const struct pomp_log *log = &thread->log;
	struct pomp_path_tree *tree = thread->paths;
	const struct pomp_sample *sample;

	while (tree != NULL && log->cursor < log->limit &&
	       (sample = pomp_sample_oldest(&tree->queue)) != NULL) {
		if (log_missing_node(thread, sample))
			continue;
		if (sample->has_counts)
			log_counts(thread);
		log_sample(thread, sample);
		pomp_sample_remove(&tree->queue);
	}
}

/* Threads that have had no timer at all, and for how many ticks. */
static struct {
	_Atomic uint64_t threads, ticks;
} unsampled;

static void add_unsampled(const struct pomp_thread *thread)
{
	uint64_t now = pomp_clock_ticks(&pomp_process.clock);

	fetch_add_relaxed(&unsampled.threads, 1);
	fetch_add_relaxed(&unsampled.ticks, now - thread->late_since);
}

void pomp_samples_close(struct pomp_thread *thread)
{
	struct pomp_path_tree *tree = thread->paths;
	const struct pomp_sample *sample;

	if (load_relaxed(&thread->sample_timer.state) == POMP_TIMER_LATE)
		add_unsampled(thread);
	log_queue(thread);
	while (tree != NULL && pomp_sample_oldest(&tree->queue) != NULL &&
	       thread->log.header != NULL &&
	       pomp_log_make_room_locked(&thread->log, thread->location, thread->time))
		log_queue(thread);
	while (tree != NULL && (sample = pomp_sample_oldest(&tree->queue)) != NULL) {
		add_own(&tree->untraced, sample->samples);
		pomp_sample_remove(&tree->queue);
	}
}

/* Puts a sample into the queue, and the queue into the log. */
static void trace_sample(struct pomp_thread *thread, bool in_event, uint64_t leaf, uint32_t node,
    uint32_t samples, const uint64_t *counts, unsigned counters)
{
	const struct pomp_sample sample = {.time = pomp_clock_ticks(&pomp_process.clock),
	    .region = (uint32_t)pomp_path_region(leaf),
	    .node = node,
	    .faults = pomp_path_faults(leaf),
	    .samples = samples < TRACE_LOG_SAMPLES_MAX ? samples : TRACE_LOG_SAMPLES_MAX};

	if (!thread->log.enabled)
		return;
	if (node == 0 || !pomp_sample_add(&thread->paths->queue, sample, counts, counters))
		add_own(&thread->paths->untraced, samples);
	else if (!in_event)
		log_queue(thread);
}

/* What the thread executes, as a leaf of its tree; in an event its stack may be half written. */
static uint64_t leaf_of(const struct pomp_thread *thread)
{
	const struct pomp_frame *frame = thread->top;
	const struct pomp_region *region = frame->accumulator->region;

	return pomp_path_leaf(region != NULL ? region->id : 0, waits_in(frame),
	    thread->team == NULL && thread->fork_depth == 0);
}

/*
 * Reads the path of what was interrupted, from where the thread's team was forked, or its task
 * created, on: that place is its outermost word. The master's own stack contains it, other threads'
 * do not. thread->origin is one word that events store; whichever value they have reached, it is of
 * a team in which the thread is.
 */
static size_t read_path(const struct pomp_thread *thread, bool in_event, const void *context)
{
	struct pomp_call_path *path = &thread->paths->path;
	struct pomp_path_base base =
	    in_event ? pomp_thread_base_in_team(thread) : pomp_thread_base(thread);
	size_t count = pomp_call_path(path, thread->native_stack, base.limit, context);

	if (base.origin != NULL)
		path->word[count++] = base.origin->path;
	return count;
}

static void add(struct pomp_thread *thread, bool in_event, uint32_t samples, const uint64_t *counts,
    const void *context)
{
	struct pomp_path_tree *tree = thread->paths;
	unsigned counters = counts != NULL ? sample_counters_number(pomp_exact_clock_slots()) : 0;

	pomp_path_tree_begin(tree);
	uint64_t leaf = (in_event ? POMP_PATH_LEAF : leaf_of(thread)) |
			(pomp_in_page_fault(context) ? POMP_PATH_FAULT : 0);
	uint32_t node =
	    pomp_path_tree_add(tree, tree->path.word, read_path(thread, in_event, context));

	pomp_path_tree_count(tree, node, leaf, samples, counts, counters);
	trace_sample(thread, in_event, leaf, node, samples, counts, counters);
}

/*
 * Unless it has interrupted an event, a sample is like one: the thread is busy, so that
 * pomp_threads_stop() waits before it closes the log. See event.h for the order.
 */
static void take(uint32_t samples, uint32_t unknown, const uint64_t *counts, const void *context)
{
	struct pomp_thread *thread = pomp_self;

	if (thread == NULL || thread->paths == NULL)
		return;
	bool in_event = load_relaxed(&thread->busy);
	if (!in_event) {
		store_relaxed(&thread->busy, true);
		order_for_compiler();
	}
	if (load_relaxed(&pomp_state) == POMP_STATE_ON && thread->off == 0) {
		add_own(&thread->paths->lost, unknown);
		add(thread, in_event, samples, counts, context);
	}
	if (!in_event)
		store_release(&thread->busy, false);
}

/*
 * How samples were changed while the program runs. Only one thread at a time changes it; any may
 * read (relaxed: numbers for a report, complete by themselves).
 */
static struct {
	_Atomic uint64_t off_since; /* CLOCK_MONOTONIC; 0: they are on */
	_Atomic uint64_t off;       /* ns before that */
	_Atomic uint32_t times;
} changed;

void pomp_samples_change(uint32_t each)
{
	uint64_t since = load_relaxed(&changed.off_since), now = pomp_clock_monotonic();

	if (each == 0 && since == 0)
		store_relaxed(&changed.off_since, now);
	if (each != 0 && since != 0) {
		store_relaxed(&changed.off, load_relaxed(&changed.off) + now - since);
		store_relaxed(&changed.off_since, 0);
	}
	add_own(&changed.times, 1);
	pomp_sample_take_each(each);
}

uint64_t pomp_samples_off(void)
{
	uint64_t since = load_relaxed(&changed.off_since), off = load_relaxed(&changed.off);

	return since != 0 ? off + pomp_clock_monotonic() - since : off;
}

/* Threads that could take no samples, and why the first could not; -1: no thread can. */
static struct {
	_Atomic int threads, error;
} without;

void pomp_samples_prepare(uint32_t microseconds, uint64_t counters, struct sample_event event)
{
	if (microseconds == 0)
		return;
	pomp_call_path_prepare();
	if (!pomp_sample_prepare(microseconds, counters, event, take)) {
		store_relaxed(&without.error, errno);
		store_relaxed(&without.threads, -1);
	}
	samples_wanted = true;
}

static bool prepare(struct pomp_thread *thread)
{
	if (!samples_wanted || load_relaxed(&without.threads) < 0)
		return false;
	if (thread->paths == NULL)
		thread->paths = pomp_path_tree_new();
	return true;
}

/* What takes system calls and is not of the timer. */
static void begin_paths(struct pomp_thread *thread)
{
	if (thread->origins != NULL)
		pomp_origins_forget(thread->origins);
	thread->native_stack = pomp_call_path_stack();
}

static struct pomp_exact_clock *exact_clock(struct pomp_thread *thread)
{
	return thread->observed != NULL ? &thread->observed->exact : NULL;
}

void pomp_samples_begin(struct pomp_thread *thread)
{
	int error = errno;

	thread->samples_are_late = false;
	if (!prepare(thread))
		return;
	if (thread->paths != NULL)
		begin_paths(thread);
	if (thread->paths != NULL &&
	    pomp_sample_start(&thread->sample_timer, exact_clock(thread))) {
		thread->origin_due = 0;
	} else {
		store_relaxed(&without.error, errno);
		fetch_add_relaxed(&without.threads, 1);
	}
	errno = error;
}

void pomp_samples_begin_late(struct pomp_thread *thread)
{
	int error = errno;

	thread->samples_are_late = prepare(thread) && thread->paths != NULL;
	thread->native_stack = (struct unwind_stack){0, 0};
	if (thread->samples_are_late) {
		pomp_sample_late(&thread->sample_timer, exact_clock(thread));
		pomp_observer_wants(thread->observed, &thread->sample_timer);
	}
	errno = error;
}

void pomp_samples_catch_up(struct pomp_thread *thread)
{
	struct pomp_sample_timer *timer = &thread->sample_timer;

	/* Without an observer it starts the timer itself, and the time until then has no samples.
	 */
	if (thread->observed == NULL && !pomp_calls_are_limited())
		pomp_sample_start_late(timer, pomp_thread_number(), 0);
	if (load_relaxed(&timer->state) < POMP_TIMER_EXISTS)
		return;
	begin_paths(thread);
	thread->origin_due = 0;
	thread->samples_are_late = false;
}

void pomp_samples_end(struct pomp_thread *thread)
{
	if (pomp_sample_stop(&thread->sample_timer))
		add_unsampled(thread);
}

void pomp_samples_after_fork(struct pomp_thread *thread)
{
	pomp_sample_forget(&thread->sample_timer);
	store_relaxed(&unsampled.threads, 0);
	store_relaxed(&unsampled.ticks, 0);
	store_relaxed(&changed.off, 0);
	if (load_relaxed(&changed.off_since) != 0)
		store_relaxed(&changed.off_since, pomp_clock_monotonic());
	if (thread->paths != NULL)
		pomp_path_tree_clear(thread->paths);
	if (thread->origins != NULL)
		pomp_origins_reset(thread->origins);
}

/*
 * Returns for how many percent of the processor time there are no samples, if it is more than
 * chance: threads that lived without a timer explain any part, others a tenth or more. A thread of
 * a few milliseconds has a third less than its share, because ticks miss it.
 */
static unsigned unsampled_percent(uint64_t samples)
{
	enum { LEAST_PERCENT = 10, LEAST_TIME = 200000000 /* ns */ };
	uint64_t ran = pomp_process_usage().ran, rate = pomp_process.settings.sampling;
	double there =
	    (double)load_relaxed(&unsampled.ticks) * pomp_clock_tick(&pomp_process.clock);
	double without_samples =
	    (double)ran - (rate > 0 ? (double)samples * 1e9 / (double)rate : (double)ran);

	if (ran == 0 || without_samples <= 0)
		return 0;
	if (without_samples < LEAST_TIME || without_samples * 100 < (double)ran * LEAST_PERCENT)
		without_samples = there < without_samples ? there : without_samples;
	return (unsigned)(without_samples * 100 / (double)ran + 0.5);
}

/* Writes it, with the reason as far as it is known; returns the length. */
static int write_unsampled(char *text, size_t size, uint64_t samples)
{
	unsigned percent = unsampled_percent(samples);
	unsigned long long brief = load_relaxed(&unsampled.threads);
	double off = (double)pomp_samples_off() * 1e-9;

	if (off > 0)
		return snprintf(text, size,
		    "%u %% of the processor time has no samples, which were off for %.1f s. ",
		    percent, off);
	if (percent == 0)
		return 0;
	if (brief > 0)
		return snprintf(text, size,
		    "%u %% of the processor time has no samples: %llu threads lived too briefly. ",
		    percent, brief);
	return snprintf(text, size,
	    "%u %% of the processor time has no samples: that of threads without constructs, or "
	    "that live for a few milliseconds. ",
	    percent);
}

const char *pomp_samples_note(uint64_t samples, uint64_t lost, uint64_t untraced)
{
	static char text[800];
	int threads = load_relaxed(&without.threads);
	const char *why = strerror(load_relaxed(&without.error));
	int length = 0;

	if (threads < 0)
		length = snprintf(text, sizeof(text), "No samples were taken: %s. ", why);
	else if (threads > 0)
		length = snprintf(text, sizeof(text), "%d thread%s took no samples: %s. ", threads,
		    threads == 1 ? "" : "s", why);
	if (threads >= 0)
		length += write_unsampled(text + length, sizeof(text) - (size_t)length, samples);
	if (load_relaxed(&changed.times) > 0)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
		    "The sampling rate was changed while the program ran; each sample counts for the "
		    "time that it stands for. ");
	if (lost > 0)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
		    "%llu of %llu samples have no place: a thread had more than %d different call "
		    "paths, or its timer's signal was blocked. ",
		    (unsigned long long)lost, (unsigned long long)samples, POMP_PATH_NODES);
	if (untraced > 0)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
		    "%llu samples are not in the trace: a thread took too many without an event. ",
		    (unsigned long long)untraced);
	if (length == 0)
		return NULL;
	text[length - 1] = '\0';
	return text;
}
