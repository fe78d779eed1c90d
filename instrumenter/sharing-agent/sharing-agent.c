/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Begins to note accesses if `ompinst sharing run` has started the program, and writes the log when
 * it ends: regularly, or by a function that calls no destructor. Signals: ending-signals.h.
 */
#include "ending-signals.h"
#include "first-touch.h"
#include "heap-blocks.h"
#include "loaded-files.h"
#include "noted-lines.h"
#include "set-apart.h"
#include "noted-log.h"

#include "sharing-format.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* What is noted in a child is not the program's. */
static void stop_in_child(void)
{
	store_relaxed(&noting_is_on, false);
	store_relaxed(&heap_is_noted, false);
	noting_self.tag = noting_self.tag_of_several = 0;
	noting_self.has_ended = true;
}

__attribute__((destructor)) static void end(void)
{
	noted_log_write(false);
}

/* Programs may call it in signal handlers, and children of vfork(), which have no log, do. */
PUBLIC void _exit(int status)
{
	noted_log_write(true);
	for (;;)
		syscall(SYS_exit_group, status);
}

PUBLIC __attribute__((alias("_exit"))) void _Exit(int status);

__attribute__((constructor)) static void begin(void)
{
	const char *words = getenv(SHARING_VARIABLE);
	const char *folder = words != NULL ? strstr(words, SHARING_LOG "=") : NULL;

	if (folder == NULL)
		return;
	loaded_files_read();
	set_apart_begin(words);
	noted_log_begin(folder + strlen(SHARING_LOG "="));
	if (!noted_lines_begin()) {
		noted_log_refuse();
		return;
	}
	if (heap_blocks_begin())
		store_relaxed(&heap_is_noted, true);
	if (strstr(words, SHARING_QUIET "=1") == NULL)
		first_touch_begin(strstr(words, SHARING_FIRST "=1") != NULL);
	noting_begin_outer_epoch();
	pthread_atfork(NULL, NULL, stop_in_child);
	ending_signals_handle();
	(void)at_quick_exit(end);
	store_relaxed(&noting_is_on, strstr(words, SHARING_QUIET "=1") == NULL);
}
