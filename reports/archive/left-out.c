/* SPDX-License-Identifier: BSD-3-Clause */
/* What an archive of another tool contains besides the events of threads that the reports use. */
#include <inttypes.h>
#include <stdlib.h>

#include "archive.h"
#include "memory.h"

/* Totals over all locations. */
struct left_out {
	uint64_t streams, stream_events, others, other_events; /* locations; their events */
	uint64_t metrics, unused;
};

/* At the end of a damaged file, the library may not report how many events it skipped. */
static uint64_t unused_of(const struct archive_location *location)
{
	return location->events_skipped > location->switches
		   ? location->events_skipped - location->switches
		   : 0;
}

static void count(struct left_out *sum, const struct archive_location *location)
{
	switch (location->type) {
	case OTF2_LOCATION_TYPE_CPU_THREAD:
		sum->unused += unused_of(location);
		sum->metrics += location->other_metrics;
		break;
	case OTF2_LOCATION_TYPE_METRIC:
		sum->metrics += location->other_metrics;
		sum->unused += location->events_skipped;
		break;
	case OTF2_LOCATION_TYPE_ACCELERATOR_STREAM:
		sum->streams += location->events_read > 0;
		sum->stream_events += location->events_read;
		break;
	default:
		sum->others += location->events_read > 0;
		sum->other_events += location->events_read;
	}
}

/*
 * Appends a part such as "3 samples" to the text; nothing if the number is 0. Frees the old text.
 */
static char *add(char *text, uint64_t number, const char *singular, const char *plural)
{
	char *longer;

	if (number == 0)
		return text;
	longer = memory_print("%s%s%" PRIu64 " %s",
	    text ? text : "Not in this report: ", text ? ", " : "", number,
	    number == 1 ? singular : plural);
	free(text);
	return longer;
}

static char *add_events(char *text, uint64_t locations, uint64_t events)
{
	char *longer;

	if (locations == 0)
		return text;
	longer =
	    memory_print("%s (%" PRIu64 " %s)", text, events, events == 1 ? "event" : "events");
	free(text);
	return longer;
}

/* Replaces the sentences by some that also say where the figures begin. */
static char *add_begin(char *sentences, uint64_t from)
{
	char *longer;

	if (from == 0)
		return sentences;
	longer = memory_print("%s%sCounted from %.3f s on, when the events of all threads are "
			      "there: earlier ones of some were overwritten, or left out "
			      "(--from=1ns counts all).",
	    sentences, sentences[0] ? " " : "", (double)from / 1e9);
	free(sentences);
	return longer;
}

char *archive_left_out(const struct archive *archive)
{
	struct left_out sum = {0};
	char *text = NULL, *sentences;

	for (size_t i = 0; i < archive->location_count; i++)
		count(&sum, &archive->locations[i]);
	text = add(text, sum.streams, "accelerator stream", "accelerator streams");
	text = add_events(text, sum.streams, sum.stream_events);
	text = add(text, sum.others, "location of an unknown type", "locations of an unknown type");
	text = add_events(text, sum.others, sum.other_events);
	text = add(text, sum.metrics, "event of a metric that is about no thread",
	    "events of metrics that are about no thread");
	text = add(text, sum.unused, "event of another kind", "events of other kinds");
	if (!text && archive->counts_from == 0)
		return NULL;
	sentences = text ? memory_print("%s. ompreport info lists all locations.", text)
			 : memory_copy_text("");
	free(text);
	return add_begin(sentences, archive->counts_from);
}
