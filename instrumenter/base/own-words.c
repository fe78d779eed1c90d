/* SPDX-License-Identifier: BSD-3-Clause */
/* Their texts, in the order of the help. */
#include "own-words.h"

#include <string.h>

const char *const own_words[OWN_WORDS] = {
    [OWN_RUN] = "run",
    [OWN_RACE] = "race",
    [OWN_SHARING] = "sharing",
    [OWN_TUNE] = "tune",
    [OWN_WHY] = "why",
    [OWN_STACKS] = "stacks",
    [OWN_TOP] = "top",
    [OWN_SNAPSHOT] = "snapshot",
    [OWN_TRACE] = "trace",
    [OWN_CONTROL] = "control",
    [OWN_LINT] = "lint",
    [OWN_MACHINE] = "machine",
};

enum own_word own_word_find(const char *word)
{
	unsigned i = 0;

	while (i < OWN_WORDS && strcmp(word, own_words[i]) != 0)
		i++;
	return (enum own_word)i;
}
