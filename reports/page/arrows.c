/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages in the timeline: lines from the sending lane to the receiving lane. The script gets all
 * messages that were kept, as [sent, received, from lane, to lane] with times in units of the
 * timeline; the picture shows them if there are few.
 */
#include "page.h"

static uint32_t lane_of(const struct page *page, uint32_t location)
{
	return page->analysis->timeline->row_of[location];
}

/* The place of a time on the timeline, from 0 to `parts`. */
static double place_of(const struct page *page, uint64_t time, double parts)
{
	const struct timeline *timeline = page->analysis->timeline;
	double length = (double)timeline->length;
	double at = time > timeline->start ? (double)(time - timeline->start) : 0;

	return at < length ? at / length * parts : parts;
}

void page_write_arrow_lines(const struct page *page)
{
	const struct mpi *mpi = page->analysis->mpi;
	const struct timeline *timeline = page->analysis->timeline;
	size_t steps = timeline->bins / page_bins_per_step(page);
	double width = (double)steps;

	if (!mpi || mpi->arrow_count == 0 || mpi->arrow_count > PAGE_STATIC_ARROWS_MAX)
		return;
	fputs("<path class=\"arrow\" d=\"", page->out);
	for (size_t i = 0; i < mpi->arrow_count; i++) {
		const struct mpi_arrow *arrow = &mpi->arrows[i];

		fprintf(page->out, "M%.1f %zuL%.1f %zu", place_of(page, arrow->sent_at, width),
		    page_row_of_lane(page->rows, lane_of(page, arrow->sender)) * 10 + 4,
		    place_of(page, arrow->received_at, width),
		    page_row_of_lane(page->rows, lane_of(page, arrow->receiver)) * 10 + 4);
	}
	fputs("\"/>\n", page->out);
}

void page_put_arrows(struct json_writer *json, const struct page *page)
{
	const struct mpi *mpi = page->analysis->mpi;
	const struct timeline *timeline = page->analysis->timeline;
	bool exact = page_is_exact(page);
	double units = exact ? (double)timeline->length : (double)timeline->bins;
	unsigned decimals = exact ? 0 : 3;

	json_open_array(json, "arrows");
	for (size_t i = 0; mpi && i < mpi->arrow_count; i++) {
		const struct mpi_arrow *arrow = &mpi->arrows[i];

		json_open_array(json, NULL);
		json_put_decimal(json, NULL, place_of(page, arrow->sent_at, units), decimals);
		json_put_decimal(json, NULL, place_of(page, arrow->received_at, units), decimals);
		json_put_number(json, NULL, lane_of(page, arrow->sender));
		json_put_number(json, NULL, lane_of(page, arrow->receiver));
		json_close_array(json);
	}
	json_close_array(json);
}
