/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * suite: threads look for encrypted words, as in Phoenix's string_match: each encrypts every word
 * into a small buffer of its own from the heap, and the buffers are neighbours.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 4096, LENGTH = 16, ROUNDS = 320, THREADS = 16 };
#ifdef FIXED
enum { ROOM = 256 };
#else
enum { ROOM = LENGTH };
#endif

static char words[WORDS][LENGTH];
static char *buffers[THREADS];

static void encrypt(const char *word, volatile char *into)
{
	for (int i = 0; i < LENGTH; i++)
		into[i] = (char)(word[i] + 5); /* sharing: false into */
}

int main(void)
{
	int matches = 0;

	for (int i = 0; i < WORDS; i++)
		memset(words[i], 'a' + i % 26, LENGTH);
	for (int thread = 0; thread < THREADS; thread++)
		buffers[thread] = malloc(ROOM);
#pragma omp parallel reduction(+ : matches)
	{
		const int me = omp_get_thread_num();

		for (int round = 0; round < ROUNDS; round++) {
#pragma omp for nowait
			for (int i = 0; i < WORDS; i++) {
				/* Blocks of 32 bytes: every second pair of neighbours shares a
				 * line. */
				char *mine = buffers[(me + 3 * (i % 4)) % THREADS];
				encrypt(words[i], mine);
				matches +=
				    ((volatile char *)mine)[0] == 'z'; /* sharing: false buffers */
			}
		}
	}
	return matches == 0;
}
