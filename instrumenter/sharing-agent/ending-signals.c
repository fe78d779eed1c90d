/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The signals are those that end a program by default: from outside, by a limit, or by its own
 * fault. The handler may have interrupted anything, also what holds a lock of this library: a
 * thread that is ending waits for locks only a short while.
 */
#include "ending-signals.h"

#include "noted-log.h"
#include "noting-thread.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_TO_END = 10 };

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU, SIGXFSZ,
    SIGUSR1, SIGUSR2, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};

static _Atomic bool has_begun;

/*
 * Ends the process by the signal. If the log cannot be written, because the handler has interrupted
 * what it needs, time ends it. Further threads that a signal ends wait until the first one is done.
 */
static void end_by_signal(int number)
{
	struct noting_thread *self = &noting_self;

	if (!self->is_ending && exchange_acquire(&has_begun, true))
		for (;;)
			pause();
	if (!self->is_ending) {
		self->is_ending = true;
		signal(SIGALRM, SIG_DFL);
		alarm(SECONDS_TO_END);
		noted_log_write(true);
	}
	signal(number, SIG_DFL);
	raise(number);
}

void ending_signals_handle(void)
{
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		struct sigaction action;
		if (sigaction(signals[i], NULL, &action) != 0 ||
		    (action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != SIG_DFL)
			continue;
		memset(&action, 0, sizeof action);
		action.sa_handler = end_by_signal;
		action.sa_flags = SA_NODEFER | SA_ONSTACK;
		sigaction(signals[i], &action, NULL);
	}
}
