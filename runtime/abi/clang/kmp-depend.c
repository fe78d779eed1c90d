/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists of dependences: clang's lists contain the address, size and kind of each one. Depend
 * objects are such lists, too, which the program's code copies into the list of the task.
 */
#include <stdlib.h>

#include "depend.h"
#include "kmp-task.h"
#include "message.h"

/* The kinds are bits; `inout` has both of the first two. */
enum { KIND_IN = 1, KIND_OUT = 2, KIND_MUTEXINOUTSET = 4, KIND_INOUTSET = 8, KIND_ALL = 0x80 };

/* In the order of the runtime's list; the last kind consists of objects of two words. */
enum class { OUT, EXCLUSIVE, IN, OBJECT, CLASSES };

/* GOMP_DEPEND_INOUTSET in depend.c. */
#define OBJECT_INOUTSET ((void *)5)

/* omp_all_memory: clang marks it by the kind, other compilers by an invalid address. */
static bool is_all(const struct kmp_dependence *item)
{
	return (item->kind & KIND_ALL) != 0 || item->address == (void *)UINTPTR_MAX;
}

static enum class class_of(const struct kmp_dependence *item) {
	if (is_all(item) || (item->kind & KIND_OUT)) return OUT;
	if (item->kind & KIND_MUTEXINOUTSET) return EXCLUSIVE;
	return item->kind & KIND_INOUTSET ? OBJECT : IN;
}

static void count_classes(size_t counts[CLASSES], int32_t count, const struct kmp_dependence *items)
{
	for (int32_t i = 0; i < count; i++)
		counts[class_of(&items[i])]++;
}

static void add(void **words, size_t places[CLASSES], void ***object, int32_t count,
    const struct kmp_dependence *items)
{
	for (int32_t i = 0; i < count; i++) {
		enum class class = class_of(&items[i]);
		void *address = is_all(&items[i]) ? NULL : items[i].address;

		if (class == OBJECT) {
			words[places[class]++] = *object;
			*(*object)++ = address;
			*(*object)++ = OBJECT_INOUTSET;
		} else {
			words[places[class]++] = address;
		}
	}
}

void kmp_depend_begin(struct kmp_depend_list *list, int32_t count,
    const struct kmp_dependence *items, int32_t more_count, const struct kmp_dependence *more)
{
	enum { HEAD = 5 };
	size_t counts[CLASSES] = {0}, places[CLASSES], total = (size_t)count + (size_t)more_count;
	size_t words;
	void **object;

	list->words = NULL;
	if (total == 0)
		return;
	count_classes(counts, count, items);
	count_classes(counts, more_count, more);
	words = HEAD + total + 2 * counts[OBJECT];
	list->words = words <= sizeof(list->few) / sizeof(list->few[0])
			  ? list->few
			  : malloc(words * sizeof(*list->words));
	if (list->words == NULL)
		rt_fatal("no memory for %zu dependences of a task; the program ends here", total);
	list->words[0] = NULL;
	list->words[1] = (void *)total;
	for (size_t class = 0, place = HEAD; class < CLASSES; class ++) {
		places[class] = place;
		place += counts[class];
		if (class < OBJECT)
			list->words[2 + class] = (void *)counts[class];
	}
	object = list->words + HEAD + total;
	add(list->words, places, &object, count, items);
	add(list->words, places, &object, more_count, more);
}

void kmp_depend_finish(struct kmp_depend_list *list)
{
	if (list->words != list->few)
		free(list->words);
}
