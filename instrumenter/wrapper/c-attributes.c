/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks the user's compiler whether it accepts directives in C attributes. gcc does so since version
 * 14, in any standard; an older compiler ignores them, and the program must then stay serial. Only
 * the compiler knows, so its preprocessor runs on a question, with the user's flags.
 */
#include "c-attributes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER "takes_directives_in_attributes"

static const char question[] = "#ifdef __has_c_attribute\n"
			       "#if __has_c_attribute(omp::directive)\n" ANSWER "\n"
			       "#endif\n"
			       "#endif\n";

/*
 * Can the text contain such an attribute? Blanks between the words are allowed, and a match in a
 * comment is harmless.
 */
static bool may_have_attributes(const struct text_file *text)
{
	static const char opening[] = "[[";
	const char *found = memmem(text->bytes, text->length, opening, strlen(opening));

	return found != NULL &&
	       memmem(found, text->length - (size_t)(found - text->bytes), "omp", 3) != NULL;
}

bool c_attributes_are_taken(struct job *job)
{
	struct words words = {0};
	char *answer = NULL;

	if (job->cplusplus || !may_have_attributes(&job->text))
		return false;
	char *path = scratch_path(&job->wrapper->scratch, job->number, "question.c");
	if (path != NULL && text_file_write(path, question, strlen(question)) == 0) {
		command_add(&job->wrapper->command, EVERY_STEP, &words);
		words_add(&words, "-fopenmp");
		words_add(&words, "-E");
		words_add(&words, "-x");
		words_add(&words, "c");
		words_add(&words, path);
		if (words_vector(&words) != NULL)
			answer = wrapper_ask(job->wrapper, (const char *const *)words.items);
		remove(path);
	}
	bool taken = answer != NULL && strstr(answer, "\n" ANSWER "\n") != NULL;
	free(answer);
	free(path);
	words_finish(&words);
	return taken;
}
