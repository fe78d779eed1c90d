/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a value is written before a critical region and read behind one of another
 * thread.
 * Critical regions exclude each other, but which comes first is open (OpenMP 5.2, 15.2): if the
 * reader's comes first, nothing orders the write before the read. In the fixed one the reader
 * reads only what was announced within the region.
 */
#include <omp.h>

int main(void)
{
	int message = 0;
	int announced = 0;
	int wrong = 0;

#pragma omp parallel reduction(+ : wrong)
	{
		int sent;

		if (omp_get_thread_num() == 0)
			message = 11; /* race: write message */
#pragma omp critical
		{
			if (omp_get_thread_num() == 0)
				announced = 1;
			sent = announced;
		}
#ifdef FIXED
		if (sent)
#endif
			wrong += message * sent != 11 * sent; /* race: read message */
	}
	return wrong != 0;
}
