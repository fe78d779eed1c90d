/* SPDX-License-Identifier: BSD-3-Clause */
/* The temporary files of one input, and words that several of its steps use. */
#include "compile-job.h"

#include "installation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void job_add_input(struct words *words, const struct command_part *input)
{
	if (input->forced != NULL) {
		words_add(words, "-x");
		words_add(words, input->forced);
	}
	words_add(words, input->value);
}

void job_add_header(struct words *words)
{
	char *header = locate_header();

	if (header != NULL) {
		words_add(words, "-idirafter");
		words_add(words, header);
	}
	free(header);
}

static char *edited_name(const struct job *job)
{
	const char *base = path_base(job->input->value), *dot = strrchr(base, '.');
	int stem = dot != NULL && dot != base ? (int)(dot - base) : (int)strlen(base);
	char *name = NULL, *path = NULL;

	/* clang reads the original's name from the text only if the file is named .i or .ii. */
	if (asprintf(&name, "%.*s.%s", stem, base, job->cplusplus ? "ii" : "i") >= 0)
		path = scratch_path(&job->wrapper->scratch, job->number, name);
	free(name);
	return path;
}

int job_init(struct job *job)
{
	const struct scratch *scratch = &job->wrapper->scratch;

	job->preprocessed = scratch_path(scratch, job->number, "preprocessed");
	job->edited = edited_name(job);
	job->records = scratch_path(scratch, job->number, "constructs");
	job->messages[0] = text_file_memory();
	job->messages[1] = text_file_memory();
	return job->preprocessed != NULL && job->edited != NULL && job->records != NULL &&
		       job->messages[0] >= 0 && job->messages[1] >= 0
		   ? 0
		   : -1;
}

int job_read_input(const struct job *job, struct text_file *text)
{
	return strcmp(job->input->value, "-") == 0
		   ? text_file_read_descriptor(job->wrapper->input, text)
		   : text_file_read(job->input->value, text);
}

void job_remove_files(struct job *job)
{
	const char *const files[] = {job->preprocessed, job->edited, job->records};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (files[i] != NULL)
			text_file_remove(files[i]);
}

void job_finish(struct job *job)
{
	job_remove_files(job);
	text_file_finish(&job->text);
	words_finish(&job->ignored);
	free(job->preprocessed);
	free(job->edited);
	free(job->records);
	close(job->messages[0]);
	close(job->messages[1]);
}
