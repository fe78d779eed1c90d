/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements export-choice.h. */
#include "export-choice.h"

#include "report.h"
#include "streams.h"

static bool takes_thread(const void *context, const struct archive *archive, size_t location)
{
	return report_takes_thread(context, archive, location);
}

static void forget(const void *context)
{
	const struct options *options = context;

	*options->matches = (struct option_matches){false, false};
}

struct export_choice export_choice_of(const struct options *options)
{
	return (struct export_choice){
	    .from = options->from,
	    .to = options->to == SUMMARY_NOT_MEASURED ? EXPORT_TO_END : options->to,
	    .min_duration = options->min_duration,
	    .context = options,
	    .takes_thread = takes_thread,
	    .takes_region = options->region ? report_takes_name : NULL,
	    .forget = forget,
	};
}

bool export_choice_suits(const struct trace_kind *kind, const struct options *options)
{
	if (trace_kind_chooses(kind) ||
	    (options->from == 0 && options->to == SUMMARY_NOT_MEASURED && !options->thread &&
		!options->rank && !options->region && options->min_duration == 0))
		return true;
	fputs("ompreport: events are all events of the archive: --from, --to, --thread, --rank, "
	      "--region and --min-duration do not apply; expected visits, samples, messages or "
	      "counters with these; nothing was read\n",
	    stream_messages());
	return false;
}

struct columns *export_read_columns(const struct trace_kind *kind, const struct options *options)
{
	struct archive *archive = command_open(options->path, options);
	const struct export_choice choice = export_choice_of(options);
	struct columns *columns;

	if (!archive)
		return NULL;
	columns = trace_columns_read(kind, archive, &choice);
	command_print_warnings(options->path, archive);
	archive_close(archive);
	return columns;
}
