/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the event logs of the folder in argv[1] and says what came of it; the logs stay. */
#include "shared/trace-convert.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct trace_conversion conversion = {.keep_logs = true};
	char *error = NULL;

	if (argc != 2)
		return 2;
	if (trace_convert(argv[1], &conversion, &error) != 0) {
		fprintf(stderr, "%s\n", error);
		free(error);
		return 1;
	}
	printf("%s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	    conversion.complete ? "complete" : "broken", conversion.locations, conversion.events,
	    conversion.closed);
	return 0;
}
