/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the program traced, and `ompreport whatif --each` with the trace. */
#include "traced-gains.h"

#include "installation.h"
#include "limited-run.h"
#include "predicted-gains.h"
#include "text-file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { REPLAYS_LIMIT = 60 }; /* seconds */

/* Has the command print into the file; true if it ends well. */
static bool print_into(int output, struct tuned_runner *runner, const struct words *command)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct limited_run run = {.status = -1};
	struct process_start start = {.program = command->items[0],
	    .arguments = words_vector(command),
	    .streams = {nothing, output, nothing}};
	bool is_done = start.arguments != NULL && nothing >= 0 && output >= 0 &&
		       process_run_limited(runner->watch, &start, REPLAYS_LIMIT, &run) == 0 &&
		       run.end == LIMITED_EXITED && run.status == 0;

	if (nothing >= 0)
		close(nothing);
	return is_done;
}

/* Asks with the command, and reads the answer. */
static void ask(
    struct tuned_settings *settings, struct tuned_runner *runner, const struct words *command)
{
	int output = text_file_memory();
	struct text_file answer = {.bytes = NULL};

	if (print_into(output, runner, command) && text_file_read_descriptor(output, &answer) == 0)
		predicted_gains_read(settings, answer.bytes, answer.length);
	text_file_finish(&answer);
	if (output >= 0)
		close(output);
}

void traced_gains_choose(struct tuned_settings *settings, struct tuned_runner *runner)
{
	struct scratch scratch = {.folder = NULL};
	struct words command = {0};
	char *ompreport = locate_reports(), *archive = NULL;

	if (ompreport != NULL) {
		words_add(&command, ompreport);
		words_add(&command, "whatif");
		words_add(&command, "--format=json");
		words_add(&command, "--each");
		if (predicted_gains_ask(settings, &command) > 0 && scratch_init(&scratch) == 0)
			archive = tuned_runner_trace(runner, &scratch);
	}
	if (archive != NULL) {
		words_add(&command, archive);
		ask(settings, runner, &command);
		predicted_gains_choose(settings, runner->options->min_gain);
	}
	words_finish(&command);
	free(archive);
	free(ompreport);
	scratch_finish(&scratch);
}
