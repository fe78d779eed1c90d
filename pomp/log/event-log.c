/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An event log moves from window to window. Windows grow from small to large, because some programs
 * have thousands of threads and others billions of events.
 *
 * When nothing can be reserved the thread stops logging and only counts; the program continues.
 */
#include "event-log.h"

#include "experiment.h"
#include "process-state.h"
#include "ring.h"
#include "window.h"
#include "shared/debug-log.h"
#include "shared/precondition.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	SMALLEST_WINDOW = 64 << 10,
	LARGEST_WINDOW = 4 << 20,
	WORTH_ORDERING = 512 << 10, /* threads that fill such a window get the next ones ahead */
	/* Room after `limit` for a TIME record, a METRICS record and the longest other record. */
	SPARE_WORDS = 2 + 1 + TRACE_LOG_METRICS_MAX + TRACE_LOG_RECORD_WORDS,
};

/* Opens the thread's file and writes its head. */
static bool open_log(struct pomp_log *log, uint64_t location, uint64_t time)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	char name[POMP_LOG_NAME];

	if (!pomp_experiment_open())
		return false;
	log->location = (unsigned)location;
	pomp_window_name(log, name);
	if (pomp_file_make(&log->file, load_relaxed(&pomp_experiment.path), name))
		log->header =
		    pomp_window_map_part(log->file.descriptor, 0, TRACE_LOG_HEADER_BYTES, 0);
	if (log->header == NULL) {
		pomp_experiment_note_failure(name, errno);
		pomp_file_close(&log->file);
		return false;
	}
	log->bytes = TRACE_LOG_HEADER_BYTES;
	log->time = time;
	log->header->location = location;
	log->header->start = log->time;
	log->header->latest = pomp_clock_moment(&pomp_process.clock);
	pomp_log_publish(&log->header->magic, TRACE_LOG_MAGIC);
	DEBUG_LOG(log, "location %u: opened '%s'", log->location, name);
	return true;
}

/*
 * Returns the size of the next window: twice the last, within what all threads may map and write.
 */
static size_t next_size(const struct pomp_log *log)
{
	const struct pomp_settings *settings = &pomp_process.settings;
	struct pomp_experiment *experiment = &pomp_experiment;
	size_t size = log->window_bytes * 2;
	uint64_t mapped = load_relaxed(&experiment->mapped);
	uint64_t free_memory =
	    settings->total_memory > mapped ? settings->total_memory - mapped : 0;

	if (size > LARGEST_WINDOW)
		size = LARGEST_WINDOW;
	while (size > SMALLEST_WINDOW && size > free_memory)
		size /= 2;
	if (size < SMALLEST_WINDOW)
		size = SMALLEST_WINDOW;
	if (settings->max_trace != 0 &&
	    load_relaxed(&experiment->bytes) + size > settings->max_trace)
		return 0;
	return size;
}

/* Adds to what all threads together have mapped and written; `mapped` may be negative. */
static void account(int64_t mapped, uint64_t written)
{
	fetch_add_relaxed(&pomp_experiment.mapped, (uint64_t)mapped);
	fetch_add_relaxed(&pomp_experiment.bytes, written);
}

static void unmap_window(struct pomp_log *log)
{
	if (log->window == NULL)
		return;
	munmap(log->window, log->window_bytes);
	account(-(int64_t)log->window_bytes, 0);
	log->window = NULL;
}

/* Fills the rest of the window with PAD records. */
static void pad_window(struct pomp_log *log)
{
	uint64_t *end = (uint64_t *)(log->window + log->window_bytes);

	for (; log->cursor < end; log->cursor++)
		pomp_log_publish(log->cursor, pomp_log_word(TRACE_LOG_PAD, 0, 0));
}

/*
 * Windows begin at multiples of the smallest window, and hence of a page, which may have 64 KiB.
 * The first one contains the log's head at its beginning, which is also mapped separately.
 */
static void begin_window(struct pomp_log *log, char *window, size_t size)
{
	size_t used = log->bytes % SMALLEST_WINDOW;

	log->window = window;
	log->window_bytes = size;
	log->bytes += size - used;
	log->cursor = (uint64_t *)(window + used);
	pomp_log_publish(log->cursor++, pomp_log_word(TRACE_LOG_PAD, 0, 0));
	log->limit = (uint64_t *)(log->window + size) - SPARE_WORDS;
	log->header->latest = pomp_clock_moment(&pomp_process.clock);
}

/*
 * Continues in the window that was prepared ahead, and orders the next one. An order is accounted
 * when it is made: an ordered window counts as mapped and written.
 */
static bool take_next_window(struct pomp_log *log)
{
	size_t size = log->next.bytes;
	char *window = pomp_ahead_take(log);

	if (window == NULL) {
		if (size > 0)
			account(-(int64_t)size, -(uint64_t)size);
		return false;
	}
	char *old = log->window;
	size_t old_size = log->window_bytes;
	pad_window(log);
	begin_window(log, window, size);
	account(-(int64_t)old_size, 0);
	DEBUG_LOG(
	    log, "location %u: goes on in the prepared window of %zu bytes", log->location, size);
	size_t next = next_size(log);
	if (next > 0) {
		account((int64_t)next, next);
		pomp_ahead_order(log, log->bytes, next, old, old_size);
	} else {
		munmap(old, old_size);
	}
	return true;
}

/* Moves the window to the next part of the file. */
static bool move_window(struct pomp_log *log)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	size_t size = next_size(log);

	if (log->window != NULL)
		pad_window(log);
	unmap_window(log);
	if (size == 0) {
		pomp_experiment_note_size_limit();
		return false;
	}
	size_t used = log->bytes % SMALLEST_WINDOW;
	char *window = pomp_window_map(log, log->bytes - used, size, used);
	if (window == NULL) {
		pomp_experiment_note_failure("event log", errno);
		return false;
	}
	begin_window(log, window, size);
	account((int64_t)size, size);
	DEBUG_LOG(log, "location %u: goes on in a new window of %zu bytes", log->location, size);
	size_t next = size >= WORTH_ORDERING ? next_size(log) : 0;
	if (next > 0) {
		account((int64_t)next, next);
		pomp_ahead_order(log, log->bytes, next, NULL, 0);
	}
	return true;
}

/* Opens the log or moves its window; if that fails, closes it for good. */
static bool open_or_move(struct pomp_log *log, uint64_t location, uint64_t time)
{
	bool room =
	    pomp_process.settings.ring != 0
		? pomp_ring_open(log, location, time)
		: (log->header != NULL || open_log(log, location, time)) && move_window(log);

	if (!room) {
		DEBUG_LOG(
		    log, "location %u: stops, events are lost from here on", (unsigned)location);
		store_relaxed(&log->failed, true);
		pomp_experiment_note_cut(time);
		log->cursor = NULL;
		log->limit = NULL;
	}
	return room;
}

static bool make_room(struct pomp_log *log, uint64_t location, uint64_t time, bool is_locked)
{
	if (log->ring.base != NULL) {
		pomp_ring_make_room(log);
		return true;
	}
	int error = errno;
	bool room = !load_relaxed(&log->failed) && log->window != NULL && take_next_window(log);

	if (!room && !load_relaxed(&log->failed)) {
		if (!is_locked)
			pomp_lock_process();
		room = open_or_move(log, location, time);
		if (!is_locked)
			pomp_unlock_process();
	}
	errno = error;
	return room;
}

bool pomp_log_make_room(struct pomp_log *log, uint64_t location, uint64_t time)
{
	bool room = make_room(log, location, time, false);

	if (!room && log->header != NULL)
		log->header->lost_events++;
	return room;
}

bool pomp_log_make_room_locked(struct pomp_log *log, uint64_t location, uint64_t time)
{
	return make_room(log, location, time, true);
}

void pomp_log_close(struct pomp_log *log)
{
	if (log->header == NULL)
		return;
	if (log->ring.base != NULL) {
		pomp_ring_close(log);
		return;
	}
	size_t ordered = log->next.bytes;
	char *next = pomp_ahead_take(log);
	if (next != NULL)
		munmap(next, ordered);
	if (ordered > 0)
		account(-(int64_t)ordered, -(uint64_t)ordered);
	uint64_t used = log->bytes;
	if (log->window != NULL && log->cursor != NULL)
		used -= (uint64_t)(log->window + log->window_bytes - (char *)log->cursor);
	DEBUG_LOG(
	    log, "location %u: closed after %llu bytes", log->location, (unsigned long long)used);
	unmap_window(log);
	munmap(log->header, TRACE_LOG_HEADER_BYTES);
	/*
	 * This cannot make the file longer; if it fails, the log still ends at its first zero word.
	 */
	if (!pomp_window_file_is_ready(log) || ftruncate(log->file.descriptor, (off_t)used) != 0)
		pomp_experiment_note_failure("event log", errno);
	pomp_file_close(&log->file);
	fetch_add_relaxed(&pomp_experiment.used, used);
	*log = (struct pomp_log){.file.descriptor = -1};
}

void pomp_log_after_fork(struct pomp_log *log)
{
	pomp_file_close(&log->file);
	*log = (struct pomp_log){.file.descriptor = -1};
}
