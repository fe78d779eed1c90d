/* SPDX-License-Identifier: BSD-3-Clause */
/* Announces a change, and takes it over. */
#include "settings-change.h"

#include "accumulator.h"
#include "event-time.h"
#include "lasting-memory.h"
#include "process-state.h"
#include "shared/precondition.h"
#include "text-definitions.h"
#include "thread-log.h"

#include <string.h>

#define PARAMETER "ompinst control"

struct pomp_changes pomp_changes;

void pomp_change_announce(const char *text)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	size_t size = strlen(text) + 1;
	char *copy = pomp_lasting_memory(size);

	/* Without memory, the trace says that there was a change. */
	pomp_changes.text = copy != NULL ? memcpy(copy, text, size) : NULL;
	pomp_changes.number++;
	for (struct pomp_thread *thread = pomp_threads.alive; thread; thread = thread->next)
		fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_CHANGED);
}

void pomp_change_take_over(struct pomp_thread *thread)
{
	/* A change after this sets the flag again. */
	fetch_and_relaxed(&thread->unusual, ~(uint32_t)POMP_UNUSUAL_CHANGED);
	pomp_lock_process();
	const char *text = pomp_changes.text;
	pomp_unlock_process();
	pomp_accumulators_are_stale(thread);
	if (thread->metrics != NULL)
		pomp_metrics_pause(thread->metrics, load_relaxed(&pomp_metrics.paused));
	if (!thread->log.enabled || thread->off != 0)
		return;
	uint32_t name = pomp_text_number(TRACE_LOG_TEXT_STRING, PARAMETER);
	uint64_t value = pomp_text_number(TRACE_LOG_TEXT_VALUE, text != NULL ? text : "");
	pomp_event_log(thread, TRACE_LOG_PARAMETER, 2, name, pomp_event_time(thread),
	    value & UINT32_MAX, value >> 32);
}
