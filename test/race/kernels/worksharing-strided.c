/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: iterations write two elements, of which one is the next but one iteration's, too.
 * i and i + 2 are both multiples of the step (OpenMP 5.2, 11.5): a stride hides that elements
 * overlap. The fixed step is larger.
 */
#ifdef FIXED
enum { STEP = 4 };
#else
enum { STEP = 2 };
#endif

static int cells[1004];

int main(void)
{
	int sum = 0;

#pragma omp parallel for schedule(static, 7)
	for (int i = 0; i < 1000; i += STEP) {
		cells[i] += 1;     /* race: write cells */
		cells[i + 2] += 1; /* race: write cells */
	}
	for (int i = 0; i < 1004; i++)
		sum += cells[i];
	return sum != 2 * (1000 / STEP);
}
