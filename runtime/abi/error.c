/* SPDX-License-Identifier: BSD-3-Clause */
/* The error directive with at(execution). */
#include "error-directive.h"

#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "events.h"
#include "message.h"

/*
 * The text ends in a null byte if its length is SIZE_MAX. The words are those of GNU's library,
 * because scripts search for them.
 */
static void print_line(const char *place, const char *words, const char *text, size_t length)
{
	rt_message_text("\n", 1);
	rt_message_text(place, strlen(place));
	rt_message_text(words, strlen(words));
	if (text != NULL) {
		rt_message_text(": ", 2);
		rt_message_text(text, length != SIZE_MAX ? length : strlen(text));
	}
	rt_message_text("\n", 1);
}

static RT_COLD void emit(
    ompt_severity_t severity, const char *text, size_t length, const void *caller)
{
	rt_self(); /* so that it is known whether there is a tool */
	if (text != NULL && length == SIZE_MAX)
		length = strlen(text);
	rt_emit_error(severity, text, text != NULL ? length : 0, rt_tool_users_address(caller));
}

void rt_error_directive(
    bool is_fatal, const char *place, const char *text, size_t length, const void *caller)
{
	if (rt_watched(RT_AT_ROUTINES))
		emit(is_fatal ? ompt_fatal : ompt_warning, text, length, caller);
	print_line(place,
	    is_fatal ? "libgomp: fatal error: error directive encountered"
		     : "libgomp: error directive encountered",
	    text, length);
	if (is_fatal)
		exit(EXIT_FAILURE);
}

ENTRY(void, GOMP_warning, const char *text, size_t length)
{
	rt_error_directive(false, "", text, length, CALLER);
}

ENTRY(void, GOMP_error, const char *text, size_t length)
{
	rt_error_directive(true, "", text, length, CALLER);
}
