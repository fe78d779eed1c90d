/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What happens in place of instrumentation: the user's own command runs, and if it succeeds, one
 * warning gives the reason. With --strict it is an error, and the output is removed.
 */
#include "fallback.h"

#include "construct-report.h"
#include "languages.h"
#include "text-file.h"
#include "shared/debug-log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int fallback_report(
    const struct wrapper *wrapper, const char *file, const char *reason, const char *report)
{
	report_text(report);
	if (reason == NULL)
		return 0;
	if (wrapper->options->strict) {
		report_error(file, "cannot instrument: %s", reason);
		return 1;
	}
	if (wrapper->options->list != LIST_NONE)
		report_warning(file, "cannot instrument: %s", reason);
	else
		report_warning(file, "cannot instrument: %s; %s as it is", reason,
		    wrapper->command.source_count > 0 ? "compiled" : "linked");
	return 0;
}

void fallback_discard(const struct wrapper *wrapper, const char *output)
{
	if (!wrapper->options->dry_run && wrapper->options->list == LIST_NONE)
		text_file_remove(output);
}

static void remove_outputs(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	const char *unnamed = command->mode == COMMAND_LINK ? "a.out" : NULL;

	if (command->output != NULL || unnamed != NULL) {
		fallback_discard(wrapper, command->output != NULL ? command->output : unnamed);
		return;
	}
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		char *output = command_part_is_instrumentable(part) ||
				       language_skip_reason(wrapper, part) != NULL
				   ? command_output_of(command, part)
				   : NULL;
		if (output != NULL)
			fallback_discard(wrapper, output);
		free(output);
	}
}

int fallback_run(struct wrapper *wrapper, const char *file, const char *reason)
{
	DEBUG_LOG(decide, "the user's own command runs instead: %s", reason);
	int code = wrapper_run_original(wrapper);

	if (code != 0 || fallback_report(wrapper, file, reason, NULL) == 0)
		return code;
	remove_outputs(wrapper);
	return 1;
}

int fallback_report_languages(const struct wrapper *wrapper)
{
	const struct command *command = &wrapper->command;
	const struct command_part *first = NULL;
	size_t more = 0;
	char *reason = NULL;

	if (!command->openmp && !wrapper->options->engine.functions)
		return 0;
	for (size_t i = 0; i < command->part_count; i++) {
		if (language_skip_reason(wrapper, &command->parts[i]) == NULL)
			continue;
		more += first != NULL;
		if (first == NULL)
			first = &command->parts[i];
	}
	if (first == NULL)
		return 0;
	if (more == 0)
		reason = strdup(language_skip_reason(wrapper, first));
	else if (asprintf(&reason, "%s (and %zu more such file%s)",
		     language_skip_reason(wrapper, first), more, more > 1 ? "s" : "") < 0)
		reason = NULL;
	int code = fallback_report(wrapper, first->value, reason, NULL);
	if (code != 0)
		remove_outputs(wrapper);
	free(reason);
	return code;
}
