/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The observer is a thread that the C library does not know, and that shares only memory with the
 * program's threads.
 *
 * Why it exists from the start: the longest calls come before the first event (input) and after the
 * last one (output). Without a thread, nothing could look at them but signals by the time of day,
 * which interrupt system calls.
 *
 * What it does to the program:
 *   - To look takes less than 0.1 % of a processor, and half a millisecond in all in short runs: it
 *     looks at SEEN_A_ROUND threads at most, and then sleeps for PERIOD, or as long as that takes.
 *     To judge who gets an exact clock takes as much again, but ever more rarely for each thread.
 *     If looks paid for that, a run of half a second had two or three.
 *   - It has no descriptor in common with the program: it cannot be closed or be in the way, and it
 *     keeps no pipe open. It blocks all signals.
 *   - The C library neither counts nor lists it: a main that ends with pthread_exit() ends the
 *     process when the last of the program's own threads ends, and malloc() takes no lock in a
 *     program of one thread. The kernel counts it, in /proc/self/status and against RLIMIT_NPROC.
 *   - fork() does not copy it, exec and _exit() end it. Before exit() ends, pomp_observer_stop()
 *     ends it.
 *   - A seccomp filter that another thread installs for all threads (SECCOMP_FILTER_FLAG_TSYNC)
 *     holds for it, too. It ends when it finds one, unless that has already refused futex and
 *     prctl, or one of its other calls while it was looking at threads.
 *
 * What it may call: it has no thread-local variables of the program's, so it calls the kernel
 * directly and never the C library.
 *
 * Who sees what: the list of pomp_observed only grows; a new one is complete before its release in
 * pomp_observer_join(). `thread` says whose it is; the observer that still reads the file of a
 * thread that has left finds it gone. `late` is stored (release) after what goes with it; the
 * observer that has loaded it (acquire) may be late itself, when the thread has left: then
 * pomp_sample_start_late() does nothing, or undoes it.
 */
#include "blocked-observer.h"

#include "kernel-call.h"
#include "shared/clock.h"
#include "shared/read-text.h"
#include "stack-walk.h"
#include "thread-number.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#elif defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED 1
#endif

/* Sanitizers keep something of each thread, and do not know this one. */
#if defined KERNEL_CALLS && defined SYS_close_range && !defined IS_SANITIZED
#define HAS_OBSERVER 1
#endif

#if defined HAS_OBSERVER

enum {
	PERIOD = 25000000,         /* ns, on average */
	LONGEST_SLEEP = 500000000, /* ns */
	FREE_WORK = 500000,        /* ns of processor time; and beyond that ... */
	SLEEP_OF_WORK = 1300,      /* ... so much elapsed time for each ns */
	SEEN_A_ROUND = 6,
	TIMERS_A_ROUND = 16,
	STACK_WORDS = 512,
	STACK_BYTES = 1 << 16,
	VARIABLES = 1 << 13, /* bytes on either side of where its thread-local variables would be */
	MOST_FILES = 200,
	LONGEST_END = 1000000000, /* ns */
	UNSHARE = 1 << 1,         /* CLOSE_RANGE_UNSHARE */
};

static struct {
	_Atomic(struct pomp_observed *) first;
	_Atomic uint32_t ends;    /* bool: it shall end */
	_Atomic int32_t thread;   /* its number in the kernel, which the kernel clears; 0: none */
	char *memory;             /* its stack */
	struct pomp_observed *at; /* where the next round goes on */
	uint64_t judging;         /* ns of processor time that judge_clock() took */
	long limits;              /* of its system calls, at the start */
	bool walks;               /* paths can be read */
	bool runs;
} observer;

/* Sleeps until the word is not `value` any more and is woken, or for so long. */
static long sleep_while(void *word, long value, long nanoseconds)
{
	struct timespec longest = {nanoseconds / 1000000000, nanoseconds % 1000000000};

	return kernel(SYS_futex, (long)word, FUTEX_WAIT, value, (long)&longest, 0, 0);
}

static bool try_lock(struct pomp_observed *observed)
{
	uint32_t open = 0;

	return replace_once(&observed->lock, &open, 1);
}

static void unlock(struct pomp_observed *observed)
{
	store_release(&observed->lock, 0);
}

static char *put_text(char *place, const char *text)
{
	while (*text != '\0')
		*place++ = *text++;
	return place;
}

static char *put_number(char *place, uint32_t number)
{
	char digits[10];
	size_t count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	while (count > 0)
		*place++ = digits[--count];
	return place;
}

static void close_file(struct pomp_observed *observed)
{
	if (observed->file_thread != 0)
		kernel(SYS_close, observed->file, 0, 0, 0, 0, 0);
	observed->file_thread = 0;
}

/* Puts the path of a file about the thread. */
static void put_path(char *path, int32_t thread, const char *name)
{
	char *end = put_text(path, "/proc/self/task/");

	end = put_text(put_number(end, (uint32_t)thread), name);
	*end = '\0';
}

/* Opens the thread's file, unless it is open; false: the thread has ended, or it cannot be read. */
static bool open_file(struct pomp_observed *observed, int32_t thread)
{
	char path[64];

	if (observed->file_thread == thread)
		return true;
	close_file(observed);
	put_path(path, thread, "/syscall");
	long file = kernel(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
	if (file < 0)
		return false;
	observed->file = (int32_t)file;
	observed->file_thread = thread;
	return true;
}

/* Reads the thread's file. Returns the length of the text; 0: the thread has ended. */
static size_t read_file(struct pomp_observed *observed, char *text, size_t room)
{
	long length = kernel(SYS_pread64, observed->file, (long)text, (long)room, 0, 0, 0);

	if (length <= 0 || observed->file >= MOST_FILES)
		close_file(observed);
	return length > 0 ? (size_t)length : 0;
}

static bool is_equal(const char *one, const char *other, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (one[i] != other[i])
			return false;
	return true;
}

/*
 * Reads what the file says (proc(5)): the call's number, its six arguments, the stack pointer and
 * the program counter; or -1 and these two, outside of a call; or "running". False: it says no
 * more.
 */
static bool understand(const char *text, struct pomp_blocked_call *call, struct pomp_stack_top *top)
{
	bool outside = text[0] == '-';

	if (!outside && (text[0] < '0' || text[0] > '9'))
		return false;
	text += outside;
	call->number = (int64_t)take_number(&text) * (outside ? -1 : 1);
	for (int i = 0; i < 6 && !outside; i++)
		take_number(&text);
	top->stack_pointer = take_number(&text);
	top->program_counter = take_number(&text);
	return top->program_counter != 0;
}

/* Copies words of the program's memory, which may just disappear. Returns how many. */
static size_t copy_words(uint64_t address, uint64_t *words, size_t count)
{
	struct iovec to = {words, count * sizeof(*words)};
	/* A page at a time, because only what is left out of the last one may be missing. */
	size_t first = (4096 - address % 4096) / sizeof(*words) * sizeof(*words);
	struct iovec from[2] = {{(void *)(uintptr_t)address, first}, {NULL, 0}};
	long pid = kernel(SYS_getpid, 0, 0, 0, 0, 0, 0);

	if (first > to.iov_len)
		first = from[0].iov_len = to.iov_len;
	from[1] = (struct iovec){(void *)(uintptr_t)(address + first), to.iov_len - first};
	long copied = kernel(SYS_process_vm_readv, pid, (long)&to, 1, (long)from, 2, 0);
	return copied > 0 ? (size_t)copied / sizeof(*words) : 0;
}

/*
 * Adds what was seen to the thread's calls; one more of too many different ones is not counted. The
 * times of looks do not depend on what the thread does, so all count alike.
 */
static void add_call(struct pomp_observed *observed, const struct pomp_blocked_call *seen)
{
	uint32_t i = 0;

	if (!try_lock(observed))
		return;
	for (; i < observed->count; i++) {
		struct pomp_blocked_call *call = &observed->call[i];
		if (call->number == seen->number && call->depth == seen->depth &&
		    is_equal((const char *)call->address, (const char *)seen->address,
			seen->depth * sizeof(seen->address[0])))
			break;
	}
	if (i == observed->count && i < POMP_BLOCKED_CALLS) {
		observed->call[i] = *seen;
		observed->call[i].looks = 0;
		observed->count++;
	}
	if (i < POMP_BLOCKED_CALLS) {
		if (observed->call[i].looks < POMP_BLOCKED_MAX - 1)
			observed->call[i].looks++;
		observed->call[i].last = seen->last;
	}
	unlock(observed);
}

/* Returns whether the thread's file and its stack are as they were at the latest look. */
static bool is_unchanged(
    struct pomp_observed *observed, const char *text, size_t length, uint64_t stack_pointer)
{
	uint64_t words[POMP_BLOCKED_WORDS] = {0};
	size_t count = observed->top_count;

	return length == observed->text_length && is_equal(text, observed->text, length) &&
	       copy_words(stack_pointer, words, count) == count &&
	       is_equal((const char *)words, (const char *)observed->top, count * sizeof(words[0]));
}

/* Keeps what the path follows from, unless it is too much. */
static void keep(struct pomp_observed *observed, const char *text, size_t length,
    const struct pomp_stack_top *top, size_t used)
{
	observed->text_length = used <= POMP_BLOCKED_WORDS && used <= top->count ? length : 0;
	if (observed->text_length == 0)
		return;
	observed->top_count = used;
	for (size_t i = 0; i < used; i++)
		observed->top[i] = top->word[i];
	for (size_t i = 0; i < length; i++)
		observed->text[i] = text[i];
}

/*
 * Finds the path to the call of a thread whose file had this text; false: the thread went on
 * meanwhile. If nothing has changed since the latest look, nor has the path.
 */
static bool find_path(struct pomp_observed *observed, const char *text, size_t length)
{
	struct pomp_blocked_call *latest = &observed->latest;
	uint64_t words[STACK_WORDS];
	char again[sizeof(observed->text)] = "";
	struct pomp_stack_top top = {.word = words};
	size_t used = 0;

	if (!understand(text, latest, &top))
		return false;
	if (is_unchanged(observed, text, length, top.stack_pointer))
		return true;
	observed->text_length = 0;
	top.count = copy_words(top.stack_pointer, words, STACK_WORDS);
	if (read_file(observed, again, sizeof(again) - 1) != length ||
	    !is_equal(again, text, length))
		return false;
	latest->depth = 1;
	latest->address[0] = top.program_counter;
	if (observer.walks && top.count > 0)
		latest->depth =
		    (uint32_t)pomp_stack_walk(&top, latest->address, POMP_BLOCKED_DEPTH, &used);
	keep(observed, text, length, &top, used);
	return true;
}

/* Returns nanoseconds of a clock. */
static uint64_t now_by(clockid_t clock)
{
	struct timespec now = {0, 0};

	if (kernel(SYS_clock_gettime, clock, (long)&now, 0, 0, 0, 0) != 0)
		return 0;
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/*
 * Whether somebody has installed a filter of system calls for all threads, that may not allow the
 * observer's. It may end the process for them, so it is asked for often.
 */
static bool is_limited(void)
{
	return kernel_filters() != observer.limits;
}

/* Lets the thread have the exact clock if it shall. */
static void judge_clock(struct pomp_observed *observed, int32_t thread, uint64_t now)
{
	char path[64], status[4096];

	if (!pomp_exact_clock_is_due(&observed->exact, thread, now))
		return;
	uint64_t begin = now_by(CLOCK_THREAD_CPUTIME_ID);
	put_path(path, thread, "/status");
	if (!kernel_read_text(path, status, sizeof(status)))
		return;
	uint64_t ran = now_by(pomp_thread_clock(thread));
	pomp_exact_clock_judge(&observed->exact, thread, now, ran, status);
	observer.judging += now_by(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/* Looks at one thread; false: it is nobody's, or it has ended. */
static bool look(struct pomp_observed *observed)
{
	char text[sizeof(observed->text)] = "";
	int32_t thread = load_relaxed(&observed->thread);

	if (thread == 0 || !open_file(observed, thread)) {
		close_file(observed);
		pomp_exact_clock_close(&observed->exact);
		return false;
	}
	uint64_t now = now_by(CLOCK_MONOTONIC);
	judge_clock(observed, thread, now);
	/* To open the clock may have taken many milliseconds. */
	if (is_limited())
		return true;
	size_t length = read_file(observed, text, sizeof(text) - 1);
	text[length] = '\0';
	if (length == 0 || !find_path(observed, text, length))
		return length > 0;
	observed->latest.last = now;
	add_call(observed, &observed->latest);
	return true;
}

/* Looks at as many threads as a round has time for, and next time goes on with the others. */
static void look_around(void)
{
	struct pomp_observed *first = load_acquire(&observer.first);
	struct pomp_observed *start = observer.at != NULL ? observer.at : first, *at = start;

	for (int seen = 0; seen < SEEN_A_ROUND && at != NULL && !is_limited();) {
		seen += look(at);
		at = at->next != NULL ? at->next : first;
		if (at == start)
			break;
	}
	observer.at = at;
}

/*
 * Returns how long to sleep, given when it began. The length varies, so that a program that does
 * something with a period of its own is not always seen at the same point.
 */
static long sleep_after(uint64_t begin, uint64_t *random)
{
	uint64_t work = now_by(CLOCK_THREAD_CPUTIME_ID) - observer.judging;
	uint64_t elapsed = now_by(CLOCK_MONOTONIC) - begin;
	uint64_t due = work > FREE_WORK ? (work - FREE_WORK) * SLEEP_OF_WORK : 0;

	*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
	uint64_t mean = due > elapsed + PERIOD ? due - elapsed : PERIOD;
	uint64_t sleep = mean / 2 + (*random >> 32) % mean;
	return (long)(sleep < LONGEST_SLEEP ? sleep : LONGEST_SLEEP);
}

/*
 * The kernel closes the exact clocks when the observer ends, but those with rings go on for as long
 * as these are mapped. Where calls are limited, threads ignore their signals.
 */
static void end_clocks(void)
{
	struct pomp_observed *at = load_acquire(&observer.first);

	for (; at != NULL; at = at->next)
		if (is_limited())
			store_relaxed(&at->exact.event, 0);
		else
			pomp_exact_clock_close(&at->exact);
}

/*
 * Starts the timer of a thread that began without one and is still there. For the time since, it
 * begins with as many samples, where the thread is now.
 */
static bool start_timer(struct pomp_observed *observed, uint64_t now)
{
	struct pomp_sample_timer *timer = load_acquire(&observed->late);
	int32_t thread = load_relaxed(&observed->thread);
	uint64_t since = load_relaxed(&observed->late_since);

	if (timer == NULL || thread == 0 || since + PERIOD > now)
		return false;
	store_relaxed(&observed->late, NULL);
	if (is_limited())
		return false;
	return pomp_sample_start_late(timer, thread, now - since);
}

static void start_timers(void)
{
	struct pomp_observed *at = load_acquire(&observer.first);
	uint64_t now = now_by(CLOCK_MONOTONIC);

	for (int made = 0; at != NULL && made < TIMERS_A_ROUND; at = at->next)
		made += start_timer(at, now);
}

static int observe(void *unused)
{
	uint64_t begin = now_by(CLOCK_MONOTONIC), random = begin;

	(void)unused;
	if (kernel(SYS_close_range, 0, UINT32_MAX, UNSHARE, 0, 0, 0) != 0)
		return 0;
	kernel(SYS_prctl, PR_SET_NAME, (long)"pomp-observer", 0, 0, 0, 0);
	observer.limits = kernel_filters();
	for (long sleep = PERIOD; !load_acquire(&observer.ends) && !is_limited();
	     sleep = sleep_after(begin, &random)) {
		sleep_while((void *)&observer.ends, 0, sleep);
		if (!load_acquire(&observer.ends) && !is_limited())
			look_around();
		if (!load_acquire(&observer.ends) && !is_limited())
			start_timers();
		if (is_limited())
			break;
	}
	end_clocks();
	return 0;
}

/* The C library's code for the end of a thread must find its head at its thread pointer. */
static char *thread_head(void)
{
	char *head = observer.memory + VARIABLES;

	((void **)head)[0] = ((void **)head)[2] = head;
	return head;
}

static bool start(void)
{
	const int shared = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			   CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID |
			   CLONE_CHILD_CLEARTID;
	enum { BYTES = 2 * VARIABLES + STACK_BYTES };
	uint64_t all = UINT64_MAX, before;

	if (observer.memory == NULL) {
		void *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (memory == MAP_FAILED)
			return false;
		observer.memory = memory;
	}
	store_relaxed(&observer.ends, 0);
	observer.judging = 0;
	/* Also the C library's own signals, which sigfillset() leaves out. */
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, sizeof(all), 0, 0);
	int thread = clone(observe, observer.memory + BYTES, shared, NULL, &observer.thread,
	    thread_head(), &observer.thread);
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, sizeof(all), 0, 0);
	return thread > 0;
}

/* Of ThreadSanitizer's runtime: null in programs without it. */
__attribute__((weak)) void __tsan_acquire(void *address);

/* A debugger would show the observer among the program's threads, with a number between theirs. */
static bool is_traced(void)
{
	char text[2048];

	if (!read_text("/proc/self/status", text, sizeof(text)))
		return false;
	const char *tracer = strstr(text, "TracerPid:");
	return tracer != NULL && strtol(tracer + strlen("TracerPid:"), NULL, 10) != 0;
}

void pomp_observer_start(void)
{
	int error = errno;

	if (is_traced())
		return;
	/* The clone() that is then in the program takes the new thread for a child process. */
	if (__tsan_acquire != NULL)
		return;
	observer.walks = pomp_stack_walk_prepare();
	observer.runs = true;
	if (pomp_observer_join(NULL) == NULL || !start())
		observer.runs = false;
	errno = error;
}

void pomp_observer_stop(void)
{
	if (!observer.runs)
		return;
	store_release(&observer.ends, 1);
	kernel(SYS_futex, (long)&observer.ends, FUTEX_WAKE, 1, 0, 0, 0);
	for (int32_t thread = load_acquire(&observer.thread); thread != 0;
	     thread = load_acquire(&observer.thread))
		if (sleep_while(&observer.thread, thread, LONGEST_END) == -ETIMEDOUT)
			return;
	observer.runs = false;
}

void pomp_observer_after_fork(void)
{
	struct pomp_observed *observed = load_relaxed(&observer.first);
	bool ran = observer.runs;

	for (; observed != NULL; observed = observed->next) {
		store_relaxed(&observed->lock, 0);
		store_relaxed(&observed->thread, 0);
		store_relaxed(&observed->late, NULL);
		observed->count = 0;
		observed->file_thread = 0;
		pomp_exact_clock_forget(&observed->exact);
	}
	observer.runs = false;
	observer.at = NULL;
	store_relaxed(&observer.thread, 0);
	if (ran)
		pomp_observer_start();
}

/* Finds the one of the initial thread, which pomp_observer_start() has made; NULL: there is none.
 */
static struct pomp_observed *find_initial(int32_t thread)
{
	struct pomp_observed *observed = load_acquire(&observer.first);

	if (thread != (int32_t)getpid())
		return NULL;
	while (observed != NULL && load_relaxed(&observed->thread) != thread)
		observed = observed->next;
	return observed;
}

struct pomp_observed *pomp_observer_join(struct pomp_observed *before)
{
	int32_t thread = pomp_thread_number();

	if (!observer.runs)
		return NULL;
	struct pomp_observed *observed = find_initial(thread);
	if (observed != NULL)
		return observed;
	if (before != NULL) {
		store_relaxed(&before->thread, thread);
		return before;
	}
	observed = calloc(1, sizeof(*observed));
	if (observed == NULL)
		return NULL;
	store_relaxed(&observed->thread, thread);
	observed->next = load_relaxed(&observer.first);
	while (!replace_release(&observer.first, &observed->next, observed))
		continue;
	return observed;
}

bool pomp_observer_wants(struct pomp_observed *observed, struct pomp_sample_timer *timer)
{
	if (observed == NULL)
		return false;
	store_relaxed(&observed->late_since, pomp_clock_monotonic());
	store_release(&observed->late, timer);
	return true;
}

void pomp_observer_leave(struct pomp_observed *observed)
{
	if (observed == NULL)
		return;
	store_relaxed(&observed->late, NULL);
	store_relaxed(&observed->exact.event, 0);
	store_relaxed(&observed->thread, 0);
}

uint64_t pomp_observer_bound(void)
{
	cpu_set_t all, its;

	CPU_ZERO(&all);
	for (struct pomp_observed *at = load_acquire(&observer.first); at != NULL; at = at->next) {
		int32_t thread = load_relaxed(&at->thread);
		if (thread != 0 && sched_getaffinity(thread, sizeof(its), &its) == 0)
			CPU_OR(&all, &all, &its);
	}
	return (uint64_t)CPU_COUNT(&all);
}

size_t pomp_observer_take(struct pomp_observed *observed, struct pomp_blocked_call *calls)
{
	size_t count = 0;

	if (observed == NULL || !try_lock(observed))
		return 0;
	for (; count < observed->count; count++)
		calls[count] = observed->call[count];
	observed->count = 0;
	unlock(observed);
	return count;
}

#else

void pomp_observer_start(void)
{
}

void pomp_observer_stop(void)
{
}

void pomp_observer_after_fork(void)
{
}

struct pomp_observed *pomp_observer_join(struct pomp_observed *before)
{
	(void)before;
	return NULL;
}

bool pomp_observer_wants(struct pomp_observed *observed, struct pomp_sample_timer *timer)
{
	(void)observed, (void)timer;
	return false;
}

void pomp_observer_leave(struct pomp_observed *observed)
{
	(void)observed;
}

uint64_t pomp_observer_bound(void)
{
	return 0;
}

size_t pomp_observer_take(struct pomp_observed *observed, struct pomp_blocked_call *calls)
{
	(void)observed, (void)calls;
	return 0;
}

#endif
