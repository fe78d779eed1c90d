/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parallel: two sections write different bit fields that lie side by side.
 * Adjacent bit fields are one memory location: writing one of them reads and writes the other
 * one as well (OpenMP 5.2, 1.4.1). The fixed structure begins a new unit between them.
 */
struct state {
	unsigned ready : 3;
#ifdef FIXED
	unsigned : 0;
#endif
	unsigned level : 5;
};

static struct state state;

int main(void)
{
#pragma omp parallel sections
	{
#pragma omp section
		for (int i = 0; i < 100; i++)
			state.ready = i & 7; /* race: write ready */
#pragma omp section
		for (int i = 0; i < 100; i++)
			state.level = i & 31; /* race: write level */
	}
	return state.ready != (99 & 7) || state.level != (99 & 31);
}
