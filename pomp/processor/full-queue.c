/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's own SIGIO says nothing about a file. Any other one, such as that of a process, ends
 * the program as before.
 */
#include "full-queue.h"

#include <signal.h>
#include <stddef.h>

static void survive(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code == SI_KERNEL)
		return;
	signal(number, SIG_DFL);
	raise(number); /* it is blocked until this returns */
}

void pomp_full_queue_prepare(void)
{
	struct sigaction action = {.sa_sigaction = survive, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct sigaction before;

	sigfillset(&action.sa_mask);
	if (sigaction(SIGIO, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
	    before.sa_handler == SIG_DFL)
		sigaction(SIGIO, &action, NULL);
}
