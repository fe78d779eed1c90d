/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls of pomp.h for parameters: a name and a value among the events of a trace. */
#include "event.h"
#include "plain-name.h"
#include "text-definitions.h"

/* An event for which the log has no room is counted anyway; its texts are then not looked up. */
static void parameter(
    enum trace_log_text type, const char *name, uint64_t value, const char *value_text)
{
	struct pomp_thread *thread = pomp_event_begin();

	if (thread == NULL)
		return;
	if (thread->off == 0) {
		uint32_t number = 0;
		if (thread->log.enabled)
			number = pomp_text_number(type, name != NULL ? name : "");
		if (thread->log.enabled && type == TRACE_LOG_TEXT_STRING)
			value = pomp_text_number(
			    TRACE_LOG_TEXT_VALUE, value_text != NULL ? value_text : "");
		pomp_event_log(thread, TRACE_LOG_PARAMETER, 2, number, pomp_event_time(thread),
		    value & UINT32_MAX, value >> 32);
	}
	pomp_event_end_logged(thread);
}

void pomp_parameter_int64(const char *name, int64_t value)
{
	parameter(TRACE_LOG_TEXT_INT64, name, (uint64_t)value, NULL);
}
PLAIN_NAME(pomp_parameter_int64)

void pomp_parameter_uint64(const char *name, uint64_t value)
{
	parameter(TRACE_LOG_TEXT_UINT64, name, value, NULL);
}
PLAIN_NAME(pomp_parameter_uint64)

void pomp_parameter_string(const char *name, const char *value)
{
	parameter(TRACE_LOG_TEXT_STRING, name, 0, value);
}
PLAIN_NAME(pomp_parameter_string)
