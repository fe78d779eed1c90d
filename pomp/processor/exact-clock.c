/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Opens and closes the event of a thread. The observer executes this, so it calls the kernel
 * directly. Where the kernel or a filter of system calls refuses, threads keep their timers.
 */
#include "exact-clock.h"

#include "kernel-call.h"

#if defined KERNEL_CALLS

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	FIRST_PAUSE = 20000000,     /* ns; twice as long each time, ... */
	LONGEST_PAUSE = 1280000000, /* ... until this */
	SECOND = 1000000000,        /* ns */
	/* How often threads leave their processors in a second of processor time. */
	RARELY = 30, /* ticks see all parts of what takes so long */
	OFTEN = 1500,
	LEAST_SWITCHES = 8, /* so many are enough to tell how often */
	TICK = 4000,        /* us, the longest that is common */
	LEAST_SIGNALS = 1000,
};

static struct {
	int signal;
	uint32_t period; /* microseconds; 0: no samples */
	long open;       /* how many descriptors are */
	long filters;    /* of system calls, when the program started */
	long page;       /* bytes */
	bool refused;
	uint64_t asked; /* counters that are wanted */
	bool has_asked;
	uint64_t counters;         /* that the machine has, once they were asked for */
	bool counts;               /* threads that get the clock get the counters, too */
	struct sample_event event; /* period 0: none */
	bool samples_events;       /* threads that get the clock get that, too */
	_Atomic uint64_t slots;    /* `counters` and that of `event` */
	_Atomic uint64_t counted;  /* the part of it that a thread had */
} exact;

static const struct {
	uint32_t type;
	uint64_t number;
} events[SAMPLE_COUNTER_COUNT] = {
    [SAMPLE_INSTRUCTIONS] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    [SAMPLE_CYCLES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    [SAMPLE_BRANCHES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    [SAMPLE_BRANCH_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    [SAMPLE_CACHE_REFERENCES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    [SAMPLE_CACHE_MISSES] = {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    [SAMPLE_PAGE_FAULTS] = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
};

void pomp_exact_clock_prepare(
    int signal, uint32_t microseconds, uint64_t counters, struct sample_event event)
{
	exact.signal = signal;
	exact.period = microseconds;
	exact.filters = kernel_filters();
	exact.page = sysconf(_SC_PAGESIZE);
	exact.asked = counters;
	exact.event = event;
}

uint64_t pomp_exact_clock_slots(void)
{
	return load_relaxed(&exact.slots);
}

uint64_t pomp_exact_clock_counters(void)
{
	return load_relaxed(&exact.counted);
}

static bool try_lock(struct pomp_exact_clock *clock)
{
	uint32_t open = 0;

	return replace_once(&clock->lock, &open, 1);
}

static void unlock(struct pomp_exact_clock *clock)
{
	store_release(&clock->lock, 0);
}

bool pomp_exact_clock_counts(
    struct pomp_exact_clock *clock, struct pomp_ring_reading *before, uint64_t *counts)
{
	struct pomp_ring_reading now = {0};
	uint64_t beside[SAMPLE_COUNTERS_MOST], rest = load_relaxed(&exact.slots);
	unsigned counters = sample_counters_number(exact.counters);
	uint64_t found = 0;

	if (!try_lock(clock))
		return false;
	if (clock->ring != NULL)
		found = pomp_ring_take(clock->ring, counters, &now);
	unlock(clock);
	if (now.enabled == 0)
		return false;
	bool known = pomp_ring_since(before, &now, beside);
	if (!known)
		store_relaxed(&clock->shared, 1);
	for (unsigned slot = 0, next = 0; rest != 0; slot++) {
		enum sample_counter counter = sample_counter_take(&rest);
		bool is_beside = sample_counter_is_in(exact.counters, counter);
		counts[slot] = is_beside ? beside[next++] : 0;
	}
	return known && found == 1;
}

void pomp_exact_clock_event_counts(uint64_t *counts)
{
	uint64_t rest = load_relaxed(&exact.slots);

	for (unsigned slot = 0; rest != 0; slot++)
		counts[slot] =
		    sample_counter_take(&rest) == exact.event.counter ? exact.event.period : 0;
}

/* Returns what follows the name in the text; NULL: it is not there. */
static const char *find_after(const char *text, const char *name)
{
	for (; *text != '\0'; text++) {
		size_t same = 0;
		while (name[same] != '\0' && text[same] == name[same])
			same++;
		if (name[same] == '\0')
			return text + same;
	}
	return NULL;
}

/* Returns the number after the name; 0: it is not there. */
static uint64_t number_after(const char *text, const char *name)
{
	const char *at = find_after(text, name);

	return at != NULL ? take_number(&at) : 0;
}

/*
 * Returns whether the user has few signals that wait, of those that are allowed: when there are too
 * many, samples are lost, and other programs' signals. is_heard() limits how many of ours wait.
 */
static bool is_queue_short(const char *status)
{
	const char *at = find_after(status, "\nSigQ:\t");

	if (at == NULL)
		return false;
	uint64_t waiting = take_number(&at);
	at++; /* the slash */
	return take_number(&at) / 2 > waiting + LEAST_SIGNALS;
}

/* Whether the kernel may be asked for one more. Some are kept for samples of time. */
static bool is_possible(enum pomp_clock_use use)
{
	struct rlimit files = {0, 0};

	kernel(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, (long)&files, 0, 0);
	uint64_t most = files.rlim_cur / 4;
	if (use == POMP_CLOCK_SAMPLES)
		most += most / 4;
	return !exact.refused && (uint64_t)exact.open < most;
}

/* Lets the event send its signals to the thread. */
static bool direct(int32_t thread, long file)
{
	struct f_owner_ex owner = {F_OWNER_TID, thread};

	return kernel(SYS_fcntl, file, F_SETSIG, exact.signal, 0, 0, 0) == 0 &&
	       kernel(SYS_fcntl, file, F_SETOWN_EX, (long)&owner, 0, 0, 0) == 0 &&
	       kernel(SYS_fcntl, file, F_SETFL, O_ASYNC | O_NONBLOCK, 0, 0, 0) == 0;
}

/* Whether the error does not mean that the kernel refuses it to all threads. */
static bool is_passing(long error)
{
	return error == -ESRCH || error == -EMFILE || error == -ENFILE;
}

static long open_event(struct perf_event_attr *event, int32_t thread, long group)
{
	event->size = sizeof(*event);
	/* The only code that everybody may see, and that signals may interrupt. */
	event->exclude_kernel = event->exclude_hv = 1;
	return kernel(SYS_perf_event_open, (long)event, thread, -1, group, PERF_FLAG_FD_CLOEXEC, 0);
}

static long open_counter(enum sample_counter counter, int32_t thread, long group)
{
	struct perf_event_attr event = {
	    .type = events[counter].type, .config = events[counter].number};

	return open_event(&event, thread, group);
}

static bool has_counter(enum sample_counter counter)
{
	long file = open_counter(counter, 0, -1);

	if (file >= 0)
		kernel(SYS_close, file, 0, 0, 0, 0, 0);
	return file >= 0;
}

/* Finds out which counters there are. Those that the machine does not have cost a call each. */
static void ask_for_counters(void)
{
	uint64_t event = exact.event.period > 0 ? UINT64_C(1) << exact.event.counter : 0;
	uint64_t rest = exact.asked & ~event;

	if (exact.has_asked)
		return;
	exact.has_asked = true;
	exact.samples_events = event != 0 && has_counter(exact.event.counter);
	while (rest != 0) {
		enum sample_counter counter = sample_counter_take(&rest);
		if (has_counter(counter))
			exact.counters |= UINT64_C(1) << counter;
	}
	exact.counts = exact.counters != 0;
	store_relaxed(&exact.slots, exact.counters | (exact.samples_events ? event : 0));
}

/*
 * The time between two signals is no simple multiple or part of that between two samples, because
 * programs have round numbers as well: work of 1 ms after each wait would be seen at few points
 * only. With counters it is longer, so that there is no signal, with its counts, that is no sample.
 */
static long open_clock(struct pomp_exact_clock *clock)
{
	clock->period = (uint32_t)((uint64_t)exact.period * (exact.counts ? 10955 : 9045) / 10000);
	struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_TASK_CLOCK,
	    .sample_period = (uint64_t)clock->period * 1000,
	    .wakeup_events = 1,
	    .disabled = 1};

	if (exact.counts) {
		event.sample_type = PERF_SAMPLE_READ;
		event.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
				    PERF_FORMAT_TOTAL_TIME_RUNNING;
	}
	long file = open_event(&event, clock->thread, -1);
	if (file < 0) {
		exact.refused = !is_passing(file);
		return -1;
	}
	exact.open++;
	return file;
}

/* Maps the ring and shows it to the handler. */
static bool map_ring(struct pomp_exact_clock *clock, long file)
{
	long ring =
	    kernel(SYS_mmap, 0, 2 * exact.page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	bool is_mapped = ring > 0 || ring < -exact.page;

	if (!is_mapped || !try_lock(clock))
		return false;
	clock->ring = (void *)ring;
	unlock(clock);
	return true;
}

/* Adds the counters to the group of the clock. If that fails, the next clock has none, mostly. */
static bool open_counters(struct pomp_exact_clock *clock, long file)
{
	uint64_t rest = exact.counters;
	bool fits = true;

	for (unsigned i = 0; fits && rest != 0; i++) {
		long counter = open_counter(sample_counter_take(&rest), clock->thread, file);
		fits = counter >= 0;
		exact.counts = fits || is_passing(counter);
		clock->counter[i] = (int32_t)counter;
		exact.open += fits;
	}
	if (!fits)
		return false;
	exact.counts = map_ring(clock, file);
	if (exact.counts)
		fetch_or_relaxed(&exact.counted, exact.counters);
	return exact.counts;
}

/* Lets the thread have samples of events. If that fails, threads go on without, mostly. */
static void begin_events(struct pomp_exact_clock *clock)
{
	enum sample_counter counter = exact.event.counter;
	struct perf_event_attr event = {.type = events[counter].type,
	    .config = events[counter].number,
	    .sample_period = exact.event.period,
	    .wakeup_events = 1,
	    .disabled = 1};

	if (!exact.samples_events)
		return;
	long file = open_event(&event, clock->thread, -1);
	exact.samples_events = file >= 0 || is_passing(file);
	if (file < 0)
		return;
	exact.open++;
	clock->counting_file = (int32_t)file;
	if (!direct(clock->thread, file))
		return;
	fetch_or_relaxed(&exact.counted, UINT64_C(1) << counter);
	store_release(&clock->counting, pomp_exact_event(clock->thread, clock->counting_file));
	kernel(SYS_ioctl, file, PERF_EVENT_IOC_ENABLE, 0, 0, 0, 0);
}

/* Where its handler looks for the clock. */
static _Atomic uint64_t *word_of(struct pomp_exact_clock *clock, enum pomp_clock_use use)
{
	return use == POMP_CLOCK_SAMPLES ? &clock->event : &clock->reading;
}

/* Takes the ring away from the handler, and back to the kernel. */
static void unmap_ring(struct pomp_exact_clock *clock)
{
	if (!try_lock(clock))
		return;
	void *ring = clock->ring;
	clock->ring = NULL;
	unlock(clock);
	if (ring != NULL)
		kernel(SYS_munmap, (long)ring, 2 * exact.page, 0, 0, 0, 0);
}

static void close_file(int32_t *file)
{
	if (*file >= 0) {
		kernel(SYS_close, *file, 0, 0, 0, 0, 0);
		exact.open--;
	}
	*file = -1;
}

/* Closes what is open; the rest goes on to be the thread's. */
static void close_clock(struct pomp_exact_clock *clock)
{
	if (clock->file >= 0) {
		kernel(SYS_ioctl, clock->file, PERF_EVENT_IOC_DISABLE, 0, 0, 0, 0);
		/* Unless another thread has it meanwhile. */
		uint64_t event = pomp_exact_event(clock->thread, clock->file);
		replace_once(word_of(clock, clock->use), &event, 0);
		event = pomp_exact_event(clock->thread, clock->counting_file);
		replace_once(&clock->counting, &event, 0);
		unmap_ring(clock);
		close_file(&clock->counting_file);
		close_file(&clock->file);
		for (unsigned i = 0; i < SAMPLE_COUNTERS_MOST; i++)
			close_file(&clock->counter[i]);
	}
	clock->use = POMP_CLOCK_UNUSED;
	clock->file = -1;
}

static void begin_clock(struct pomp_exact_clock *clock, enum pomp_clock_use use)
{
	if (!is_possible(use))
		return;
	for (unsigned i = 0; i < SAMPLE_COUNTERS_MOST; i++)
		clock->counter[i] = -1;
	clock->counting_file = -1;
	long file = open_clock(clock);
	/* That call may have taken many milliseconds. */
	if (file < 0 || kernel_filters() != exact.filters)
		return;
	clock->file = (int32_t)file;
	clock->ran_at_signal = clock->ran;
	store_relaxed(&clock->shared, 0);
	bool counts = !exact.counts || open_counters(clock, file);
	exact.refused = counts && !direct(clock->thread, file);
	if (counts && !exact.refused) {
		clock->use = use;
		store_release(word_of(clock, use), pomp_exact_event(clock->thread, clock->file));
		kernel(SYS_ioctl, file, PERF_EVENT_IOC_ENABLE, 0, 0, 0, 0);
		begin_events(clock);
	} else {
		close_clock(clock);
	}
}

void pomp_exact_clock_close(struct pomp_exact_clock *clock)
{
	if (clock->thread != 0)
		close_clock(clock);
	clock->thread = 0;
	clock->file = -1;
}

bool pomp_exact_clock_is_due(const struct pomp_exact_clock *clock, int32_t thread, uint64_t now)
{
	return exact.period != 0 &&
	       (clock->thread != thread || now - clock->judged >= clock->pause);
}

/* Returns whether signals arrive: otherwise they are blocked, or may not be sent. */
static bool is_heard(struct pomp_exact_clock *clock, uint64_t ran)
{
	uint32_t signals = load_relaxed(&clock->signals);

	if (signals != clock->seen_signals) {
		clock->seen_signals = signals;
		clock->ran_at_signal = ran;
	}
	return ran - clock->ran_at_signal < SECOND;
}

/* Whether threads shall have it that do not wait. */
static bool is_for_all(void)
{
	return exact.period < TICK || exact.counts || exact.samples_events;
}

/* Returns what the thread shall have it for, which has left its processor so often in so many ns.
 */
static enum pomp_clock_use use_for(
    const struct pomp_exact_clock *clock, uint64_t switches, uint64_t ran)
{
	/* One that is open may stay where one that is not would not be opened. */
	bool samples = clock->use == POMP_CLOCK_SAMPLES;
	uint64_t least = exact.period < TICK ? 0 : samples ? RARELY / 2 : RARELY;
	uint64_t most = clock->use != POMP_CLOCK_UNUSED ? OFTEN * 3 / 2 : OFTEN;
	bool is_known = switches >= LEAST_SWITCHES || ran >= SECOND || exact.period < TICK;

	if (clock->useless || (is_known && switches * SECOND > most * ran))
		return POMP_CLOCK_UNUSED;
	if (is_known && switches * SECOND >= least * ran)
		return POMP_CLOCK_SAMPLES;
	return is_for_all() ? POMP_CLOCK_COUNTS : POMP_CLOCK_UNUSED;
}

void pomp_exact_clock_judge(
    struct pomp_exact_clock *clock, int32_t thread, uint64_t now, uint64_t ran, const char *status)
{
	uint64_t switches = number_after(status, "\nvoluntary_ctxt_switches:\t") +
			    number_after(status, "\nnonvoluntary_ctxt_switches:\t");

	if (clock->thread != thread) {
		pomp_exact_clock_close(clock);
		clock->thread = thread;
		clock->useless = false;
		clock->ran = clock->switches = 0;
		clock->pause = FIRST_PAUSE / 2;
		ask_for_counters();
	}
	clock->judged = now;
	if (clock->pause < LONGEST_PAUSE)
		clock->pause *= 2;
	uint64_t more = ran - clock->ran, more_switches = switches - clock->switches;
	if (load_relaxed(&clock->shared)) {
		exact.counts = exact.samples_events = false;
		close_clock(clock);
	}
	bool is_open = clock->file >= 0;
	if (more_switches < LEAST_SWITCHES && more < SECOND && (is_open || !is_for_all()))
		return;
	clock->ran = ran;
	clock->switches = switches;
	bool is_harmless = is_queue_short(status);
	if (is_open && !(is_heard(clock, ran) && is_harmless))
		clock->useless = true;
	enum pomp_clock_use use = use_for(clock, more_switches, more);
	if (is_open && use != clock->use)
		close_clock(clock);
	if (clock->file < 0 && use != POMP_CLOCK_UNUSED && is_harmless)
		begin_clock(clock, use);
}

void pomp_exact_clock_forget(struct pomp_exact_clock *clock)
{
	store_relaxed(&clock->event, 0);
	store_relaxed(&clock->reading, 0);
	store_relaxed(&clock->counting, 0);
	store_relaxed(&clock->lock, 0);
	clock->use = POMP_CLOCK_UNUSED;
	clock->ring = NULL; /* the kernel does not copy it */
	clock->thread = 0;
	clock->file = -1;
	exact.open = 0;
	store_relaxed(&exact.counted, 0);
}

#else

void pomp_exact_clock_prepare(
    int signal, uint32_t microseconds, uint64_t counters, struct sample_event event)
{
	(void)signal, (void)microseconds, (void)counters, (void)event;
}

uint64_t pomp_exact_clock_slots(void)
{
	return 0;
}

void pomp_exact_clock_event_counts(uint64_t *counts)
{
	(void)counts;
}

uint64_t pomp_exact_clock_counters(void)
{
	return 0;
}

bool pomp_exact_clock_counts(
    struct pomp_exact_clock *clock, struct pomp_ring_reading *before, uint64_t *counts)
{
	(void)clock, (void)before, (void)counts;
	return false;
}

#endif
