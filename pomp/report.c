/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a measured run. Nothing here may change what the program did or returns: whatever
 * cannot be written is told in one line on stderr, and the rest goes on.
 */
#include "report.h"

#include "event.h"
#include "fold.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 80, MOST_REGIONS = 20 };

/* Opens what POMP_SUMMARY names; NULL when it is off or cannot be written. */
static FILE *open_summary(const struct pomp_settings *settings)
{
	if (strcmp(settings->summary, "off") == 0)
		return NULL;
	if (strcmp(settings->summary, "stderr") == 0)
		return stderr;
	FILE *file = fopen(settings->summary, "we");
	if (file == NULL)
		fprintf(stderr, "pomp: POMP_SUMMARY='%s': %s; no summary is written\n",
		    settings->summary, strerror(errno));
	return file;
}

static void print_summary(const struct summary *summary)
{
	const struct pomp_settings *settings = &pomp_process.settings;
	FILE *out = open_summary(settings);

	if (out == NULL)
		return;
	bool to_file = out != stderr;
	int failed = summary_print(out, summary, (enum summary_format)settings->format, COLUMNS,
	    settings->format == SUMMARY_TEXT && !to_file ? MOST_REGIONS : 0);
	if (to_file)
		failed |= fclose(out);
	if (failed && to_file)
		fprintf(stderr, "pomp: POMP_SUMMARY='%s': %s; the summary is incomplete\n",
		    settings->summary, strerror(errno));
}

void pomp_report(unsigned stuck)
{
	struct summary summary;

	for (size_t i = 0; i < pomp_process.regions.count; i++)
		pomp_region_publish(pomp_process.regions.entry[i]);
	pomp_fold_summary(&summary);
	if (stuck > 0)
		fprintf(stderr,
		    "pomp: %u threads were stopped within an event; their last events are "
		    "missing\n",
		    stuck);
	/* A child that measured nothing has nothing to explain: it was not started to be measured.
	 */
	if (pomp_process.settings.profiling && !(pomp_process.child && summary.events == 0))
		print_summary(&summary);
	pomp_fold_release(&summary);
}
