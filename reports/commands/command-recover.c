/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport recover: converts the event logs of a program that was killed before it made its
 * archive.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "commands.h"
#include "namer.h"
#include "shared/trace-convert.h"
#include "streams.h"

int command_recover(const struct options *options)
{
	struct trace_conversion conversion = {0};
	const struct code_names_settings settings = {.debug_dirs = options->debug_dirs};
	char *error;

	conversion.names = &pomp_code_names;
	conversion.namer = pomp_code_names.begin(&settings);
	int result = trace_convert(options->path, &conversion, &error);
	pomp_code_names.end(conversion.namer);
	if (result != 0) {
		fprintf(stream_messages(), "ompreport: %s\n", error ? error : "out of memory");
		free(error);
		return 1;
	}
	FILE *out = stream_output();

	if (conversion.was_complete) {
		fprintf(out, "%s/traces.otf2: is complete; the event logs beside it are removed\n",
		    options->path);
		return 0;
	}
	fprintf(out, "%s/traces.otf2: %" PRIu64 " events of %" PRIu64 " threads", options->path,
	    conversion.events, conversion.locations);
	if (conversion.ranks > 0)
		fprintf(out, " in %" PRIu64 " ranks", conversion.ranks);
	if (conversion.ranks_missing > 0)
		fprintf(out, "; %" PRIu64 " ranks left no logs", conversion.ranks_missing);
	if (!conversion.complete)
		fprintf(out, "; the program was stopped, and %" PRIu64 " open regions end there",
		    conversion.closed);
	if (conversion.lost_events > 0)
		fprintf(out, "; %" PRIu64 " events had been lost before", conversion.lost_events);
	fputc('\n', out);
	return 0;
}
