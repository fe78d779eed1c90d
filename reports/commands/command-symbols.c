/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport symbols: finds names for regions of programs that were not recompiled, when their debug
 * information becomes available.
 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "namer.h"
#include "streams.h"
#include "symbols-rewrite.h"

/* Prints, once per file, why its places have no lines. */
static void print_problems(const struct naming_regions *regions, struct code_namer *namer)
{
	for (size_t i = 0; i < regions->count; i++) {
		const struct naming_region *region = &regions->region[i];
		bool is_first =
		    region->place_text != NULL && region->begin == 0 && region->new_name == NULL;

		for (size_t j = 0; j < i && is_first; j++)
			is_first =
			    regions->region[j].place_text == NULL || regions->region[j].begin > 0 ||
			    regions->region[j].new_name != NULL ||
			    strcmp(regions->region[j].place.module, region->place.module) != 0;
		if (!is_first)
			continue;
		const char *problem = pomp_code_names.problem(namer, region->place.module);
		fprintf(stream_output(), "  %s: %s\n",
		    region->place.module[0] ? region->place.module : "(no file)",
		    problem != NULL ? problem : "its debug information has no lines there");
	}
}

static void print_result(const struct naming_regions *regions, const char *path)
{
	if (regions->unnamed == 0)
		fprintf(stream_output(), "%s: no region is without its name%s\n", path,
		    regions->named_samples == 0 ? "; nothing is changed" : "");
	else
		fprintf(stream_output(),
		    "%s: %zu of %zu region definitions without lines have them now", path,
		    regions->named, regions->unnamed);
	if (regions->functions > 0)
		fprintf(stream_output(), ", %zu a function", regions->functions);
	if (regions->unnamed > 0)
		fputc('\n', stream_output());
	if (regions->unnamed_samples > 0)
		fprintf(stream_output(),
		    "%s: %zu of %zu places in the code of samples have names now\n", path,
		    regions->named_samples, regions->unnamed_samples);
}

static int name_archive(const struct options *options, const char *anchor, struct code_namer *namer)
{
	struct naming_definitions definitions = {0};
	struct naming_regions *regions = &definitions.regions;
	char *error = NULL;
	int result = symbols_find(&definitions, anchor, namer, &error);

	if (result == 0 && regions->named + regions->functions + regions->named_samples > 0)
		result = symbols_write(&definitions, anchor, &error);
	if (result != 0) {
		fprintf(stream_messages(), "ompreport: %s: %s\n", options->path, error);
	} else {
		print_result(regions, options->path);
		print_problems(regions, namer);
	}
	free(error);
	naming_definitions_free(&definitions);
	return result == 0 ? 0 : 1;
}

int command_symbols(const struct options *options)
{
	const struct code_names_settings settings = {.debug_dirs = options->debug_dirs};
	struct archive *archive = command_open(options->path, options);

	if (archive == NULL)
		return 1;
	struct code_namer *namer = pomp_code_names.begin(&settings);
	int status = name_archive(options, archive->path, namer);
	pomp_code_names.end(namer);
	archive_close(archive);
	return status;
}
