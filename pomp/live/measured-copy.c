/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies regions, threads and locks out of the memory of a process that goes on meanwhile. Every
 * pointer in the copy is to the copy's own memory or NULL, every number that is an index or a size
 * was checked: the memory may be anybody's.
 *
 * What keeps a copy consistent, without a lock that the process would notice:
 *
 *   a thread's sums   are taken while the thread is outside of the library: its `busy` is off, and
 *                     `calls` and `time` are the same before and after. A thread that has events
 *                     all the time is taken as it is after some attempts; the next copy has what
 *                     this one lacks, because sums only grow.
 *   ended threads     move their sums to the regions, and leave the list of threads, under the
 *                     process's lock. The lock is free, and the number of ends is the same, before
 *                     and after all else. A thread that begins meanwhile is before the first one
 *                     of the list that is copied: the next copy has it.
 */
#include "measured-copy.h"

#include "accumulator.h"
#include "profile-table.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	TRIES = 64,
	THREAD_TRIES = 128,
	MOST_PAUSES = 256,
	MOST_WAITS = 500,     /* of a millisecond, for the lock */
	MOST_ITEMS = 1 << 20, /* regions, locks or threads */
	MOST_FRAMES = 256,    /* of a stack, below its first parallel region */
	LONGEST_TEXT = 4096,
	TEXT_PIECE = 64, /* is never across the end of a page */
};
static const size_t most_bytes = (size_t)1 << 30; /* of a copy */

struct copied_block {
	struct copied_block *next;
	_Alignas(PROCESSOR_LINE) char data[];
};

struct copying {
	struct measured_copy *copy;
	const struct live_source *source;
	const void *roots[PROFILE_ROOTS];
	struct pomp_region **regions; /* the addresses there */
	size_t bytes;
	unsigned pauses, waits;   /* so far */
	enum live_result problem; /* the first; LIVE_READ: none */
};

static bool fail(struct copying *copying, enum live_result problem)
{
	if (copying->problem == LIVE_READ)
		copying->problem = problem;
	return false;
}

/* Zeroed memory that measured_copy_free() frees; NULL: none, with the problem. */
static void *keep(struct copying *copying, size_t bytes)
{
	struct copied_block *block = NULL;
	size_t all =
	    sizeof(*block) + (bytes + PROCESSOR_LINE - 1) / PROCESSOR_LINE * PROCESSOR_LINE;

	if (bytes < most_bytes - copying->bytes)
		block = aligned_alloc(PROCESSOR_LINE, all);
	if (block == NULL) {
		fail(copying, LIVE_NO_MEMORY);
		return NULL;
	}
	memset(block, 0, all);
	copying->bytes += bytes;
	block->next = copying->copy->blocks;
	copying->copy->blocks = block;
	return block->data;
}

static bool try_read(struct copying *copying, const volatile void *address, void *to, size_t bytes)
{
	const struct live_part part = {(uint64_t)(uintptr_t)address, to, bytes};

	return copying->source->read(copying->source->context, &part, 1);
}

static bool read_at(struct copying *copying, const volatile void *address, void *to, size_t bytes)
{
	return try_read(copying, address, to, bytes) || fail(copying, LIVE_UNREADABLE);
}

static bool read_root(struct copying *copying, int root, void *to, size_t bytes)
{
	return read_at(copying, copying->roots[root], to, bytes);
}

/* Memory with so many bytes from there, or NULL. */
static void *take(struct copying *copying, const volatile void *address, size_t bytes)
{
	void *taken = keep(copying, bytes);

	return taken != NULL && read_at(copying, address, taken, bytes) ? taken : NULL;
}

/* A copied text; of none or one that cannot be read, `missing`. */
static char *take_text(struct copying *copying, const char *address, char *missing)
{
	char text[LONGEST_TEXT];
	size_t length = 0;

	if (address == NULL)
		return missing;
	while (length < LONGEST_TEXT) {
		size_t piece = TEXT_PIECE - ((uintptr_t)address + length) % TEXT_PIECE;
		piece = piece < LONGEST_TEXT - length ? piece : LONGEST_TEXT - length;
		if (!try_read(copying, address + length, text + length, piece))
			return missing;
		if (memchr(text + length, 0, piece) != NULL)
			break;
		length += piece;
	}
	text[LONGEST_TEXT - 1] = '\0';
	char *taken = keep(copying, strlen(text) + 1);
	return taken != NULL ? strcpy(taken, text) : missing;
}

/* A bool that was read may have any bits. */
static void clean_flag(bool *flag)
{
	unsigned char byte;

	memcpy(&byte, flag, 1);
	*flag = byte != 0;
}

/* The place, and the function if it was found already. */
static struct pomp_code *take_code(struct copying *copying, const struct pomp_code *there)
{
	struct pomp_code *code = take(copying, there, sizeof(*code));

	if (code == NULL)
		return NULL;
	code->place.module = take_text(copying, code->place.module, "");
	code->place.build_id = take_text(copying, code->place.build_id, "");
	code->place.at = code->place.at == CODE_ENTRY ? CODE_ENTRY : CODE_RETURN;
	clean_flag(&code->place.is_gnu);
	clean_flag(&code->named);
	code->function = take_text(copying, code->function, NULL);
	return code;
}

/* Room for the metrics' sums, and those of ended threads. */
static bool take_counted(struct copying *copying, struct pomp_region *region)
{
	size_t bytes = copying->copy->metrics.count * sizeof(uint64_t);

	if (region->counters == NULL || region->counted == NULL || bytes == 0) {
		region->counters = NULL;
		region->counted = NULL;
		return true;
	}
	region->counters = keep(copying, sizeof(*region->counters) + bytes);
	region->counted = take(copying, region->counted, bytes);
	return region->counters != NULL && region->counted != NULL;
}

static struct pomp_region *take_region(
    struct copying *copying, const struct pomp_region *there, uint64_t id)
{
	struct pomp_region *region = take(copying, there, sizeof(*region));

	if (region == NULL)
		return NULL;
	if (region->id != id || (unsigned)region->construct > CONSTRUCT_OTHER) {
		fail(copying, LIVE_UNREADABLE);
		return NULL;
	}
	region->kind = construct_kind(region->construct);
	region->name = take_text(copying, region->name, "");
	region->sub_name = take_text(copying, region->sub_name, "");
	region->file = take_text(copying, region->file, "");
	region->path = NULL;
	region->lock = NULL;
	region->descriptor = NULL;
	if (region->code != NULL)
		region->code = take_code(copying, region->code);
	return take_counted(copying, region) ? region : NULL;
}

/* Takes a root that is an array of addresses, bounded; its items' addresses, or NULL. */
static void *take_items(struct copying *copying, const void *entry, size_t count)
{
	if (count > MOST_ITEMS) {
		fail(copying, LIVE_UNREADABLE);
		return NULL;
	}
	return count > 0 ? take(copying, entry, count * sizeof(void *)) : keep(copying, 1);
}

static bool copy_regions(struct copying *copying)
{
	struct pomp_regions *regions = &copying->copy->regions;

	if (!read_root(copying, PROFILE_ROOT_pomp_regions, regions, sizeof(*regions)))
		return false;
	copying->regions = take_items(copying, regions->entry, regions->count);
	regions->entry = keep(copying, (regions->count + 1) * sizeof(struct pomp_region *));
	regions->first_unknown = NULL;
	if (copying->regions == NULL || regions->entry == NULL)
		return false;
	for (size_t i = 0; i < regions->count; i++) {
		regions->entry[i] = take_region(copying, copying->regions[i], i + 1);
		if (regions->entry[i] == NULL)
			return false;
	}
	return true;
}

static bool copy_locks(struct copying *copying)
{
	struct pomp_locks *locks = &copying->copy->locks;

	if (!read_root(copying, PROFILE_ROOT_pomp_locks, locks, sizeof(*locks)))
		return false;
	store_relaxed(&locks->table, NULL);
	struct pomp_lock **there = take_items(copying, locks->entry, locks->count);
	locks->entry = keep(copying, (locks->count + 1) * sizeof(struct pomp_lock *));
	if (there == NULL || locks->entry == NULL)
		return false;
	for (size_t i = 0; i < locks->count; i++) {
		struct pomp_lock *lock = take(copying, there[i], sizeof(*lock));
		if (lock == NULL)
			return false;
		/* The array of addresses may have been freed meanwhile, because it grew. */
		if (lock->number != (i < TRACE_LOG_ARGUMENT_MAX ? i + 1 : 0))
			return fail(copying, LIVE_UNREADABLE);
		store_relaxed(&lock->module, NULL);
		store_relaxed(&lock->init_module, NULL);
		lock->name = take_text(copying, lock->name, NULL);
		lock->file = take_text(copying, lock->file, NULL);
		lock->title = take_text(copying, lock->title, NULL);
		locks->entry[i] = lock;
	}
	return true;
}

static bool copy_metrics(struct copying *copying)
{
	struct pomp_metrics *metrics = &copying->copy->metrics;

	if (!read_root(copying, PROFILE_ROOT_pomp_metrics, metrics, sizeof(*metrics)))
		return false;
	if (metrics->count > POMP_METRICS_MAX)
		return fail(copying, LIVE_UNREADABLE);
	for (unsigned i = 0; i < metrics->count; i++) {
		metrics->entry[i].name = take_text(copying, metrics->entry[i].name, "?");
		metrics->entry[i].unit = take_text(copying, metrics->entry[i].unit, "#");
		metrics->entry[i].meaning = NULL;
		metrics->name[i] = metrics->entry[i].name;
	}
	metrics->dropped = NULL;
	metrics->dropped_count = metrics->dropped_capacity = 0;
	return true;
}

/* A part never exceeds its whole, except in sums that are being changed. */
static void limit(_Atomic uint64_t *part, const _Atomic uint64_t *whole)
{
	if (load_relaxed(part) > load_relaxed(whole))
		store_relaxed(part, load_relaxed(whole));
}

static bool clean_accumulator(struct copying *copying, struct pomp_accumulator *sums, uint64_t id)
{
	struct pomp_region *region = copying->copy->regions.entry[id - 1];
	size_t figures = POMP_FIGURES + copying->copy->metrics.count;
	bool is_used = sums->region != NULL && sums->region == copying->regions[id - 1];

	sums->region = is_used ? region : NULL;
	sums->lock = NULL;
	if (!is_used)
		return true;
	sums->kind = region->kind;
	limit(&sums->nested, &sums->all);
	limit(&sums->inside, &sums->all);
	limit(&sums->own, &sums->all);
	if (sums->figures != NULL)
		sums->figures = take(copying, sums->figures, figures * sizeof(uint64_t));
	return copying->problem == LIVE_READ;
}

static bool clean_chunks(struct copying *copying, const struct pomp_thread *thread)
{
	uint64_t known = copying->copy->regions.count;

	for (uint64_t id = 0; id < thread->region_limit; id++) {
		struct pomp_accumulator *sums =
		    &thread->chunk[id >> POMP_CHUNK_SHIFT][id & (POMP_CHUNK_SIZE - 1)];
		if (id == 0 || id > known)
			sums->region = NULL;
		else if (!clean_accumulator(copying, sums, id))
			return false;
	}
	return true;
}

/*
 * In the middle of a parallel region, the time since its begin is in none of the thread's sums: it
 * would look serial. A stack that makes no sense has no such region.
 */
static bool add_open_region(struct copying *copying, struct pomp_thread *thread)
{
	uint64_t end = copying->copy->process.clock.end.ticks;
	uintptr_t bytes = (uintptr_t)thread->top - (uintptr_t)thread->stack;
	size_t count = bytes / sizeof(struct pomp_frame) + 1;

	if (thread->fork_depth == 0 || thread->top < thread->stack)
		return true;
	count = count < MOST_FRAMES ? count : MOST_FRAMES;
	const struct pomp_frame *frames = take(copying, thread->stack, count * sizeof(*frames));
	if (frames == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		if (frames[i].role != POMP_ROLE_FORK)
			continue;
		if (frames[i].enter < end)
			thread->in_parallel += end - frames[i].enter;
		break;
	}
	return true;
}

/* A thread and its sums for the known regions, which are read together. */
struct thread_parts {
	struct pomp_thread *thread, *after; /* before and after the sums */
	struct pomp_accumulator **chunk;    /* here */
	struct live_part parts[LIVE_MOST_PARTS];
	size_t count, chunks;
};

static void add_part(struct thread_parts *all, const void *address, void *buffer, size_t bytes)
{
	all->parts[all->count++] = (struct live_part){(uint64_t)(uintptr_t)address, buffer, bytes};
}

/* Finds where everything is, and makes room for it. A thread has very many regions at most. */
static bool find_parts(
    struct copying *copying, const struct pomp_thread *there, struct thread_parts *all)
{
	size_t chunks = (copying->copy->regions.count >> POMP_CHUNK_SHIFT) + 1;
	const size_t size = POMP_CHUNK_SIZE * sizeof(struct pomp_accumulator);

	all->thread = take(copying, there, sizeof(*all->thread));
	all->after = keep(copying, sizeof(*all->after));
	if (all->thread == NULL || all->after == NULL)
		return false;
	if (chunks > all->thread->region_limit >> POMP_CHUNK_SHIFT)
		chunks = all->thread->region_limit >> POMP_CHUNK_SHIFT;
	if (all->thread->chunk == NULL)
		chunks = 0;
	struct pomp_accumulator **chunk =
	    take(copying, all->thread->chunk, chunks * sizeof(*chunk));
	all->chunk = keep(copying, chunks * sizeof(*chunk));
	all->chunks = chunks;
	all->count = 0;
	add_part(all, there, all->thread, sizeof(*there));
	for (size_t i = 0; chunk != NULL && i < chunks; i++) {
		char *here = all->chunk != NULL ? keep(copying, size) : NULL;
		if (here == NULL)
			return false;
		all->chunk[i] = (struct pomp_accumulator *)here;
		if (all->count < LIVE_MOST_PARTS - 1)
			add_part(all, chunk[i], here, size);
		else if (!read_at(copying, chunk[i], here, size))
			return false;
	}
	add_part(all, there, all->after, sizeof(*there));
	return chunk != NULL && all->chunk != NULL;
}

/* Gives the process a little time, at most so often for all of a copy; false: that was it. */
static bool pause_reading(unsigned *pauses, unsigned most, long nanoseconds)
{
	const struct timespec pause = {.tv_nsec = nanoseconds};

	return (*pauses)++ < most && nanosleep(&pause, NULL) == 0;
}

/*
 * Reads them until the thread has no event meanwhile. One that is always in events is perhaps
 * without a processor in one: the last attempts give it time.
 */
static bool read_parts(struct copying *copying, const struct pomp_thread *there,
    struct thread_parts *all, bool *is_whole)
{
	const char *there_busy = (const char *)there + offsetof(struct pomp_thread, busy);

	for (int i = 0; i < THREAD_TRIES; i++) {
		const struct pomp_thread *before = all->thread, *after = all->after;
		uint32_t busy = 0;
		bool is_last = i == THREAD_TRIES - 1;
		if (i > THREAD_TRIES / 2)
			pause_reading(&copying->pauses, MOST_PAUSES, 200000);
		if (!is_last && try_read(copying, there_busy, &busy, sizeof(busy)) && busy != 0)
			continue;
		if (!copying->source->read(copying->source->context, all->parts, all->count))
			return fail(copying, LIVE_UNREADABLE);
		*is_whole = !load_relaxed(&before->busy) && !load_relaxed(&after->busy) &&
			    before->calls == after->calls && before->time == after->time;
		if (*is_whole)
			break;
	}
	return true;
}

static struct pomp_thread *copy_thread(struct copying *copying, const struct pomp_thread *there)
{
	struct thread_parts all;
	bool is_whole = false;

	if (!find_parts(copying, there, &all) || !read_parts(copying, there, &all, &is_whole))
		return NULL;
	all.thread->chunk = all.chunk;
	all.thread->region_limit = all.chunks << POMP_CHUNK_SHIFT;
	all.thread->metric_memory = NULL;
	copying->copy->torn += !is_whole;
	return clean_chunks(copying, all.thread) && add_open_region(copying, all.thread)
		   ? all.thread
		   : NULL;
}

static bool copy_threads(struct copying *copying)
{
	struct pomp_threads *threads = &copying->copy->threads;
	struct pomp_thread **place = &threads->alive;
	const struct pomp_thread *there = threads->alive;

	threads->spare = NULL;
	for (size_t i = 0; there != NULL; i++) {
		struct pomp_thread *thread = i < MOST_ITEMS ? copy_thread(copying, there) : NULL;
		*place = thread;
		if (thread == NULL)
			return fail(copying, LIVE_UNREADABLE);
		there = thread->next;
		place = &thread->next;
	}
	*place = NULL;
	return true;
}

static bool read_process(struct copying *copying)
{
	struct pomp_process *process = &copying->copy->process;

	if (!read_root(copying, PROFILE_ROOT_pomp_process, process, sizeof(*process)))
		return false;
	clean_flag(&process->clock.counter);
	clean_flag(&process->settings.profiling);
	clean_flag(&process->stopped);
	clean_flag(&process->finished);
	return true;
}

/*
 * Reads what changes when a thread ends, after a moment at which none was at it; *is_free: there
 * was such a moment. An end that begins later raises the number of ends after it has been read
 * here.
 */
static bool read_guarded(struct copying *copying, struct pomp_threads *threads, bool *is_free)
{
	static const pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
	struct pomp_process *process = &copying->copy->process;

	do {
		if (!read_process(copying) ||
		    !read_root(copying, PROFILE_ROOT_pomp_threads, threads, sizeof(*threads)))
			return false;
		*is_free = memcmp(&process->lock, &unlocked, sizeof(unlocked)) == 0;
	} while (!*is_free && pause_reading(&copying->waits, MOST_WAITS, 1000000));
	return true;
}

/* One attempt; *is_whole: no thread ended meanwhile. */
static bool try_copy(struct copying *copying, bool *is_whole)
{
	struct measured_copy *copy = copying->copy;
	struct pomp_threads before, after;
	bool was_free, is_free;

	copy->torn = 0;
	copying->bytes = 0;
	if (!read_guarded(copying, &before, &was_free))
		return false;
	struct pomp_process *process = &copy->process;
	process->clock.end = pomp_clock_moment(&process->clock);
	struct trace_log_moment end = process->clock.end;
	copy->threads = before;
	if (!copy_metrics(copying) || !copy_regions(copying) || !copy_threads(copying) ||
	    !copy_locks(copying) || !read_guarded(copying, &after, &is_free))
		return false;
	process->clock.end = end;
	*is_whole = was_free && is_free && before.ends == after.ends;
	return true;
}

/* Whether there is something to copy. */
static enum live_result check_state(struct copying *copying)
{
	const struct pomp_process *process = &copying->copy->process;
	int state;

	if (!read_root(copying, PROFILE_ROOT_pomp_state, &state, sizeof(state)) ||
	    !read_process(copying))
		return LIVE_UNREADABLE;
	if (process->stopped || process->finished)
		return LIVE_OVER;
	if (state == POMP_STATE_NEW)
		return LIVE_NOT_STARTED;
	if (state != POMP_STATE_ON || !process->settings.profiling)
		return LIVE_OFF;
	return LIVE_READ;
}

static enum live_result check_table(struct copying *copying)
{
	struct pomp_debug_table table;

	if (!read_at(copying, (const void *)(uintptr_t)copying->source->table, &table.header,
		sizeof(table.header)))
		return LIVE_UNREADABLE;
	if (memcmp(&table.header, &pomp_debug_table.header, sizeof(table.header)) != 0)
		return LIVE_OTHER_VERSION;
	if (!read_at(
		copying, (const void *)(uintptr_t)copying->source->table, &table, sizeof(table)))
		return LIVE_UNREADABLE;
	if (memcmp(table.entries, pomp_debug_table.entries, sizeof(table.entries)) != 0)
		return LIVE_OTHER_VERSION;
	memcpy(copying->roots, table.roots, sizeof(table.roots));
	return LIVE_READ;
}

static enum live_result read_rest(struct copying *copying)
{
	struct measured_copy *copy = copying->copy;
	struct pomp_teams teams;
	unsigned char refused;

	if (!read_root(copying, PROFILE_ROOT_pomp_teams, &teams, sizeof(teams)) ||
	    !read_root(copying, PROFILE_ROOT_pomp_usage_at_start, &copy->usage_at_start,
		sizeof(copy->usage_at_start)) ||
	    !read_root(copying, PROFILE_ROOT_pomp_usage_refused, &refused, sizeof(refused)))
		return LIVE_UNREADABLE;
	clean_flag(&copy->usage_at_start.is_known);
	copy->usage_refused = refused != 0;
	copy->most_threads = load_relaxed(&teams.most_threads);
	return LIVE_READ;
}

static char *keep_text(struct copying *copying, const char *text, char *missing)
{
	char *kept = text != NULL ? keep(copying, strlen(text) + 1) : NULL;

	return kept != NULL ? strcpy(kept, text) : missing;
}

static void name_region(struct copying *copying, struct pomp_region *region)
{
	const struct live_source *source = copying->source;
	struct pomp_code *code = region->code;
	const struct code_question question = {
	    .construct = region->name, .place = code->place, .lock_offset = code->lock_offset};
	struct code_name name = {0};
	char *place = NULL;

	if (source->name != NULL)
		source->name(source->context, &question, &name);
	code->function = keep_text(copying, name.function, NULL);
	region->sub_name = keep_text(copying, name.sub_name, "");
	if (name.file != NULL && name.begin > 0) {
		region->file = keep_text(copying, name.file, "");
		region->begin_first = region->begin_last = name.begin;
		region->end_first = region->end_last = name.end;
	} else {
		place = code_place_short(&code->place);
		region->file = keep_text(copying, place, "");
	}
	free(place);
	code_name_free(&name);
}

/* The process names such regions when it ends. */
static void name_regions(struct copying *copying)
{
	struct pomp_regions *regions = &copying->copy->regions;

	for (size_t i = 0; i < regions->count; i++)
		if (regions->entry[i]->code != NULL && !regions->entry[i]->code->named)
			name_region(copying, regions->entry[i]);
}

enum live_result measured_copy_begin(
    struct measured_copy *copy, const struct live_source *source, const void *roots[PROFILE_ROOTS])
{
	struct copying copying = {.copy = copy, .source = source};

	*copy = (struct measured_copy){.torn = 0};
	enum live_result result = check_table(&copying);
	memcpy(roots, copying.roots, sizeof(copying.roots));
	return result == LIVE_READ ? check_state(&copying) : result;
}

enum live_result measured_copy_make(struct measured_copy *copy, const struct live_source *source)
{
	struct copying copying = {.copy = copy, .source = source};
	bool is_whole = false;
	enum live_result result = measured_copy_begin(copy, source, copying.roots);

	for (int i = 0; result == LIVE_READ && i < TRIES && !is_whole; i++) {
		measured_copy_free(copy);
		copying.problem = LIVE_READ;
		if (i >
		    0) /* who has slept is less likely to lose the processor in the next attempt */
			pause_reading(&copying.waits, MOST_WAITS, 100000);
		if (!try_copy(&copying, &is_whole) && i == TRIES - 1)
			result = copying.problem;
	}
	struct trace_log_moment end = copy->process.clock.end;
	if (result == LIVE_READ && !is_whole)
		result = LIVE_UNSTEADY;
	if ((result == LIVE_READ || result == LIVE_UNSTEADY) && check_state(&copying) == LIVE_OVER)
		result = LIVE_OVER;
	if (result == LIVE_READ)
		result = read_rest(&copying);
	if (result == LIVE_READ)
		name_regions(&copying);
	copy->process.clock.end = end;
	copy->process.settings = (struct pomp_settings){.disable = false};
	return result;
}

void measured_copy_free(struct measured_copy *copy)
{
	while (copy->blocks != NULL) {
		struct copied_block *block = copy->blocks;
		copy->blocks = block->next;
		free(block);
	}
}
