/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Has a handler for SIGUSR2 before libpomp (argv[1]) is loaded, as when a runtime loads the tool:
 * the library's handler calls it.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void handle(int number, siginfo_t *info, void *context)
{
	(void)context;
	dprintf(STDOUT_FILENO, "%d %d\n", number, info->si_pid == getpid());
}

int main(int count, char **words)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO}, now;

	sigaction(SIGUSR2, &action, NULL);
	if (count < 2 || dlopen(words[1], RTLD_NOW | RTLD_GLOBAL) == NULL) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	sigaction(SIGUSR2, NULL, &now);
	printf("%d\n", now.sa_sigaction != handle);
	fflush(stdout);
	raise(SIGUSR2);
	return 0;
}
