/* SPDX-License-Identifier: BSD-3-Clause */
/* The conversion's functions in a build without OTF2. */
#include "shared/trace-convert.h"

#include <stdio.h>

int trace_convert(const char *folder, struct trace_conversion *conversion, char **error)
{
	*conversion = (struct trace_conversion){.keep_logs = conversion->keep_logs};
	if (asprintf(error, "%s: this build has no OTF2 library; the event logs stay as they are",
		folder) < 0)
		*error = NULL;
	return -1;
}

int trace_convert_rank(const char *folder, const char *own, const struct pomp_ranks *ranks,
    struct trace_conversion *conversion, char **error)
{
	(void)own, (void)ranks;
	return trace_convert(folder, conversion, error);
}
