/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces come back as they were, from memory and from the file, also where no file can be made. */
#include "spill.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 5000, LONGEST = 4000 };

static int failures;

static void fill(unsigned char *bytes, size_t size, unsigned seed)
{
	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(seed * 31 + i * 7 + (i >> 8));
}

static size_t size_of(unsigned piece)
{
	return piece == 3 ? SPILL_PIECE_MAX : piece * 977 % LONGEST;
}

static void check(size_t memory_max, const char *what)
{
	static unsigned char bytes[SPILL_PIECE_MAX], expected[SPILL_PIECE_MAX];
	static struct spill_piece pieces[PIECES];
	struct spill *spill = spill_new(memory_max);
	bool right = true;

	for (unsigned i = 0; i < PIECES; i++) {
		fill(bytes, size_of(i), i);
		pieces[i] = spill_put(spill, bytes, size_of(i));
	}
	for (unsigned i = PIECES; i-- > 0;) {
		size_t size = size_of(i), from = size / 3;

		fill(expected, size, i);
		spill_get(spill, pieces[i], 0, bytes, size);
		right &= memcmp(bytes, expected, size) == 0;
		spill_get(spill, pieces[i], from, bytes, size - from);
		right &= memcmp(bytes, expected + from, size - from) == 0;
	}
	if (!right) {
		fprintf(stderr, "FAIL: %s\n", what);
		failures++;
	}
	spill_free(spill);
}

int main(void)
{
	check((size_t)64 << 20, "all in memory");
	check((size_t)4 << 20, "some in memory");
	check(0, "in the file");
	setenv("TMPDIR", "/dev/null", 1); /* then /var/tmp */
	check(0, "no such folder");
	spill_free(spill_new(0));
	return failures > 0;
}
