/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The report as SARIF: each finding is a result of its kind at the place with most accesses, with
 * the other places and that of the allocation as related ones.
 */
#include "sarif-places.h"
#include "sharing-report.h"

static void put_places(struct sarif_writer *sarif, const struct sharing_report *report,
    const struct sharing_finding *finding)
{
	const struct sharing_place *main_places[SHARING_MOST_PLACES];
	const size_t count = sharing_main_places(finding, main_places);
	struct sarif_places places = {.arena = report->arena};

	for (size_t i = 0; i < count; i++)
		sarif_places_add(&places, &main_places[i]->line,
		    sharing_access_text(report->arena, main_places[i]));
	sarif_places_add(&places, &finding->allocated, "allocated here");
	sarif_places_put(sarif, &places);
}

static void put_result(struct sarif_writer *sarif, const struct sharing_report *report,
    const struct sharing_finding *finding)
{
	const struct sharing_words words = sharing_describe(report, finding);
	struct inst_buffer text = {.arena = report->arena};

	buffer_format(&text, "%s; the memory: %s", words.title, words.object);
	if (words.cost != NULL)
		buffer_format(&text, "; cost: %s", words.cost);
	for (unsigned i = 0; i < words.remedy_count; i++)
		buffer_format(&text, "; %s %s", i == 0 ? "fix:" : "or:", words.remedies[i]);
	sarif_open_result(sarif, sharing_kinds[finding->kind].name,
	    sharing_counts(finding, report->options->least) ? "warning" : "note", text.data);
	put_places(sarif, report, finding);
	sarif_close_result(sarif);
}

void sharing_report_sarif(const struct sharing_report *report, FILE *out)
{
	struct sarif_writer sarif;

	sarif_start(&sarif, out, "ompinst sharing");
	for (size_t i = 0; i < SHARING_KINDS; i++)
		sarif_put_rule(&sarif, sharing_kinds[i].name, sharing_kinds[i].rule);
	sarif_open_results(&sarif);
	for (size_t i = 0; i < report->findings->count; i++)
		if (sharing_is_shown(report, &report->findings->items[i]))
			put_result(&sarif, report, &report->findings->items[i]);
	sarif_finish(&sarif);
}
