/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements streams.h. */
#include "streams.h"

static FILE *output_now, *messages_now;

FILE *stream_output(void)
{
	return output_now ? output_now : stdout;
}

FILE *stream_messages(void)
{
	return messages_now ? messages_now : stderr;
}

void streams_set(FILE *output, FILE *messages)
{
	output_now = output;
	messages_now = messages;
}
