/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hidden: a loop writes a flag that others write, too, and elements of its own.
 * With optimization, compilers write the flag behind the loop, at a line that is
 * another's (OpenMP 5.2, 1.4.1). The fixed one is atomic.
 */
static int stop;
static double m[400];

static void search(int from)
{
	for (int i = from; i < from + 100; i++) {
		m[i] = i;
		if (i % 97 == 3) {
#ifdef FIXED
#pragma omp atomic write
#endif
			stop = 1; /* race: write stop */
		}
	}
}

int main(void)
{
#pragma omp parallel for schedule(static, 1)
	for (int part = 0; part < 4; part++)
		search(100 * part);
	return stop != 1;
}
