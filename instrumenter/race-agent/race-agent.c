/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Preloaded into programs under `ompinst race run`: writes ThreadSanitizer's reports to the log
 * that include/shared/race-log.h describes, and marks each report as suppressed, so that nothing is
 * printed and the program keeps its own exit status.
 *
 * The sanitizer calls on_report() with its own locks held, for one thread at a time, before it
 * would print. Nothing here allocates or waits.
 */
#include "held-locks.h"
#include "order-clocks.h"
#include "report-log.h"
#include "report-text.h"
#include "tsan-report.h"

#include "shared/race-log.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void ignore_new(const volatile void *memory, uintptr_t size)
{
	(void)memory;
	(void)size;
}

/* A child of fork() has one thread; what another one was changing cannot be continued. */
static void begin_child(void)
{
	order_clocks_stop();
	report_log_begin_child();
}

__attribute__((constructor)) static void begin(void)
{
	const char *words = getenv(RACE_VARIABLE);
	const char *folder = words != NULL ? race_find_word(words, RACE_LOG) : NULL;

	if (folder != NULL)
		report_log_begin(folder, strcspn(folder, ","),
		    race_find_word(words, RACE_ASKS) != NULL && __tsan_get_report_data != NULL);
	if (folder != NULL && pthread_atfork(NULL, NULL, begin_child) == 0 &&
	    __sanitizer_install_malloc_and_free_hooks != NULL &&
	    __sanitizer_install_malloc_and_free_hooks(ignore_new, held_lock_free) != 0)
		order_clocks_begin();
}

/*
 * The sanitizer's hook under its C++ name, because the hook with a C name is called after printing.
 */
bool on_report(const void *report, bool suppressed) __asm__(
    "_ZN6__tsan8OnReportEPKNS_10ReportDescEb");

__attribute__((visibility("default"))) bool on_report(const void *report, bool suppressed)
{
	static struct report_text text; /* only one thread calls at a time */

	if (!report_log_is_wanted())
		return suppressed;
	if (!suppressed && report_describe((void *)(uintptr_t)report, &text))
		(void)report_write(&text);
	return true;
}
