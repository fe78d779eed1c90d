/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Begins to note accesses if `ompinst sharing run` has started the program, and writes the log when
 * it ends: regularly, or by a signal that asks it to and that the program does not handle.
 */
#include "heap-blocks.h"
#include "loaded-files.h"
#include "noted-lines.h"
#include "set-apart.h"
#include "noted-log.h"

#include "sharing-format.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_TO_END = 10 };

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

/* What is noted in a child is not the program's. */
static void stop_in_child(void)
{
	store_relaxed(&noting_is_on, false);
	store_relaxed(&heap_is_noted, false);
	noting_self.tag = noting_self.tag_of_several = 0;
	noting_self.has_ended = true;
}

/* If the log cannot be written here, because the handler has interrupted the loader, time ends it.
 */
static void end_by_signal(int number)
{
	signal(SIGALRM, SIG_DFL);
	alarm(SECONDS_TO_END);
	noted_log_write(true);
	signal(number, SIG_DFL);
	raise(number);
}

static void handle_signals(void)
{
	for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
		struct sigaction action;
		if (sigaction(ending_signals[i], NULL, &action) != 0 ||
		    (action.sa_flags & SA_SIGINFO) != 0 || action.sa_handler != SIG_DFL)
			continue;
		memset(&action, 0, sizeof action);
		action.sa_handler = end_by_signal;
		action.sa_flags = SA_NODEFER;
		sigaction(ending_signals[i], &action, NULL);
	}
}

__attribute__((constructor)) static void begin(void)
{
	const char *words = getenv(SHARING_VARIABLE);
	const char *folder = words != NULL ? strstr(words, SHARING_LOG "=") : NULL;

	if (folder == NULL)
		return;
	loaded_files_read();
	set_apart_begin(words);
	noted_log_begin(folder + strlen(SHARING_LOG "="));
	if (!noted_lines_begin())
		return;
	if (heap_blocks_begin())
		store_relaxed(&heap_is_noted, true);
	noting_begin_outer_epoch();
	pthread_atfork(NULL, NULL, stop_in_child);
	handle_signals();
	store_relaxed(&noting_is_on, strstr(words, SHARING_QUIET "=1") == NULL);
}

__attribute__((destructor)) static void end(void)
{
	noted_log_write(false);
}
