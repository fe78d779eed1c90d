/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections and tasks that use one variable: ordered by a flag or a lock, or by nothing. */
#include <omp.h>

static omp_lock_t guard;

int by_atomic(void)
{
	int data = 0, ready = 0, result = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			data = 42;
#pragma omp atomic write release
			ready = 1;
		}
#pragma omp section
		{
			int seen = 0;
			while (!seen) {
#pragma omp atomic read acquire
				seen = ready;
			}
			result = data;
		}
	}
	return result;
}

/* The section that reads stands first. */
int reader_first(void)
{
	int data = 0, ready = 0, result = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			for (int seen = 0; !seen;) {
#pragma omp atomic read acquire
				seen = ready;
			}
			result = data;
		}
#pragma omp section
		{
			data = 42;
#pragma omp atomic write release
			ready = 1;
		}
	}
	return result;
}

int by_critical(void)
{
	int data = 0, ready = 0, result = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			data = 42;
#pragma omp critical(flag)
			ready = 1;
		}
#pragma omp section
		{
			int seen = 0;
			while (!seen) {
#pragma omp critical(flag)
				seen = ready;
			}
			result = data;
		}
	}
	return result;
}

int by_lock(void)
{
	int data = 0, ready = 0, result = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			data = 42;
			omp_set_lock(&guard);
			ready = 1;
			omp_unset_lock(&guard);
		}
#pragma omp section
		{
			int seen = 0;
			while (!seen) {
				omp_set_lock(&guard);
				seen = ready;
				omp_unset_lock(&guard);
			}
			result = data;
		}
	}
	return result;
}

static void set(int *flag)
{
#pragma omp atomic write release
	*flag = 1;
}

static void await(int *flag)
{
	int seen = 0;

	while (!seen) {
#pragma omp atomic read acquire
		seen = *flag;
	}
}

int by_functions(void)
{
	int data = 0, ready = 0, result = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			data = 42;
			set(&ready);
		}
#pragma omp section
		{
			await(&ready);
			result = data;
		}
	}
	return result;
}

int by_builtin(void)
{
	int data = 0, ready = 0, result = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
		{
			data = 42;
			__atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
		}
#pragma omp section
		{
			while (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE))
				;
			result = data;
		}
	}
	return result;
}

int between_tasks(void)
{
	int data = 0, ready = 0, result = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task shared(data, ready)
		{
			data = 42;
#pragma omp atomic write release
			ready = 1;
		}
#pragma omp task shared(data, ready, result)
		{
			int seen = 0;
			while (!seen) {
#pragma omp atomic read acquire
				seen = ready;
#pragma omp taskyield
			}
			result = data;
		}
	}
	return result;
}

/* The atomics are about variables of each section, or on the wrong side. */
int by_nothing(void)
{
	int data = 0, more = 0, one = 0, other = 0, result = 0;

#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
	    {data = 42; /* finds openmp-shared-write */
#pragma omp atomic
	one++;
}
#pragma omp section
{
#pragma omp atomic
	other++;
	result = data;
}
}
#pragma omp parallel sections num_threads(2)
{
#pragma omp section
	{
#pragma omp atomic
		one++;
		more = 42; /* finds openmp-shared-write */
	}
#pragma omp section
	{
#pragma omp atomic
		one++;
		result += more;
	}
}
return result + one + other;
}
