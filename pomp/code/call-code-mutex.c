/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mutual exclusion that is identified by the address of its code (shared/code-events.h), and lock
 * variables. A runtime reports a release after it has happened, when another thread may already
 * hold the lock. The releasing thread may then only write what the new holder does not write; see
 * pomp_lock_was_released().
 */
#include "code-stack.h"
#include "code-table.h"
#include "fast-path.h"

/* The address range of this library's code, from the linker. */
extern const char pomp_code_begins[] __asm__("__ehdr_start") __attribute__((visibility("hidden")));
extern const char pomp_code_ends[] __asm__("_etext") __attribute__((visibility("hidden")));

bool pomp_code_is_own(const void *address)
{
	return (uintptr_t)address - (uintptr_t)pomp_code_begins <
	       (uintptr_t)(pomp_code_ends - pomp_code_begins);
}

static bool has_block(enum construct_id construct)
{
	return construct_has_block(construct_kind(construct));
}

void pomp_code_mutex_acquire(
    enum construct_id construct, struct code_address where, const void *lock)
{
	if (pomp_stack_measures(construct))
		return;
	OMPRegDescr *region =
	    pomp_code_find(construct, where, construct == CONSTRUCT_CRITICAL ? lock : NULL);
	if (region != NULL)
		pomp_event_enter(region, POMP_ROLE_CONSTRUCT, TRACE_LOG_ENTER);
}

/*
 * Records that the thread has had the lock since `now`, which may be moved to a later time. Returns
 * the number of the acquisition.
 */
static uint64_t note_lock(
    struct pomp_thread *thread, struct pomp_lock *lock, uint64_t asked, uint64_t *now)
{
	uint64_t order = load_relaxed(&lock->acquisitions) + 1;

	*now = pomp_lock_time_following(lock, order, *now);
	thread->time = *now;
	pomp_lock_acquired_once(lock);
	return pomp_lock_acquired(lock, asked, *now, *now - asked);
}

static void begin_critical(struct pomp_accumulator *sums)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	uint64_t now = pomp_event_time_leaving(thread), order = 0, id = sums->region->id;
	bool measured = thread->off == 0 && sums->lock != NULL;
	if (measured)
		order = note_lock(thread, sums->lock, thread->top->enter, &now);
	pomp_account_entry(thread, sums, now);
	struct pomp_frame *frame = pomp_frame_push(thread, sums, POMP_ROLE_BLOCK, now);
	if (frame != NULL)
		frame->task.number = order;
	if (frame != NULL && !frame->silent) {
		if (measured && pomp_lock_again(sums->lock, thread->location))
			pomp_event_log(thread, TRACE_LOG_CRITICAL_AGAIN, 0, id, now, 0, 0);
		else
			pomp_event_log(thread, TRACE_LOG_CRITICAL_BEGIN, 1, id, now, order, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_code_mutex_acquired(enum construct_id construct)
{
	const struct pomp_frame *frame = pomp_stack_find(POMP_ROLE_CONSTRUCT, construct);

	if (frame == NULL || !has_block(construct))
		return;
	if (construct == CONSTRUCT_ORDERED)
		pomp_ordered_begin(frame->accumulator->region->descriptor);
	else
		begin_critical(frame->accumulator);
}

/* Closes the block on top, which a critical's lock may protect. */
static void close_block(struct pomp_thread *thread, struct pomp_accumulator *sums, uint64_t now)
{
	uint64_t id = sums->region->id;

	pomp_frame_close_simple(thread, sums, POMP_ROLE_BLOCK, now);
	if (sums->kind != CONSTRUCT_KIND_CRITICAL) {
		pomp_event_log(thread, TRACE_LOG_BLOCK_LEAVE, 0, id, now, 0, 0);
		return;
	}
	pomp_event_log(thread, TRACE_LOG_CRITICAL_END, 0, id, now, 0, 0);
}

/*
 * Returns the time of a release, which was at any time since the thread's latest event. Only then
 * is it known how long the interval before it is.
 */
static uint64_t time_of_release(
    struct pomp_thread *thread, struct pomp_lock *lock, uint64_t order, uint64_t acquired)
{
	uint64_t before = thread->time, now = pomp_clock_ticks(&pomp_process.clock);

	if (now < before)
		now = before;
	if (acquired != 0)
		now = pomp_lock_was_released(lock, order, acquired, before, now);
	return pomp_event_time_at(thread, now);
}

void pomp_code_mutex_released(enum construct_id construct)
{
	enum pomp_role role = has_block(construct) ? POMP_ROLE_BLOCK : POMP_ROLE_CONSTRUCT;
	const struct pomp_frame *frame = pomp_stack_find(role, construct);
	struct pomp_thread *thread = frame != NULL ? pomp_event_begin() : NULL;

	if (thread == NULL)
		return;
	struct pomp_accumulator *sums = frame->accumulator;
	const struct pomp_frame *block = pomp_frame_find(thread, sums, role, thread->time);
	bool measured = block != NULL && role == POMP_ROLE_BLOCK && sums->lock != NULL &&
			block->task.number != 0;
	uint64_t now = time_of_release(
	    thread, sums->lock, measured ? block->task.number : 0, measured ? block->enter : 0);
	if (unlikely(thread->counting != NULL))
		pomp_metrics_read(thread->counting);
	if (block != NULL && role == POMP_ROLE_BLOCK)
		close_block(thread, sums, now);
	if (thread->top->accumulator == sums && thread->top->role == POMP_ROLE_CONSTRUCT)
		pomp_event_close_construct(thread, now);
	pomp_event_end_logged(thread);
}

static struct pomp_lock_slot *slot_of(struct pomp_thread *thread, const void *address)
{
	struct pomp_lock_slot *slot = pomp_lock_slot(thread, address);

	if (unlikely(slot->address != address)) {
		struct pomp_lock *lock = pomp_lock_of_address(address);
		if (lock == NULL)
			return NULL;
		*slot = (struct pomp_lock_slot){.address = address, .lock = lock};
	}
	return slot;
}

/*
 * A lock in the cache was asked for before and is defined. The cache is not changed, because this
 * call may fail to get the lock.
 */
static void define(struct pomp_thread *thread, const void *address)
{
	if (likely(pomp_lock_slot(thread, address)->address == address))
		return;
	struct pomp_lock *lock = pomp_lock_of_address(address);
	if (lock != NULL)
		pomp_lock_define(lock);
}

void pomp_code_lock_asked(enum trace_log_routine routine, const void *lock)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->off == 0) {
		define(thread, lock);
		uint64_t now = pomp_event_time_entering(thread);

		pomp_event_log(thread, TRACE_LOG_LOCK_ENTER, 0, routine, now, 0, 0);
		thread->asked.routine = routine;
		thread->asked.lock = lock;
		thread->asked.at = now;
		thread->asked.open = true;
		fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_PENDING);
	}
	pomp_event_end_logged(thread);
}

/*
 * The call that asked for the lock ends now; the lock was acquired, once more if the owner had it
 * already.
 */
static void note_acquisition(struct pomp_thread *thread, const void *address, bool once_more)
{
	thread->scale.in_routine = true;
	uint64_t asked = thread->asked.at, now = pomp_event_time_leaving(thread);
	thread->scale.in_routine = false;
	struct pomp_lock_slot *slot = slot_of(thread, address);

	if (slot != NULL) {
		struct pomp_lock *lock = slot->lock;
		uint64_t order;
		if (once_more) {
			order = pomp_lock_acquired(lock, asked, now, now - asked);
		} else {
			order = note_lock(thread, lock, asked, &now);
			slot->acquired = now;
		}
		slot->order = order; /* another thread's acquisition follows the latest */
		if (pomp_lock_again(lock, thread->location))
			pomp_event_log(thread, TRACE_LOG_LOCK_AGAIN, 0, lock->number, now, 0, 0);
		else
			pomp_event_log(
			    thread, TRACE_LOG_LOCK_ACQUIRED, 1, lock->number, now, order, 0);
	}
	thread->top->children += now - asked;
	if (thread->team != NULL)
		thread->waited += now - asked;
	pomp_event_log(thread, TRACE_LOG_LOCK_LEAVE, 0, thread->asked.routine, now, 0, 0);
}

void pomp_code_lock_acquired(const void *lock, bool once_more)
{
	struct pomp_thread *thread = pomp_event_begin_pending();

	if (thread == NULL)
		return;
	if (!thread->asked.open || thread->asked.lock != lock) {
		pomp_event_drop(thread);
		return;
	}
	thread->asked.open = false;
	if (load_relaxed(&thread->unusual) & POMP_UNUSUAL_PENDING)
		pomp_event_settle(thread, true);
	note_acquisition(thread, lock, once_more);
	pomp_event_end_logged(thread);
}

/* The effect of a call on its lock. */
enum effect { NONE, GIVES_BACK, RELEASES };

/* Without a duration, because the time at which the call began is unknown. */
static void routine_event(enum trace_log_routine routine, const void *lock, enum effect effect)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->off == 0) {
		struct pomp_lock_slot *slot = effect != NONE ? slot_of(thread, lock) : NULL;
		bool releases = effect == RELEASES && slot != NULL;

		if (unlikely(thread->counting != NULL))
			pomp_metrics_read(thread->counting);
		uint64_t now =
		    releases ? time_of_release(thread, slot->lock, slot->order, slot->acquired)
			     : pomp_event_time(thread);
		if (releases)
			slot->acquired = 0;
		pomp_event_log(thread, TRACE_LOG_LOCK_ENTER, 0, routine, now, 0, 0);
		if (slot != NULL) {
			pomp_event_log(
			    thread, TRACE_LOG_LOCK_RELEASED, 0, slot->lock->number, now, 0, 0);
		}
		pomp_event_log(thread, TRACE_LOG_LOCK_LEAVE, 0, routine, now, 0, 0);
	}
	pomp_event_end_logged(thread);
}

void pomp_code_lock_released(enum trace_log_routine routine, const void *lock, bool at_last)
{
	routine_event(routine, lock, at_last ? RELEASES : GIVES_BACK);
}

void pomp_code_lock_routine(
    enum trace_log_routine routine, const void *lock, const void *init_returns)
{
	routine_event(routine, lock, NONE);
	struct pomp_thread *thread = init_returns != NULL ? pomp_event_begin_pending() : NULL;
	if (thread == NULL)
		return;
	struct pomp_lock *known = pomp_lock_of_address(lock);
	if (known != NULL)
		pomp_lock_initialized(known, init_returns);
	pomp_event_drop(thread); /* no event of its own */
}
