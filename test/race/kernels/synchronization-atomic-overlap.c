/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * synchronization: a word is updated atomically, and its lowest byte by another name plainly.
 * Both names are one storage location (OpenMP 5.2, 1.4.1): the plain write races with the atomic
 * one. The fixed one changes the byte within the word, atomically.
 */
#include <stdint.h>

union word {
	uint32_t whole;
	uint8_t bytes[4];
};

int main(void)
{
	union word word = {0};

#pragma omp parallel sections
	{
#pragma omp section
		for (int i = 0; i < 100; i++) {
#pragma omp atomic
			word.whole += 0x100; /* race: write whole */
		}
#pragma omp section
		for (int i = 0; i < 100; i++) {
#ifdef FIXED
#pragma omp atomic
			word.whole |= 1;
#else
			word.bytes[0] |= 1; /* race: write bytes */
#endif
		}
	}
	return (word.whole >> 8) != 100;
}
