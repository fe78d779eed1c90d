/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxx: tasks call a lambda that captures the loop's index by reference.
 * The index has gone on when the task is executed (OpenMP 5.2, 12.5). The fixed lambda
 * captures its value, and each task has its own copy of the lambda (5.4.4).
 */
#include <array>

static std::array<int, 24> marks;

template <typename Work> static void spawn(Work work)
{
#pragma omp task firstprivate(work)
	work();
}

int main()
{
	int wrong = 0;

#pragma omp parallel
#pragma omp single
	{
		unsigned index = 0;

		for (; index < marks.size(); index++) { /* race: write index */
#ifdef FIXED
			spawn([index] { marks[index] = static_cast<int>(index); });
#else
			spawn([&index] {
				unsigned at = index % 24; /* race: read index */
				marks[at] = static_cast<int>(at);
			});
#endif
		}
#pragma omp taskwait
	}
	for (int i = 0; i < 24; i++)
		wrong += marks[i] != i;
	return wrong != 0;
}
