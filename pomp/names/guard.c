/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's own handlers are replaced during the step. A signal in another thread restores them
 * and returns: the instruction then fails again, and the program gets its signal.
 */
#include "guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};

enum {
	SIGNALS = sizeof(signals) / sizeof(signals[0]),
	STACK_BYTES = 64 << 10, /* deep recursion may have used up the thread's own stack */
};

/*
 * The guarded thread writes this before it installs the handler. sigaction() is a system call, so a
 * handler in another thread sees it.
 */
static struct guard {
	long thread;
	sigjmp_buf back;
	struct sigaction before[SIGNALS];
} guard;

static void give_back(void)
{
	for (int i = 0; i < SIGNALS; i++)
		sigaction(signals[i], &guard.before[i], NULL);
}

static void handle(int number)
{
	(void)number;
	if (syscall(SYS_gettid) == guard.thread)
		siglongjmp(guard.back, 1);
	give_back();
}

bool pomp_guarded(void (*step)(void *context), void *context)
{
	static char stack_bytes[STACK_BYTES] __attribute__((aligned(64)));
	stack_t stack = {.ss_sp = stack_bytes, .ss_size = sizeof(stack_bytes)}, before;
	struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
	bool has_stack = sigaltstack(&stack, &before) == 0;
	volatile bool is_done = false;

	sigemptyset(&action.sa_mask);
	guard.thread = syscall(SYS_gettid);
	if (sigsetjmp(guard.back, 1) == 0) {
		for (int i = 0; i < SIGNALS; i++)
			sigaction(signals[i], &action, &guard.before[i]);
		step(context);
		is_done = true;
	}
	give_back();
	if (has_stack)
		sigaltstack(&before, NULL);
	return is_done;
}
