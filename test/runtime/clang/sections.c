/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections that members claim one by one: each is executed once, also with nowait and cancelled. */
#include "kmp-calls.h"

int32_t __kmpc_sections_init(struct ident *, int32_t gtid);
int32_t __kmpc_next_section(struct ident *, int32_t gtid, int32_t sections);
void __kmpc_end_sections(struct ident *, int32_t gtid);
int32_t __kmpc_cancel(struct ident *, int32_t gtid, int32_t kind);
int32_t __kmpc_cancellationpoint(struct ident *, int32_t gtid, int32_t kind);
int32_t __kmpc_cancel_barrier(struct ident *, int32_t gtid);

enum { ROUNDS = 60, SECTIONS = 9, CANCEL_SECTIONS = 3 };

static void claimed_once(int32_t *gtid, int32_t *number, void *data)
{
	int(*executed)[SECTIONS] = data;

	(void)number;
	for (int i = 0; i < ROUNDS; i++) {
		int32_t section, previous = -1, sections = i % (SECTIONS + 1);
		(void)__kmpc_sections_init(&here, *gtid);
		while ((section = __kmpc_next_section(&here, *gtid, sections)) < sections) {
			CHECK(section > previous);
			previous = section;
			count(&executed[i][section]);
		}
		__kmpc_end_sections(&here, *gtid);
		if (i % 7 == 0)
			__kmpc_barrier(&here, *gtid);
	}
}

/* Whoever has begun a section executes it; the others that were not begun never are. */
static void cancelled(int32_t *gtid, int32_t *number, void *data)
{
	int *begun = data;

	(void)number;
	for (int i = 0; i < ROUNDS; i++) {
		(void)__kmpc_sections_init(&here, *gtid);
		for (;;) {
			int32_t section = __kmpc_next_section(&here, *gtid, 1000);
			if (section >= 1000) {
				__kmpc_end_sections(&here, *gtid);
				break;
			}
			count(begun);
			if (section == 5 && __kmpc_cancel(&here, *gtid, CANCEL_SECTIONS))
				break;
			if (__kmpc_cancellationpoint(&here, *gtid, CANCEL_SECTIONS))
				break;
			dawdle(20);
		}
		CHECK_EQUAL(__kmpc_cancel_barrier(&here, *gtid), 0);
	}
}

int main(int arguments_count, char **arguments)
{
	static int executed[ROUNDS][SECTIONS];
	int begun = 0;

	(void)arguments_count;
	check_needs_environment(arguments, "OMP_CANCELLATION", "true");
	fork_threads(0, claimed_once, executed);
	for (int i = 0; i < ROUNDS; i++) {
		CHECK_ALL(executed[i], i % (SECTIONS + 1), 1);
		for (int j = i % (SECTIONS + 1); j < SECTIONS; j++)
			CHECK_EQUAL(executed[i][j], 0);
	}
	fork_threads(0, cancelled, &begun);
	CHECK(begun >= 6 * ROUNDS);
	CHECK(begun < 900 * ROUNDS);
	return check_result();
}
