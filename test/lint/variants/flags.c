/* SPDX-License-Identifier: BSD-3-Clause */
/* Flags that all threads set to one constant, however the constant is written. */
#include <stdbool.h>
#include <stddef.h>

enum state { RUNNING, DONE };

struct found {
	bool stop;
	char mark;
	enum state state;
	const int *where;
};

struct found flags(const int *values, int n)
{
	bool stop = false;
	char mark = ' ';
	enum state state = RUNNING;
	const int *where = values;

#pragma omp parallel
	{
#pragma omp for
		for (int i = 0; i < n; i++)
			if (values[i] == 7)
				stop = true; /* finds openmp-flag-write */
#pragma omp for
		for (int i = 0; i < n; i++)
			if (values[i] == 7)
				mark = 'x'; /* finds openmp-flag-write */
#pragma omp for
		for (int i = 0; i < n; i++)
			if (values[i] == 7)
				state = DONE; /* finds openmp-flag-write */
#pragma omp for
		for (int i = 0; i < n; i++)
			if (values[i] == 7)
				where = NULL; /* finds openmp-flag-write */
	}
	struct found result = {stop, mark, state, where};
	return result;
}

/* Two constants: which one stays is a matter of luck. */
bool undecided(const int *values, int n)
{
	bool positive = false;

#pragma omp parallel for
	for (int i = 0; i < n; i++) {
		if (values[i] > 0)
			positive = true; /* finds openmp-shared-write */
		else
			positive = false;
	}
	return positive;
}
