/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements export-choice.h. */
#include "export-choice.h"

#include "report.h"

static bool takes_thread(const void *context, const struct archive *archive, size_t location)
{
	return report_takes_thread(context, archive, location);
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
	};
}
