/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples of what threads execute, one for each period of a thread's processor time. The handler
 * reads the interrupted call path and the innermost region, and adds them to the thread's tree.
 *
 * Why the handler is async-signal-safe:
 *
 *   its thread   It interrupts its own thread anywhere, also within an event. Then `busy` is set
 * and the top of the region stack may be half written, so the sample counts for no region and
 * leaves the log alone. Otherwise an event that was about to begin has read nothing yet. others The
 * tree is written only here, and a thread's handlers do not interrupt each other or are interrupted
 * by others. A thread that stops the measurement waits for a handler as for an event. calls It
 * waits for no lock, allocates nothing, and calls no function of the C library except
 *                _dl_find_object(), which may be called here, and in programs that execute
 *                Python pthread_getspecific(), through the interpreter: in glibc it only reads
 *                what the thread has. It preserves errno.
 *   stack        It uses less than POMP_CALL_PATH_STACK bytes below the kernel's signal frame (1 to
 *                3.5 KB on x86-64, by processor): no alternate stack, which would be the program's.
 *   system calls None, but in a thread that has the exact clock, prctl() and getrusage(), at times
 *                timer_settime(). Signals are only sent to a thread that runs, so none is
 *                interrupted.
 */
#ifndef THREAD_SAMPLES_H
#define THREAD_SAMPLES_H

#include "thread-block.h"

/*
 * Installs the handler; without it no thread takes samples. Called once, before any thread
 * attaches. counters: a set, which count beside the samples where the machine has them; event:
 * which ones have samples themselves.
 */
void pomp_samples_prepare(uint32_t microseconds, uint64_t counters, struct sample_event event);

/* Starts and ends taking samples in the calling thread, whose block this is. */
void pomp_samples_begin(struct pomp_thread *thread);
void pomp_samples_end(struct pomp_thread *thread);

/*
 * The same without a system call, after pomp_interval_begin_late(). The observer starts the timer
 * if the thread is still there after some 25 ms; then, at its first long interval, the thread adds
 * the rest: until then paths of samples have only the frames in the innermost page of the stack.
 */
void pomp_samples_begin_late(struct pomp_thread *thread);
void pomp_samples_catch_up(struct pomp_thread *thread);

/*
 * Changes while the program runs: from now on, a sample stands for so many of those of the start
 * (at most POMP_SAMPLES_MOST_EACH); 0: none are taken. Only one thread at a time may call it.
 */
enum { POMP_SAMPLES_MOST_EACH = 500 }; /* a record of a trace has room for a little more */
void pomp_samples_change(uint32_t each);

/* Returns for how long there were none so far, because of that; ns. */
uint64_t pomp_samples_off(void);

/* Logs the samples that still wait, before the log of a stopped thread is closed. Process lock
 * held. */
void pomp_samples_close(struct pomp_thread *thread);

/*
 * Returns what is missing in the samples, and why; NULL: nothing. How many samples there were, how
 * many of these have no place, and how many are missing only in the trace.
 */
const char *pomp_samples_note(uint64_t samples, uint64_t lost, uint64_t untraced);

/* In the child of a fork: timers are not inherited. Forgets the parent's samples. */
void pomp_samples_after_fork(struct pomp_thread *thread);

#endif
