/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The hot path allocates nothing and makes no system call: after a first round, a round of events
 * must pass without a call of the functions that this program puts in front of the C library's, and
 * without a system call at all, which a seccomp filter would turn into SIGSYS. (After a long
 * interval a thread asks the kernel whether it ran: rounds have none.) And the end of it is
 * announced while there is one thread: the order of all threads by membarrier(2), which at the end,
 * with several threads, would take 8 to 15 ms to announce. What was not announced is refused.
 */
#include "regions.h"

#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef SYS_membarrier
#include <linux/membarrier.h>
#endif

enum { TRIES = 10 };

enum { MAIN, LOOP, SINGLE, CRITICAL, ATOMIC, TASK, WAIT, GROUP, BARRIER, COUNT };

OMPRegDescr regions[COUNT] = {
    [MAIN] = REGION("region", "main", 1),
    [LOOP] = REGION("for", "", 10),
    [SINGLE] = REGION("single", "", 20),
    [CRITICAL] = REGION("critical", "", 30),
    [ATOMIC] = REGION("atomic", "", 40),
    [TASK] = REGION("task", "", 50),
    [WAIT] = REGION("taskwait", "", 60),
    [GROUP] = REGION("taskgroup", "", 70),
    [BARRIER] = REGION("barrier", "", 80),
};
const int region_count = COUNT;

static volatile int armed;
static volatile int calls;

/* In front of the C library's allocator for the whole process, libpomp included. */
void *malloc(size_t size)
{
	static void *(*next)(size_t);

	calls += armed;
	if (next == NULL)
		next = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	return next(size);
}

static void round_of_events(void)
{
	pomp_begin(&regions[MAIN]);
	pomp_for_enter(&regions[LOOP]);
	pomp_barrier_enter(&regions[LOOP]);
	pomp_barrier_exit(&regions[LOOP]);
	pomp_for_exit(&regions[LOOP]);
	pomp_single_enter(&regions[SINGLE]);
	pomp_single_begin(&regions[SINGLE]);
	pomp_single_end(&regions[SINGLE]);
	pomp_single_exit(&regions[SINGLE]);
	pomp_critical_enter(&regions[CRITICAL]);
	pomp_critical_begin(&regions[CRITICAL]);
	pomp_critical_end(&regions[CRITICAL]);
	pomp_critical_exit(&regions[CRITICAL]);
	pomp_atomic_enter(&regions[ATOMIC]);
	pomp_atomic_exit(&regions[ATOMIC]);
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
	pomp_barrier_enter(&regions[BARRIER]);
	pomp_barrier_exit(&regions[BARRIER]);
	pomp_parameter_int64("round", 1);
	pomp_parameter_string("case", "usual");
	pomp_end(&regions[MAIN]);
}

/* From here on only _exit works. */
static void forbid_system_calls(void)
{
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		static const char reason[] = "the system takes no filter of system calls\n";
		_exit(write(STDOUT_FILENO, reason, sizeof(reason) - 1) < 0 ? 1 : 77);
	}
}

static int check_announcement(void)
{
#ifdef SYS_membarrier
	long offered = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);

	if (offered > 0 && (offered & MEMBARRIER_CMD_PRIVATE_EXPEDITED))
		return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0;
#endif
	return 77;
}

static int pass_events(bool is_broken)
{
	round_of_events();
	forbid_system_calls();
	armed = 1;
	/* Few enough for the first window of the log. */
	for (int i = 0; i < 100; i++)
		round_of_events();
	armed = 0;
	if (is_broken)
		syscall(SYS_getpid); /* proves that the filter sees a system call */
	return calls == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	bool is_broken = argc > 1 && strcmp(argv[1], "broken") == 0;
	int status = 0;

	if (argc > 1 && strcmp(argv[1], "end") == 0)
		_exit(check_announcement());
	/* A thread that lost its processor asks the kernel how long: one of a few processes does
	 * not. */
	for (int i = 0; i < TRIES; i++) {
		pid_t child = fork();
		if (child == 0)
			_exit(pass_events(is_broken));
		if (child < 0 || waitpid(child, &status, 0) != child)
			return 2;
		if (!WIFSIGNALED(status))
			return WEXITSTATUS(status);
	}
	fprintf(stderr, "each of %d processes ended by signal %d\n", TRIES, WTERMSIG(status));
	return 1;
}
