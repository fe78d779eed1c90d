/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sampling handler at every instruction of events: the processor's trap flag stops the program
 * after each one, and the signal of libpomp's timer is sent there. For check-run.py: every event
 * and every sample is in the profile and in the trace, although the log's windows fill up
 * meanwhile. Timers do not run, so no other sample comes.
 */
#include "regions.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum { MAIN, LOOP, SINGLE, CRITICAL, TASK, WAIT, GROUP, PARALLEL, LATE, COUNT };

OMPRegDescr regions[COUNT] = {
    [MAIN] = REGION("region", "main", 1),
    [LOOP] = REGION("for", "", 10),
    [SINGLE] = REGION("single", "", 20),
    [CRITICAL] = REGION("critical", "", 30),
    [TASK] = REGION("task", "", 50),
    [WAIT] = REGION("taskwait", "", 60),
    [GROUP] = REGION("taskgroup", "", 70),
    [PARALLEL] = REGION("parallel", "", 90),
    [LATE] = REGION("region", "late", 100),
};
const int region_count = COUNT;

static struct sigevent timer;
static volatile int stops;
static volatile unsigned long samples;

#define SEEN __attribute__((visibility("default")))

/* In front of the C library's for libpomp. */
SEEN int timer_create(clockid_t clock, struct sigevent *event, timer_t *made)
{
	(void)clock;
	timer = *event;
	*made = NULL;
	return 0;
}

SEEN int timer_settime(
    timer_t made, int flags, const struct itimerspec *times, struct itimerspec *before)
{
	(void)made, (void)flags, (void)times, (void)before;
	return 0;
}

/* libpomp prepares windows itself when it gets no thread. Starting one would block SIGTRAP. */
SEEN int pthread_create(
    pthread_t *made, const pthread_attr_t *attributes, void *(*begin)(void *), void *argument)
{
	(void)made, (void)attributes, (void)begin, (void)argument;
	return EAGAIN;
}

SEEN int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	(void)how, (void)set, (void)before;
	return 0;
}

SEEN int timer_delete(timer_t made)
{
	(void)made;
	return 0;
}

#define TRAP_FLAG 0x100

/* The signal is blocked here, so it comes when this handler has returned. */
static void step(int number, siginfo_t *info, void *context)
{
	ucontext_t *user = context;
	siginfo_t expired;

	(void)number;
	(void)info;
	if (stops) {
		user->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	user->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
	memset(&expired, 0, sizeof(expired));
	expired.si_signo = timer.sigev_signo;
	expired.si_code = SI_TIMER;
	expired.si_value = timer.sigev_value;
	samples +=
	    syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), timer.sigev_signo, &expired) == 0;
}

static void single_steps(void)
{
	struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};

	memset(&action.sa_mask, 0xff, sizeof(action.sa_mask));
	sigaction(SIGTRAP, &action, NULL);
	raise(SIGTRAP);
}

static void share_loop(void)
{
	pomp_for_enter(&regions[LOOP]);
	pomp_barrier_enter(&regions[LOOP]);
	pomp_barrier_exit(&regions[LOOP]);
	pomp_for_exit(&regions[LOOP]);
}

static void enter_blocks(void)
{
	pomp_single_enter(&regions[SINGLE]);
	pomp_single_begin(&regions[SINGLE]);
	pomp_single_end(&regions[SINGLE]);
	pomp_single_exit(&regions[SINGLE]);
	pomp_critical_enter(&regions[CRITICAL]);
	pomp_critical_begin(&regions[CRITICAL]);
	pomp_critical_end(&regions[CRITICAL]);
	pomp_critical_exit(&regions[CRITICAL]);
}

static void make_tasks(void)
{
	uint64_t task = pomp_task_create_begin(&regions[TASK]);

	pomp_task_begin(&regions[TASK], task);
	pomp_task_end(&regions[TASK], task);
	pomp_task_create_end(&regions[TASK], task);
	pomp_taskwait_enter(&regions[WAIT]);
	pomp_taskwait_exit(&regions[WAIT]);
	pomp_taskgroup_enter(&regions[GROUP]);
	pomp_taskgroup_begin(&regions[GROUP]);
	pomp_taskgroup_end(&regions[GROUP]);
	pomp_taskgroup_exit(&regions[GROUP]);
}

static void round_of_events(void (*events)(void))
{
	pomp_begin(&regions[MAIN]);
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
	pomp_parallel_begin(&regions[PARALLEL], fork);
	events();
	pomp_parallel_end(&regions[PARALLEL]);
	pomp_parallel_join(&regions[PARALLEL], fork);
	usleep(500); /* a long interval */
	pomp_end(&regions[MAIN]);
}

static const struct {
	const char *name;
	void (*events)(void);
	int first, last; /* regions */
} parts[] = {
    {"loops", share_loop, LOOP, LOOP},
    {"blocks", enter_blocks, SINGLE, CRITICAL},
    {"tasks", make_tasks, TASK, GROUP},
};

/*
 * stepped loops|blocks|tasks. A thread's tree of paths has its limit, and each instruction is a
 * path.
 */
int main(int count, char **argument)
{
	int part = 0;

	/* With so few, libpomp uses no clock beside the timer. */
	setrlimit(RLIMIT_SIGPENDING, &(struct rlimit){100, 100});
	while (part < 2 && count > 1 && strcmp(argument[1], parts[part].name) != 0)
		part++;
	round_of_events(parts[part].events); /* takes a block and makes the log */
	check(timer.sigev_signo > 0, "timer's signal", (uint64_t)timer.sigev_signo, 32);
	single_steps();
	round_of_events(parts[part].events);
	/* A region that is new to the thread. */
	pomp_begin(&regions[LATE]);
	pomp_end(&regions[LATE]);
	stops = 1;
	pomp_finalize();
	for (int i = 0; i < COUNT; i++)
		if (i < LOOP || i > GROUP || (i >= parts[part].first && i <= parts[part].last))
			expect(&regions[i], i == LATE ? 1 : 2);
	check(samples > 5000, "samples", samples, 5000);
	print_expected("samples %lu", samples);
	return result();
}
