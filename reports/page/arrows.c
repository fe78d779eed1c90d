/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages in the timeline: lines from the lane that sent to the one that received. The script gets
 * all that were kept, as [sent, received, from lane, to lane] with times in units of the timeline;
 * the picture shows them where they are few.
 */
#include "page.h"

static uint32_t lane_of(const struct html *html, uint32_t location)
{
	return html->analysis->timeline->row_of[location];
}

/* Where on the timeline, in parts of it from 0 to `parts`. */
static double place_of(const struct html *html, uint64_t time, double parts)
{
	const struct timeline *timeline = html->analysis->timeline;
	double length = (double)timeline->length;
	double at = time > timeline->start ? (double)(time - timeline->start) : 0;

	return at < length ? at / length * parts : parts;
}

void html_write_arrow_lines(const struct html *html)
{
	const struct mpi *mpi = html->analysis->mpi;
	const struct timeline *timeline = html->analysis->timeline;
	double width = (double)(timeline->bins / html_bins_per_step(html));

	if (!mpi || mpi->arrow_count == 0 || mpi->arrow_count > HTML_STATIC_ARROWS_MAX)
		return;
	fputs("<path class=\"arrow\" d=\"", html->out);
	for (size_t i = 0; i < mpi->arrow_count; i++) {
		const struct mpi_arrow *arrow = &mpi->arrows[i];

		fprintf(html->out, "M%.1f %zuL%.1f %zu", place_of(html, arrow->sent_at, width),
		    html_place(html->rows, lane_of(html, arrow->sender)) * 10 + 4,
		    place_of(html, arrow->received_at, width),
		    html_place(html->rows, lane_of(html, arrow->receiver)) * 10 + 4);
	}
	fputs("\"/>\n", html->out);
}

void html_write_arrow_data(const struct html *html)
{
	const struct mpi *mpi = html->analysis->mpi;
	const struct timeline *timeline = html->analysis->timeline;
	bool exact = timeline->stretches && timeline->rows == timeline->threads;
	double units = exact ? (double)timeline->length : (double)timeline->bins;

	fputs(",\n\"arrows\": [", html->out);
	for (size_t i = 0; mpi && i < mpi->arrow_count; i++) {
		const struct mpi_arrow *arrow = &mpi->arrows[i];

		fprintf(html->out, "%s[%.*f,%.*f,%u,%u]", i ? "," : "", exact ? 0 : 3,
		    place_of(html, arrow->sent_at, units), exact ? 0 : 3,
		    place_of(html, arrow->received_at, units), lane_of(html, arrow->sender),
		    lane_of(html, arrow->receiver));
	}
	fputs("]", html->out);
}
