/* SPDX-License-Identifier: BSD-3-Clause */
/* The page's frame: head, the figures on top, and its parts in their order. */
#include <time.h>

#include "page.h"

/* Nothing is loaded from anywhere, and only our own script runs. */
static void write_head(const struct html *html)
{
	fprintf(html->out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "style-src 'unsafe-inline'; script-src '%s'; base-uri 'none'; form-action 'none'\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
	    html_script_digest);
	html_name(html, html->summary->program ? html->summary->program : "OpenMP profile");
	fprintf(
	    html->out, " - ompreport</title>\n<style>\n%s</style>\n</head>\n<body>\n", html_style);
}

static void write_fact(const struct html *html, const char *label, const char *value)
{
	fprintf(html->out, "<div><dt>%s</dt><dd>%s</dd></div>\n", label, value);
}

static void write_header(const struct html *html)
{
	const struct summary *summary = html->summary;
	const struct archive *archive = html->analysis->archive;
	time_t seconds = (time_t)(archive->realtime / 1000000000);
	char text[SUMMARY_FIGURE_SIZE], started[64];
	struct tm moment;

	fputs("<header>\n<h1>", html->out);
	html_name(html, summary->program ? summary->program : "OpenMP profile");
	fputs("</h1>\n<p class=\"quiet\" style=\"margin:0.2rem 0 0\">", html->out);
	if (archive->realtime && gmtime_r(&seconds, &moment) &&
	    strftime(started, sizeof(started), "%Y-%m-%d %H:%M:%S UTC", &moment))
		fprintf(html->out, "%s, ", started);
	html_name(
	    html, archive->machine && archive->machine[0] ? archive->machine : "unknown machine");
	fputs(", ", html->out);
	html_name(html, archive->path);
	fputs("</p>\n<dl class=\"facts\">\n", html->out);
	write_fact(html, "wall time", summary_format_time(text, summary->wall));
	write_fact(html, "threads", summary_format_exact(text, summary->threads));
	if (summary->locations != summary->threads)
		write_fact(html, "threads seen", summary_format_exact(text, summary->locations));
	if (html->figures.total >= 0)
		write_fact(html, "efficiency", summary_format_share(text, html->figures.total));
	if (html->figures.serial_share >= 0)
		write_fact(
		    html, "serial share", summary_format_share(text, html->figures.serial_share));
	if (html->figures.mpi >= 0)
		write_fact(html, "in MPI",
		    summary_format_share(text, summary_share(html->figures.categories[SUMMARY_MPI],
						   html->figures.capacity)));
	if (summary->sync != SUMMARY_NOT_MEASURED)
		write_fact(html, "waiting",
		    summary_format_share(
			text, summary_share(summary->sync, html->figures.capacity)));
	write_fact(html, "events", summary_format_exact(text, summary->events));
	fputs("</dl>\n</header>\n", html->out);
}

static void write_advice(const struct html *html)
{
	char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE];
	int count = summary_advise(html->summary, advice);

	fputs("<section class=\"advice\" aria-labelledby=\"advice\">\n"
	      "<h2 id=\"advice\">What to look at first</h2>\n<ol>\n",
	    html->out);
	for (int i = 0; i < count; i++) {
		fputs("<li>", html->out);
		html_sentence(html, advice[i]);
		fputs("</li>\n", html->out);
	}
	fputs("</ol>\n</section>\n", html->out);
}

static void write_efficiencies(const struct html *html)
{
	const struct summary_figures *figures = &html->figures;

	if (figures->total < 0)
		return;
	fputs("<section aria-labelledby=\"efficiency\">\n<h2 id=\"efficiency\">Efficiency "
	      "<small>losses of a level add up to the one above</small></h2>\n",
	    html->out);
	html_write_meter(html, "efficiency", NULL, 0, figures->total);
	html_write_meter(html, "serial part", NULL, 1, figures->serial);
	if (figures->mpi >= 0)
		html_write_meter(html, "MPI", NULL, 1, figures->mpi);
	html_write_meter(html, "OpenMP", NULL, 1, figures->openmp);
	html_write_meter(html, "load balance", NULL, 2, figures->balance);
	html_write_meter(html, "waits, overhead", NULL, 2, figures->waiting);
	fputs("</section>\n", html->out);
}

static void write_categories(const struct html *html)
{
	const struct summary_figures *figures = &html->figures;
	char text[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];

	if (!summary_has_categories(figures))
		return;
	fprintf(html->out,
	    "<section aria-labelledby=\"categories\">\n<h2 id=\"categories\">Thread time "
	    "<small>%s in all</small></h2>\n<div class=\"stack tall\" aria-hidden=\"true\">",
	    summary_format_time(text, figures->capacity));
	for (int i = 0; i < SUMMARY_CATEGORIES; i++) {
		double part = summary_share(figures->categories[i], figures->capacity);

		if (part > 0)
			fprintf(html->out, "<i class=\"%s\" style=\"width:%.2f%%\"></i>",
			    summary_category_names[i].key, part * 100);
	}
	fputs("</div>\n<table>\n<tbody>\n", html->out);
	for (int i = 0; i < SUMMARY_CATEGORIES; i++) {
		if (!summary_has_category(figures, (enum summary_category)i))
			continue;
		fprintf(html->out,
		    "<tr><th scope=\"row\"><span class=\"swatch "
		    "%s\"></span>%s</th><td>%s</td><td>%s</td></tr>\n",
		    summary_category_names[i].key, summary_category_names[i].title,
		    summary_format_time(text, figures->categories[i]),
		    summary_format_share(
			share, summary_share(figures->categories[i], figures->capacity)));
	}
	fputs("</tbody>\n</table>\n</section>\n", html->out);
}

static void write_warnings(const struct html *html)
{
	const struct archive *archive = html->analysis->archive;

	if (archive->warning_count == 0)
		return;
	fputs("<section class=\"advice\" aria-labelledby=\"warnings\">\n<h2 id=\"warnings\">About "
	      "the archive</h2>\n<ol>\n",
	    html->out);
	for (size_t i = 0; i < archive->warning_count && i < HTML_SHORT_ROWS_MAX; i++) {
		fputs("<li>", html->out);
		html_sentence(html, archive->warnings[i]);
		fputs("</li>\n", html->out);
	}
	fputs("</ol>\n</section>\n", html->out);
}

void html_write_page(struct html *html)
{
	write_head(html);
	write_header(html);
	fputs("<main>\n", html->out);
	write_warnings(html);
	if (html->summary->region_count == 0) {
		fputs("<section>\n<p>", html->out);
		html_sentence(html, html->summary->note ? html->summary->note : "Nothing to show.");
		fputs("</p>\n</section>\n", html->out);
	} else {
		write_advice(html);
		fputs("<div class=\"pair\">\n", html->out);
		write_efficiencies(html);
		write_categories(html);
		fputs("</div>\n", html->out);
		html_write_hybrid(html);
		html_write_timeline(html);
		html_write_ranks(html);
		html_write_messages(html);
		html_write_regions(html);
		html_write_path(html);
		html_write_imbalance(html);
		html_write_synchronisation(html);
		html_write_threads(html);
	}
	fprintf(html->out,
	    "</main>\n<footer>Made by ompreport " OMPINST_VERSION
	    ". Times of regions are sums over "
	    "threads.</footer>\n<script>%s</script>\n</body>\n</html>\n",
	    html_script);
}
