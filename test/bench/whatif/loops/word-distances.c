/* SPDX-License-Identifier: BSD-3-Clause */
/* Edit distances from one text to many words, which are sorted by their length. */
#include "chance.h"

#include <stdio.h>
#include <string.h>

enum { WORDS = 2000, TEXT = 600, LONGEST = 420 };

static char text[TEXT], words[WORDS][LONGEST];
static int lengths[WORDS];

static int distance(const char *word, int length)
{
	int row[TEXT + 1];

	for (int i = 0; i <= TEXT; i++)
		row[i] = i;
	for (int j = 1; j <= length; j++) {
		int corner = row[0];
		row[0] = j;
		for (int i = 1; i <= TEXT; i++) {
			int changed = corner + (text[i - 1] != word[j - 1]);
			int added = (row[i] < row[i - 1] ? row[i] : row[i - 1]) + 1;
			corner = row[i];
			row[i] = changed < added ? changed : added;
		}
	}
	return row[TEXT];
}

int main(void)
{
	uint64_t state = 21;
	long total = 0;

	for (int i = 0; i < TEXT; i++)
		text[i] = (char)('a' + chance_next(&state) % 20);
	for (int word = 0; word < WORDS; word++) {
		lengths[word] = 8 + word * (LONGEST - 10) / WORDS;
		for (int i = 0; i < lengths[word]; i++)
			words[word][i] = (char)('a' + chance_next(&state) % 20);
	}
#pragma omp parallel for reduction(+ : total) // @loop
	for (int word = WORDS - 1; word >= 0; word--)
		total += distance(words[word], lengths[word]);
	printf("%ld\n", total);
	return 0;
}
