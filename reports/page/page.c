/* SPDX-License-Identifier: BSD-3-Clause */
/* The frame of the page: its head, the figures on top, its parts in order, and its end. */
#include <stdlib.h>
#include <time.h>

#include "page.h"

const char *page_title(const struct summary *summary)
{
	return summary->program && summary->program[0] ? summary->program : "OpenMP profile";
}

/* The page loads nothing, and only our own script runs. */
void page_start(const struct page *page, const char *title)
{
	fprintf(page->out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "style-src 'unsafe-inline'; script-src %s; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
	    page->write_groups ? page_groups_script_sources
	    : page->run_log    ? page_script_sources
			       : page_plain_script_sources);
	page_write_name(page, title);
	fprintf(page->out, " - ompreport</title>\n<style>\n%s%s</style>\n</head>\n<body>\n",
	    page_style, page->write_groups ? page_groups_style : "");
}

void page_end(const struct page *page)
{
	fprintf(page->out,
	    "</main>\n<footer>Made by ompreport " OMPINST_VERSION
	    ". Times of regions are sums over "
	    "threads.</footer>\n<script>%s%s%s</script>\n</body>\n</html>\n",
	    page->run_log ? page_engine : page_no_engine, page_script,
	    page->write_groups ? page_groups_script : "");
}

/* Whether the run has OpenMP teams or uses MPI; otherwise neither can lose time. */
static bool is_parallel(const struct page *page)
{
	return page_has_teams(page) || mpi_was_called(page->analysis->mpi);
}

static bool has_efficiency(const struct page *page)
{
	return page->figures.total >= 0 && is_parallel(page);
}

/* Whether the category has a row: without teams, OpenMP's categories have none. */
static bool has_category(const struct page *page, enum summary_category category)
{
	return summary_has_category(&page->figures, category) &&
	       (page_has_teams(page) || page->figures.categories[category] > 0);
}

const char *page_category_title(const struct page *page, enum summary_category category)
{
	if (!page_has_teams(page) && category == SUMMARY_SERIAL)
		return "computation";
	if (!page_has_teams(page) && category == SUMMARY_OTHER)
		return "outside of MPI";
	return summary_category_names[category].title;
}

void page_write_fact(const struct page *page, const char *label, const char *value)
{
	fprintf(page->out, "<div><dt>%s</dt><dd>%s</dd></div>\n", label, value);
}

static void write_facts(const struct page *page)
{
	const struct summary *summary = page->summary;
	char text[SUMMARY_FIGURE_SIZE];

	fputs("<dl class=\"facts\">\n", page->out);
	page_write_fact(page, "wall time", summary_format_time(text, summary->wall));
	page_write_fact(page, "threads", summary_format_exact(text, summary->threads));
	if (summary->locations != summary->threads)
		page_write_fact(
		    page, "threads seen", summary_format_exact(text, summary->locations));
	if (has_efficiency(page))
		page_write_fact(
		    page, "efficiency", summary_format_share(text, page->figures.total));
	if (page->figures.serial_share >= 0 && page_has_teams(page))
		page_write_fact(page, "serial, of the wall time",
		    summary_format_share(text, page->figures.serial_share));
	if (page->figures.mpi >= 0)
		page_write_fact(page, "in MPI, of the thread time",
		    summary_format_share(text, summary_share(page->figures.categories[SUMMARY_MPI],
						   page->figures.capacity)));
	if (summary->sync != SUMMARY_NOT_MEASURED && page_has_teams(page))
		page_write_fact(page, "waiting, of the thread time",
		    summary_format_share(
			text, summary_share(summary->sync, page->figures.capacity)));
	page_write_fact(page, "events", summary_format_exact(text, summary->events));
	fputs("</dl>\n", page->out);
}

/* In a page of one rank of several: which one it is. */
static void write_chosen_rank(const struct page *page)
{
	const struct archive *archive = page->analysis->archive;
	char count[SUMMARY_FIGURE_SIZE], *name;

	if (!archive_is_of_one_process(archive))
		return;
	name = archive_process_name(archive, archive->locations[0].group);
	fputs(", ", page->out);
	page_write_name(page, name);
	fprintf(page->out, " of %s", summary_format_exact(count, archive->process_count));
	free(name);
}

static void write_header(const struct page *page)
{
	const struct archive *archive = page->analysis->archive;
	time_t seconds = (time_t)(archive->realtime / 1000000000);
	char started[64];
	struct tm moment;

	fputs("<header>\n<h1>", page->out);
	page_write_name(page, page_title(page->summary));
	fputs("</h1>\n<p class=\"quiet\" style=\"margin:0.2rem 0 0\">", page->out);
	if (archive->realtime && gmtime_r(&seconds, &moment) &&
	    strftime(started, sizeof(started), "%Y-%m-%d %H:%M:%S UTC", &moment))
		fprintf(page->out, "%s, ", started);
	page_write_name(
	    page, archive->machine && archive->machine[0] ? archive->machine : "unknown machine");
	fputs(", ", page->out);
	page_write_name(page, archive->path);
	write_chosen_rank(page);
	fputs("</p>\n", page->out);
	write_facts(page);
	fputs("</header>\n", page->out);
}

static void write_advice(const struct page *page)
{
	struct summary_advice advice;

	summary_advise_with_proof(page->summary, &advice);
	fputs("<section class=\"advice\" aria-labelledby=\"advice\">\n"
	      "<h2 id=\"advice\">What to look at first</h2>\n<ol>\n",
	    page->out);
	for (int i = 0; i < advice.count; i++) {
		fputs("<li>", page->out);
		page_write_sentence(page, advice.text[i]);
		fputs("</li>\n", page->out);
	}
	fputs("</ol>\n", page->out);
	if (advice.closing[0] != '\0') {
		fputs("<p class=\"quiet\">", page->out);
		page_write_sentence(page, advice.closing);
		fputs("</p>\n", page->out);
	}
	fputs("</section>\n", page->out);
}

static void write_efficiencies(const struct page *page)
{
	const struct summary_figures *figures = &page->figures;

	if (!has_efficiency(page))
		return;
	fputs("<section aria-labelledby=\"efficiency\">\n<h2 id=\"efficiency\">Efficiency "
	      "<small>losses of a level add up to the one above</small></h2>\n",
	    page->out);
	page_write_meter(page, "efficiency", NULL, 0, figures->total);
	if (page_has_teams(page))
		page_write_meter(page, "serial part", NULL, 1, figures->serial);
	if (figures->mpi >= 0)
		page_write_meter(page, "MPI", NULL, 1, figures->mpi);
	if (figures->running >= 0)
		page_write_meter(page, "running",
		    "lost while threads with work had no processor or were in system calls", 1,
		    figures->running);
	if (page_has_teams(page)) {
		page_write_meter(page, "OpenMP", NULL, 1, figures->openmp);
		page_write_meter(page, "load balance", NULL, 2, figures->balance);
		page_write_meter(page, "waits, overhead", NULL, 2, figures->waiting);
	}
	fputs("</section>\n", page->out);
}

static void write_categories(const struct page *page)
{
	const struct summary_figures *figures = &page->figures;
	char text[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];

	if (!summary_has_categories(figures) || !is_parallel(page))
		return;
	fprintf(page->out,
	    "<section aria-labelledby=\"categories\">\n<h2 id=\"categories\">Thread time "
	    "<small>%s in all</small></h2>\n<div class=\"stack tall\" aria-hidden=\"true\">",
	    summary_format_time(text, figures->capacity));
	for (int i = 0; i < SUMMARY_CATEGORIES; i++) {
		double part = summary_share(figures->categories[i], figures->capacity);

		if (part > 0)
			fprintf(page->out, "<i class=\"%s\" style=\"width:%.2f%%\"></i>",
			    summary_category_names[i].key, part * 100);
	}
	fputs("</div>\n<table>\n<tbody>\n", page->out);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++) {
		if (!has_category(page, (enum summary_category)i))
			continue;
		fprintf(page->out,
		    "<tr><th scope=\"row\"><span class=\"swatch "
		    "%s\"></span>%s</th><td>%s</td><td>%s</td></tr>\n",
		    summary_category_names[i].key,
		    page_category_title(page, (enum summary_category)i),
		    summary_format_time(text, figures->categories[i]),
		    summary_format_share(
			share, summary_share(figures->categories[i], figures->capacity)));
	}
	fputs("</tbody>\n</table>\n", page->out);
	if (page->summary->usage_refused)
		fputs("<p>" SUMMARY_REFUSED_NOTE "</p>\n", page->out);
	fputs("</section>\n", page->out);
}

static void write_warnings(const struct page *page)
{
	const struct archive *archive = page->analysis->archive;

	if (archive->warning_count == 0)
		return;
	fputs("<section class=\"advice\" aria-labelledby=\"warnings\">\n<h2 id=\"warnings\">About "
	      "the archive</h2>\n<ol>\n",
	    page->out);
	for (size_t i = 0; i < archive->warning_count && i < PAGE_SHORT_ROWS_MAX; i++) {
		fputs("<li>", page->out);
		page_write_sentence(page, archive->warnings[i]);
		fputs("</li>\n", page->out);
	}
	fputs("</ol>\n</section>\n", page->out);
}

/* Without regions, samples may still tell where the time went. */
static void write_without_regions(const struct page *page)
{
	fputs("<section>\n<p>", page->out);
	page_write_sentence(page, page->summary->note ? page->summary->note : "Nothing to show.");
	fputs("</p>\n</section>\n", page->out);
	page_write_hot(page);
	page_write_flame(page);
	page_write_blocked(page);
}

static void write_shares(const struct page *page)
{
	write_advice(page);
	fputs("<div class=\"pair\">\n", page->out);
	write_efficiencies(page);
	write_categories(page);
	fputs("</div>\n", page->out);
	page_write_hybrid(page);
}

/* The part of the page after the source. */
static void write_causes(const struct page *page)
{
	page_write_hot(page);
	page_write_flame(page);
	page_write_blocked(page);
	page_write_path(page);
	page_write_imbalance(page);
	page_write_synchronisation(page);
	page_write_threads(page);
}

void page_write_selected(const struct page *page)
{
	write_facts(page);
	write_shares(page);
	page_write_ranks(page);
	page_write_messages(page);
	page_write_regions(page);
	write_causes(page);
}

static void write_parts(const struct page *page)
{
	write_shares(page);
	if (page->write_groups)
		page->write_groups(page);
	else
		page_write_timeline(page);
	if (page->brief) {
		page_write_regions(page);
		page_write_called(page);
		return;
	}
	page_write_ranks(page);
	page_write_messages(page);
	page_write_regions(page);
	page_write_called(page);
	page_write_source(page);
	page_write_roofline(page);
	write_causes(page);
}

void page_write(struct page *page)
{
	page_start(page, page_title(page->summary));
	write_header(page);
	fputs("<main>\n", page->out);
	write_warnings(page);
	if (page->summary->region_count == 0)
		write_without_regions(page);
	else
		write_parts(page);
	page_end(page);
}
