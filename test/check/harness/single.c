/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * single, by undivided teams and by groups: one member executes each block, and all find what it
 * copies after the barrier. sections: each section is executed once.
 */
#include "check.h"
#include "team-by-hand.h"

enum { SECTIONS = 3 };

bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *data);
unsigned GOMP_sections_start(unsigned count);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);

static int blocks[2], copied, executed[SECTIONS + 1];

/* Two with nowait, so that a member may be in the second one first. */
static void execute_two(void *argument)
{
	hand_team_enter();
	(void)argument;
	for (int i = 0; i < 2; i++)
		if (GOMP_single_start())
			blocks[i]++;
}

static void two(void)
{
	hand_team_run(2, execute_two);
	EXPECT(blocks[0] == 1 && blocks[1] == 1);
}
HARNESS(single_two, "two single constructs of two members") = {.run = two};

static void two_in_groups(void)
{
	hand_team_run_divided(execute_two);
	EXPECT(blocks[0] == 1 && blocks[1] == 1);
}
HARNESS(single_groups, "two single constructs of three members in two groups") = {
    .run = two_in_groups, .random_runs = 4000};

static void copy(void *argument)
{
	int *data;

	hand_team_enter();
	(void)argument;
	data = GOMP_single_copy_start();
	if (data == NULL) {
		copied = 1;
		GOMP_single_copy_end(&copied);
	} else {
		EXPECT(data == &copied && *data == 1);
	}
}

static void copyprivate(void)
{
	hand_team_run(2, copy);
}
HARNESS(single_copyprivate, "copyprivate of two members") = {.run = copyprivate};

static void copy_in_groups(void)
{
	hand_team_run_divided(copy);
}
HARNESS(single_copyprivate_groups, "copyprivate of three members in two groups") = {
    .run = copy_in_groups, .random_runs = 4000};

static void execute_sections(void *argument)
{
	hand_team_enter();
	(void)argument;
	for (unsigned i = GOMP_sections_start(SECTIONS); i != 0; i = GOMP_sections_next())
		executed[i]++;
	GOMP_sections_end_nowait();
}

static void sections(void)
{
	hand_team_run(2, execute_sections);
	for (int i = 1; i <= SECTIONS; i++)
		EXPECT(executed[i] == 1);
}
HARNESS(single_sections, "sections of two members") = {.run = sections};
