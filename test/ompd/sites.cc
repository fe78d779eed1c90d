/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks of one construct that is inlined in two functions; they wait until stop_here() returns. */
#include <cstdio>
#include <unistd.h>

class Grid
{
public:
	void sweep();
	void raise();
	void lower();

private:
	int cells[3] = {0, 0, 0};

	inline void __attribute__((always_inline)) add(int number)
	{
#pragma omp task depend(inout : cells[0]) firstprivate(number) /* construct */
		cells[1] += number;
	}
};

static volatile int is_stopped;

static void __attribute__((noinline)) stop_here()
{
	std::printf("two tasks are blocked\n");
	is_stopped = 1;
}

void __attribute__((noinline)) Grid::raise()
{
	add(2);
}

void __attribute__((noinline)) Grid::lower()
{
	add(-1);
}

void Grid::sweep()
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(inout : cells[0])
		while (!is_stopped)
			usleep(100);
		raise();
		lower();
		stop_here();
	}
}

int main()
{
	Grid grid;

	grid.sweep();
}
