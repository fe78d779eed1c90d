/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * iterations: the loop's variable is a pointer; one iteration also sets the object behind its own.
 * The fixed one only reads the limit.
 */
enum { N = 640, PLACE = 100 };

struct cell {
	int value, copies;
};

static struct cell cells[N + 1];

int main(void)
{
	struct cell *const begin = cells, *const end = cells + N;
	int wrong = 0;

#pragma omp parallel for
	for (struct cell *cell = begin; cell < end; cell++) {
		cell->value = 5; /* race: write cell->value */
		if (cell - begin == PLACE)
#ifdef FIXED
			cell->copies = 1;
#else
			cell[1].value = 5; /* race: write cell[1].value */
#endif
	}
	for (int i = 0; i < N; i++)
		wrong += cells[i].value != 5;
	return wrong != 0;
}
