/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * POSIX timers on the threads' processor time. The kernel notices that one has expired while the
 * thread runs, and sends the signal when it returns to user code.
 *
 * The signal is one that programs cannot use. With glibc that is its SIGCANCEL, for
 * pthread_cancel(): sigaction() refuses it, and functions that block signals or wait for them leave
 * it out, so no program blocks it, waits for it, or takes it from us, and debuggers pass it on.
 * What neither a timer nor the thread's exact clock sent goes to glibc's handler. glibc 2.34 and
 * newer install that at the first pthread_cancel(), over ours; the next thread that starts puts
 * ours back. With another C library it is the last real-time signal that the program has left
 * alone.
 */
#include "sample-timer.h"

#include "full-queue.h"
#include "kernel-call.h"
#include "limited-calls.h"
#include "pomp-atomics.h"
#include "shared/clock.h"
#include "shared/processor.h"
#include "thread-number.h"
#include "thread-usage.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/* The observer has no errno of its own. */
#if defined KERNEL_CALLS
#define ARGUMENT(argument) (long)(argument)
#define CALL_OF(number, one, two, three, four, ...)                                                \
	kernel(number, ARGUMENT(one), ARGUMENT(two), ARGUMENT(three), ARGUMENT(four), 0, 0)
#define CALL(...) CALL_OF(__VA_ARGS__, 0, 0, 0, 0)
#else
static long checked(long result)
{
	return result < 0 ? -errno : result;
}
#define CALL(...) checked(syscall(__VA_ARGS__))
#endif

typedef void handler(int, siginfo_t *, void *);

static int used_signal; /* 0: none */
static uint32_t period; /* microseconds */
static pomp_sampled *taken;
/*
 * A sample is taken when so many are due, and stands for all of them; 0: none is taken. Relaxed: a
 * handler that still sees the value before takes one more sample as before, of the same weight.
 */
static _Atomic uint32_t step = 1;
static char mark; /* its address is the value that tells our timers' signals from others */
static _Atomic(handler *) next_handler; /* of whatever else uses the signal */

/* The thread's; NULL: it takes no samples. */
static _Thread_local struct pomp_sample_timer *own PROCESSOR_THREAD_LOCAL;

/*
 * The kernel looks at a thread's timers at its ticks, which a thread on a busy machine often
 * misses. Overruns of more microseconds than that come from a signal that was blocked.
 */
#define LONGEST_GAP 200000

/*
 * With the exact clock. Each of its signals is a sample of user code. What the thread has run
 * beyond that, it has run in the kernel, and a tick that sees it there is a sample of as much as a
 * tick stands for. What ticks do not see in the kernel is shared out like user code: while more
 * than MOST_DUE are due, a signal of the clock is two samples. If many more are due, its signals do
 * not arrive, and all ticks are samples.
 */
enum { MOST_DUE = 3, MOST_WAITING = 50 };

/* Reads how long the thread has run, and how long in the kernel. */
static bool read_usage(uint64_t *ran, uint64_t *system)
{
	struct rusage usage;

	if (pomp_calls_are_limited() || getrusage(RUSAGE_THREAD, &usage) != 0)
		return false;
	*system = pomp_usage_from_timeval(usage.ru_stime) / 1000;
	*ran = *system + pomp_usage_from_timeval(usage.ru_utime) / 1000;
	return true;
}

static struct timespec timespec_of(uint32_t microseconds)
{
	return (struct timespec){
	    .tv_sec = microseconds / 1000000, .tv_nsec = (long)(microseconds % 1000000) * 1000};
}

/* Lets the timer expire at each tick, or after each period. */
static bool set_timer(const struct pomp_sample_timer *timer, uint32_t microseconds)
{
	struct timespec each = timespec_of(microseconds);
	struct itimerspec times = {.it_interval = each, .it_value = each};

	uint64_t number = load_relaxed(&timer->state) - POMP_TIMER_EXISTS;

	return timer_settime((timer_t)(uintptr_t)number, 0, &times, NULL) == 0;
}

/*
 * Notes what the thread has run. Returns whether the tick saw it in the kernel, which divides the
 * time that a thread has run in the proportion of the ticks that saw it there and in user code: if
 * its part has grown, so did this one.
 */
static bool note_tick(struct pomp_sample_timer *timer, uint64_t ran, uint64_t system)
{
	uint64_t more = ran - timer->ran, more_system = system - timer->system;
	bool in_kernel = more_system > 0 && more_system * timer->ran >= timer->system * more;

	timer->ran = ran;
	timer->system = system;
	return in_kernel;
}

/* Returns how many samples are due, but no more than so many, and counts them. */
static uint64_t take_due(struct pomp_sample_timer *timer, uint64_t most)
{
	uint64_t all = (timer->ran - timer->begin) / period;

	timer->due = all > timer->counted ? all - timer->counted : 0;
	most = timer->due < most ? timer->due : most;
	timer->due -= most;
	timer->counted += most;
	return most;
}

/* Returns for how many samples ticks that saw the thread in the kernel stand and have not been. */
static uint64_t kernel_share(struct pomp_sample_timer *timer)
{
	uint64_t all = (timer->ran - timer->begin) / period;
	uint64_t share = all * timer->kernel_ticks / timer->ticks;

	return share > timer->kernel_samples ? share - timer->kernel_samples : 0;
}

/* Returns how many samples a tick is while the thread has the exact clock. */
static uint64_t due_beside_exact(struct pomp_sample_timer *timer, bool in_kernel)
{
	timer->ticks++;
	timer->kernel_ticks += in_kernel;
	uint64_t samples = take_due(timer, in_kernel ? kernel_share(timer) : 0);
	timer->kernel_samples += samples;
	if (timer->due > MOST_WAITING)
		samples += take_due(timer, timer->due - MOST_WAITING);
	return samples;
}

/* Returns how many samples a tick is, given how often the timer has expired. */
static uint64_t due_at_tick(struct pomp_sample_timer *timer, uint32_t expired)
{
	const uint64_t due = (uint64_t)expired * timer->steps;
	uint64_t ran, system;
	bool was_exact = timer->is_exact;
	/* The first signals of a late timer may come before its number is known. */
	bool is_exact = load_relaxed(&timer->state) >= POMP_TIMER_EXISTS &&
			pomp_exact_clock_runs(timer->exact, timer->thread);

	if (!is_exact && !was_exact)
		return due;
	if (!read_usage(&ran, &system)) {
		if (!was_exact)
			return due;
		/* Nothing can be changed, and the timer counts microseconds. */
		note_tick(timer, timer->ran + expired, timer->system);
		return is_exact ? due_beside_exact(timer, false) : take_due(timer, UINT64_MAX);
	}
	bool in_kernel = note_tick(timer, ran, system);
	timer->is_exact = is_exact;
	if (is_exact != was_exact) {
		set_timer(timer, is_exact ? 1 : period);
		timer->steps = 1;
	}
	if (was_exact)
		return is_exact ? due_beside_exact(timer, in_kernel) : take_due(timer, UINT64_MAX);
	timer->begin = ran;
	timer->counted = timer->due = timer->rest = 0;
	timer->ticks = timer->kernel_ticks = timer->kernel_samples = 0;
	return due;
}

/* Returns how many samples a signal of the exact clock is: 0 for one that was late, and waited. */
static uint64_t due_now(struct pomp_sample_timer *timer)
{
	uint64_t now = pomp_clock_monotonic(), samples;

	add_own(&timer->exact->signals, 1);
	if (!timer->is_exact || now - timer->latest < (uint64_t)period * 1000 / 2)
		return 0;
	timer->latest = now;
	timer->rest += timer->exact->period;
	samples = timer->rest / period;
	timer->rest %= period;
	if (samples > 0 && timer->due > MOST_DUE) {
		timer->due--;
		samples++;
	}
	timer->counted += samples;
	return samples;
}

/* Whether the signal is of what that word of the thread's exact clock tells. */
static bool is_of(
    const struct pomp_sample_timer *timer, const siginfo_t *info, const _Atomic uint64_t *event)
{
	return load_acquire(event) == pomp_exact_event(timer->thread, info->si_fd);
}

/* Forgets what is due and what was counted: it belongs to a sample, or samples are off. */
static void forget_waiting(struct pomp_sample_timer *timer)
{
	timer->waiting = timer->unknown = 0;
	timer->has_counts = false;
	memset(timer->counts, 0, sizeof(timer->counts));
}

/* Takes a sample if enough are due: it stands for all that waited for it. */
static void take(
    struct pomp_sample_timer *timer, uint64_t due, bool with_counts, const void *context)
{
	uint64_t known = LONGEST_GAP / period + 1;
	uint32_t each = load_relaxed(&step);

	known = known > timer->steps ? known : timer->steps;
	known = due < known ? due : known;
	timer->waiting += (uint32_t)known;
	timer->unknown += (uint32_t)(due - known);
	if (each == 0)
		forget_waiting(timer);
	if (due == 0 || each == 0 || timer->waiting < each)
		return;
	taken(timer->waiting, timer->unknown,
	    with_counts && timer->has_counts ? timer->counts : NULL, context);
	forget_waiting(timer);
}

/* Reads what counters have counted since the previous signal; kept until a sample is taken. */
static void read_counts(struct pomp_sample_timer *timer, bool keeps)
{
	uint64_t counts[SAMPLE_COUNTERS_MOST] = {0};

	if (!pomp_exact_clock_counts(timer->exact, &timer->reading, counts) || !keeps)
		return;
	for (unsigned i = 0; i < SAMPLE_COUNTERS_MOST; i++)
		timer->counts[i] += counts[i];
	timer->has_counts = true;
}

static void take_exact(struct pomp_sample_timer *timer, const void *context)
{
	uint64_t due = due_now(timer);

	read_counts(timer, due > 0);
	take(timer, due, true, context);
}

/* Takes what counters have counted, at no sample of time. */
static void take_reading(struct pomp_sample_timer *timer, const void *context)
{
	uint32_t each = load_relaxed(&step);

	add_own(&timer->exact->signals, 1);
	read_counts(timer, each != 0);
	if (each == 0 || ++timer->readings < each)
		return;
	timer->readings = 0;
	if (timer->has_counts)
		taken(0, 0, timer->counts, context);
	timer->has_counts = false;
	memset(timer->counts, 0, sizeof(timer->counts));
}

static void take_events(const void *context)
{
	uint64_t counts[SAMPLE_COUNTERS_MOST];

	if (load_relaxed(&step) == 0)
		return;
	pomp_exact_clock_event_counts(counts);
	taken(0, 0, counts, context);
}

/* Takes a signal that the observer let the kernel send; false: it is somebody else's. */
static bool take_observed(
    struct pomp_sample_timer *timer, const siginfo_t *info, const void *context)
{
	struct pomp_exact_clock *exact = timer != NULL ? timer->exact : NULL;

	if (exact == NULL || info->si_code != POLL_IN)
		return false;
	if (is_of(timer, info, &exact->event))
		take_exact(timer, context);
	else if (is_of(timer, info, &exact->reading))
		take_reading(timer, context);
	else if (is_of(timer, info, &exact->counting))
		take_events(context);
	else
		return false;
	return true;
}

/*
 * Lets a timer that expires each period do so as rarely as samples are taken. Where none are, it
 * expires once in a second of processor time, and looks whether they are on again.
 */
static void adapt(struct pomp_sample_timer *timer)
{
	uint32_t each = load_relaxed(&step), most = 1000000 / period;

	timer->is_off = each == 0;
	if (each == 0 || each > most)
		each = most > 0 ? most : 1;
	if (each == timer->steps || timer->is_exact ||
	    load_relaxed(&timer->state) < POMP_TIMER_EXISTS || pomp_calls_are_limited())
		return;
	if (set_timer(timer, each * period))
		timer->steps = each;
}

static void handle(int number, siginfo_t *info, void *context)
{
	handler *next = load_relaxed(&next_handler);
	struct pomp_sample_timer *timer = own;
	int error = errno;

	if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark) {
		uint32_t more = info->si_overrun > 0 ? (uint32_t)info->si_overrun : 0;
		if (timer != NULL) {
			uint64_t due = due_at_tick(timer, 1 + more);
			take(timer, timer->is_off ? 0 : due, false, context);
			adapt(timer);
		}
		errno = error;
	} else if (take_observed(timer, info, context)) {
		errno = error;
	} else if (next != NULL) {
		/* It may never return, and does not expect other signals to be blocked. */
		pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
		next(number, info, context);
	}
}

#if defined __GLIBC__ && (defined __x86_64__ || defined __aarch64__)

/* The kernel's form of struct sigaction. */
struct action {
	handler *handler;
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

enum { RESERVED_SIGNAL = 32 };

#if defined __x86_64__
/*
 * Returns from the handler. Unwinders know these instructions; the one before them belongs to no
 * function, because they look there. gdb knows them by glibc's name for them, or without a name.
 */
extern void pomp_sample_return(void) __asm__("__restore_rt") __attribute__((visibility("hidden")));
__asm__(".text\n"
	"\t.p2align 4\n"
	"\tnop\n"
	".globl __restore_rt\n"
	".hidden __restore_rt\n"
	".type __restore_rt, @function\n"
	"__restore_rt:\n"
	"\tmov $15, %rax\n"
	"\tsyscall\n");
#define RETURN_FLAG 0x04000000 /* SA_RESTORER */
#else
#define pomp_sample_return NULL /* the kernel's own is used */
#define RETURN_FLAG        0
#endif

static bool change_action(int number, const struct action *new, struct action *old)
{
	return syscall(SYS_rt_sigaction, number, new, old, sizeof(uint64_t)) == 0;
}

/*
 * Keeps our signal out of handlers that run on an alternate stack: the kernel kills a program whose
 * alternate stack has no room for another signal's frame. Programs do not see that the signal is
 * blocked. It is done when the first threads start, because programs install handlers early.
 */
static void spare_alternate_stacks(void)
{
	enum { MOST_TIMES = 16 };
	const uint64_t ours = UINT64_C(1) << (RESERVED_SIGNAL - 1);
	static _Atomic unsigned times;
	struct action action;

	if (load_relaxed(&times) >= MOST_TIMES || fetch_add_relaxed(&times, 1) >= MOST_TIMES)
		return;
	for (int number = 1; number <= SIGRTMAX; number++)
		if (number != RESERVED_SIGNAL && change_action(number, NULL, &action) &&
		    action.flags & SA_ONSTACK && (uintptr_t)action.handler > (uintptr_t)SIG_IGN &&
		    !(action.mask & ours)) {
			action.mask |= ours;
			change_action(number, &action, NULL);
		}
}

/*
 * Installs the handler unless it is there; what was there before gets what is not ours. Returns the
 * signal; 0: it cannot be used.
 */
static int install(void)
{
	struct action now;
	const struct action wanted = {
	    .handler = handle,
	    .flags = SA_SIGINFO | SA_RESTART | RETURN_FLAG,
	    .restorer = pomp_sample_return,
	    /* What another handler allocates or locks, this one must not interrupt halfway. */
	    .mask = UINT64_MAX,
	};

	if (!change_action(RESERVED_SIGNAL, NULL, &now))
		return 0;
	if (now.handler == handle)
		return RESERVED_SIGNAL;
	if ((uintptr_t)now.handler > (uintptr_t)SIG_IGN) /* neither that nor the default action */
		store_relaxed(&next_handler, now.handler);
	return change_action(RESERVED_SIGNAL, &wanted, NULL) ? RESERVED_SIGNAL : 0;
}

#else

/* Returns the last real-time signal that has its default action; 0: there is none. */
static int free_signal(void)
{
	struct sigaction action;

	for (int number = SIGRTMAX; number >= SIGRTMIN; number--)
		if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
			return number;
	return 0;
}

static void spare_alternate_stacks(void)
{
}

static int install(void)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_RESTART};
	int number = used_signal != 0 ? used_signal : free_signal();

	sigfillset(&action.sa_mask);
	if (number == 0)
		errno = EBUSY;
	else if (used_signal == 0 && sigaction(number, &action, NULL) != 0)
		return 0;
	return number;
}

#endif

bool pomp_sample_prepare(
    uint32_t microseconds, uint64_t counters, struct sample_event event, pomp_sampled *sampled)
{
	taken = sampled;
	period = microseconds;
	used_signal = install();
	pomp_exact_clock_prepare(used_signal, microseconds, counters, event);
	if (used_signal != 0)
		pomp_full_queue_prepare();
	return used_signal != 0;
}

static struct sigevent event_of(int32_t thread)
{
	struct sigevent event;

	memset(&event, 0, sizeof(event));
	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = used_signal;
	event.sigev_value.sival_ptr = &mark;
	event._sigev_un._tid = thread;
	return event;
}

/*
 * Expires each period. The first time is at the next tick: the kernel sees a thread that lives for
 * a part of a period at one of its ticks in so large a part of all cases.
 */
static struct itimerspec times_from_now(void)
{
	return (struct itimerspec){
	    .it_interval = timespec_of(period),
	    .it_value = {.tv_nsec = 1},
	};
}

/* The calling thread takes samples with this timer from now on, or when it is started. */
static void begin(struct pomp_sample_timer *timer, struct pomp_exact_clock *exact)
{
	timer->thread = pomp_thread_number();
	timer->exact = exact;
	timer->is_exact = false;
	timer->reading = (struct pomp_ring_reading){0};
	timer->steps = 1;
	timer->is_off = false;
	timer->readings = 0;
	forget_waiting(timer);
	/*
	 * Threads that run for less than a sample stands for have one as often as is their share:
	 * they begin at different parts of it.
	 */
	uint32_t each = load_relaxed(&step);
	if (each > 1)
		timer->waiting = (uint32_t)timer->thread * 0x9e3779b1 / 0x10000 % each;
	own = timer;
}

void pomp_sample_take_each(uint32_t number)
{
	store_relaxed(&step, number);
}

bool pomp_sample_start(struct pomp_sample_timer *timer, struct pomp_exact_clock *exact)
{
	if (load_relaxed(&timer->state) >= POMP_TIMER_EXISTS)
		return true;
	if (used_signal == 0 || pomp_calls_are_limited()) {
		errno = EPERM;
		return false;
	}
	struct sigevent event = event_of(pomp_thread_number());
	struct itimerspec times = times_from_now();
	timer_t made;
	if (install() == 0 || timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &made) != 0)
		return false;
	store_relaxed(&timer->state, POMP_TIMER_EXISTS + (uint64_t)(uintptr_t)made);
	begin(timer, exact);
	spare_alternate_stacks();
	if (timer_settime(made, 0, &times, NULL) == 0)
		return true;
	int error = errno;
	pomp_sample_stop(timer);
	errno = error;
	return false;
}

/* Makes a timer of another thread; returns its number in the kernel, or a negative error. */
static long make_late(int32_t thread, uint64_t elapsed)
{
	const clockid_t clock = pomp_thread_clock(thread);
	const uint64_t period_ns = (uint64_t)period * 1000;
	struct sigevent event = event_of(thread);
	struct itimerspec times = times_from_now();
	struct timespec ran = {0, 0};
	int number = 0, flags = 0;
	long error = CALL(SYS_clock_gettime, clock, &ran);

	if (error >= 0)
		error = CALL(SYS_timer_create, clock, &event, &number);
	if (error < 0)
		return error;
	uint64_t now = (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec;
	/* It may have run before it began. Samples for whole periods since come at once. */
	uint64_t due = ((now < elapsed ? now : elapsed) + period_ns / 2) / period_ns;
	if (due > 0) {
		uint64_t at = now - (due - 1) * period_ns - period_ns / 2;
		times.it_value.tv_sec = (time_t)(at / 1000000000);
		times.it_value.tv_nsec = (long)(at % 1000000000);
		flags = TIMER_ABSTIME;
	}
	error = CALL(SYS_timer_settime, number, flags, &times, NULL);
	if (error >= 0)
		return number;
	CALL(SYS_timer_delete, number);
	return error;
}

bool pomp_sample_stop(struct pomp_sample_timer *timer)
{
	uint64_t state = exchange_acquire(&timer->state, POMP_TIMER_NONE);

	if (own == timer)
		own = NULL;
	/* C libraries' timer_t is the kernel's number, if no thread of theirs handles the timer. */
	if (state >= POMP_TIMER_EXISTS && !pomp_calls_are_limited())
		timer_delete((timer_t)(uintptr_t)(state - POMP_TIMER_EXISTS));
	return state == POMP_TIMER_LATE || state == POMP_TIMER_MAKING;
}

void pomp_sample_late(struct pomp_sample_timer *timer, struct pomp_exact_clock *exact)
{
	begin(timer, exact);
	store_release(&timer->state, POMP_TIMER_LATE);
}

bool pomp_sample_start_late(struct pomp_sample_timer *timer, int32_t thread, uint64_t elapsed)
{
	uint64_t state = POMP_TIMER_LATE;

	if (used_signal == 0 || !replace_once(&timer->state, &state, POMP_TIMER_MAKING))
		return false;
	long number = make_late(thread, elapsed);
	state = POMP_TIMER_MAKING;
	/* Without a timer it is late for good. */
	if (replace_once(&timer->state, &state,
		number >= 0 ? POMP_TIMER_EXISTS + (uint64_t)number : POMP_TIMER_LATE))
		return number >= 0;
	if (number >= 0)
		CALL(SYS_timer_delete, number);
	return false;
}

void pomp_sample_forget(struct pomp_sample_timer *timer)
{
	store_relaxed(&timer->state, POMP_TIMER_NONE);
}
