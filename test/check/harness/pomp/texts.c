/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of texts, which threads read without a lock: a text has one number, whichever thread
 * asks first, and every thread sees it complete while the table grows. Bounds: two threads; the
 * table grows once.
 */
#include "check.h"
#include "library.h"
#include "text-definitions.h"

#include <stdio.h>

enum { BEFORE_GROWTH = 32 };

static uint32_t numbers[2];

static void ask(void *number)
{
	*(uint32_t *)number = pomp_text_number(TRACE_LOG_TEXT_VALUE, "new");
}

static void first(void)
{
	check_start(ask, &numbers[1]);
	ask(&numbers[0]);
	check_join();
	EXPECT(numbers[0] == 1 && numbers[1] == 1);
	EXPECT(pomp_texts.count == 1);
}
HARNESS(pomp_texts_first, "two threads ask for the first text") = {.run = first};

static void ask_for_old(void *number)
{
	*(uint32_t *)number = pomp_text_number(TRACE_LOG_TEXT_VALUE, "7");
	EXPECT(pomp_text_number(TRACE_LOG_TEXT_INT64, "new") == 1);
}

static void growing(void)
{
	for (int i = 0; i < BEFORE_GROWTH; i++) {
		char text[8];
		snprintf(text, sizeof(text), "%d", i);
		EXPECT(pomp_text_number(TRACE_LOG_TEXT_VALUE, text) == (uint32_t)i + 1);
	}
	check_start(ask_for_old, &numbers[1]);
	ask(&numbers[0]);
	check_join();
	EXPECT(numbers[0] == BEFORE_GROWTH + 1 && numbers[1] == 8);
	EXPECT(pomp_text_number(TRACE_LOG_TEXT_VALUE, "new") == numbers[0]);
	EXPECT(pomp_texts.count == BEFORE_GROWTH + 2);
}
HARNESS(pomp_texts_growing, "a thread finds texts while another's lets the table grow") = {
    .run = growing};
