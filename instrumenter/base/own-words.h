/* SPDX-License-Identifier: BSD-3-Clause */
/* ompinst's own commands: the first words that are no compiler and no source file. */
#ifndef OWN_WORDS_H
#define OWN_WORDS_H

enum own_word {
	OWN_RUN,
	OWN_RACE,
	OWN_SHARING,
	OWN_TUNE,
	OWN_WHY,
	OWN_STACKS,
	OWN_TOP,
	OWN_SNAPSHOT,
	OWN_TRACE,
	OWN_CONTROL,
	OWN_LINT,
	OWN_MACHINE,
	OWN_WORDS, /* how many there are */
};

extern const char *const own_words[OWN_WORDS];

/* The command that the word is, or OWN_WORDS. */
enum own_word own_word_find(const char *word);

#endif
