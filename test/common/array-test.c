/* SPDX-License-Identifier: BSD-3-Clause */
/* Growable arrays: what they hold, how far they grow, and that a failure leaves them as they were.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static size_t calls, calls_until_failure = SIZE_MAX;

static void *failing_realloc(void *memory, size_t size)
{
	return calls++ < calls_until_failure ? realloc(memory, size) : NULL;
}

#define realloc failing_realloc
#include "shared/array.h"
#undef realloc

#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);  \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

struct point {
	int64_t x, y, z;
};

static void check_growth(void)
{
	struct point *points = NULL;
	size_t count = 0, capacity = 0;

	calls = 0;
	for (int i = 0; i < 100000; i++)
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): || stops where it fails */
		EXPECT(ARRAY_PUSH(points, count, capacity, ((struct point){i, 2 * i, 3 * i})));
	EXPECT(count == 100000);
	EXPECT(capacity >= count && capacity < 2 * count);
	EXPECT(calls < 30);
	for (int i = 0; i < 100000; i++)
		EXPECT(points[i].x == i && points[i].y == 2 * i && points[i].z == 3 * i);
	free(points);
}

/* Many at once, a count of another type, and items that are constant. */
static void check_room(void)
{
	const char *text = NULL;
	size_t capacity = 0;
	uint32_t length = 0;

	EXPECT(ARRAY_ROOM(text, length, capacity, 0));
	EXPECT(capacity == 0 && text == NULL);
	EXPECT(ARRAY_ROOM(text, length, capacity, 1));
	EXPECT(capacity == ARRAY_FIRST);
	EXPECT(ARRAY_ROOM(text, length, capacity, 1000));
	EXPECT(capacity == 1000);
	length = 1000;
	EXPECT(ARRAY_ROOM(text, length, capacity, 1));
	EXPECT(capacity == 1500);
	free((void *)text);
}

static void check_overflow(void)
{
	uint64_t number = 42, *numbers = &number;
	size_t capacity = 1;

	calls = 0;
	EXPECT(!ARRAY_ROOM(numbers, 1, capacity, SIZE_MAX));
	EXPECT(!ARRAY_ROOM(numbers, 1, capacity, SIZE_MAX - 1));
	EXPECT(!ARRAY_ROOM(numbers, 1, capacity, SIZE_MAX / sizeof(number)));
	EXPECT(calls == 0);
	EXPECT(numbers == &number && number == 42 && capacity == 1);
}

/* With a failure at the n-th growth for every n, all items before it are there. */
static void check_failures(void)
{
	for (size_t until = 0; until < 12; until++) {
		size_t *numbers = NULL;
		size_t count = 0, capacity = 0;

		calls = 0;
		calls_until_failure = until;
		while (ARRAY_PUSH(numbers, count, capacity, count))
			;
		EXPECT(count == capacity && calls == until + 1);
		EXPECT(until == 0 ? numbers == NULL : count >= ARRAY_FIRST);
		for (size_t i = 0; i < count; i++)
			/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): count pushes did */
			EXPECT(numbers[i] == i);
		calls_until_failure = SIZE_MAX;
		EXPECT(ARRAY_PUSH(numbers, count, capacity, count));
		free(numbers);
	}
}

int main(void)
{
	check_growth();
	check_room();
	check_overflow();
	check_failures();
	return 0;
}
