/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * worksharing: a pipeline as a doacross loop over stages and items.
 * A stage handles an item behind the stage before it, and behind the item before it: both are
 * named as sinks. A stage has a state that goes from item to item.
 */
enum { STAGES = 5, ITEMS = 20 };

static int item[ITEMS + 1], state[STAGES + 1];

int main(void)
{
	int last[STAGES + 1] = {0};
	int wrong = 0;

	for (int i = 1; i <= ITEMS; i++)
		item[i] = i;
#pragma omp parallel for ordered(2) collapse(2) schedule(static, 1)
	for (int i = 1; i <= ITEMS; i++)
		for (int stage = 1; stage <= STAGES; stage++) {
#pragma omp ordered depend(sink : i - 1, stage) depend(sink : i, stage - 1)
			state[stage] = (state[stage] + item[i]) % 1000;
			item[i] = state[stage];
#pragma omp ordered depend(source)
		}
	for (int i = 1; i <= ITEMS; i++) {
		int value = i;

		for (int stage = 1; stage <= STAGES; stage++)
			value = last[stage] = (last[stage] + value) % 1000;
		wrong += item[i] != value;
	}
	return wrong != 0;
}
