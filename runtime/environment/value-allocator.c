/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OMP_ALLOCATOR (OpenMP 5.1, 6.22): the name of a predefined allocator or of a memory space, which
 * a colon and traits may follow: omp_default_mem_space:alignment=64,fallback=null_fb.
 */

#include "allocators.h"
#include "value-scan.h"
#include "values.h"

static const struct rt_word allocator_words[] = {{"omp_default_mem_alloc", omp_default_mem_alloc},
    {"omp_large_cap_mem_alloc", omp_large_cap_mem_alloc},
    {"omp_const_mem_alloc", omp_const_mem_alloc}, {"omp_high_bw_mem_alloc", omp_high_bw_mem_alloc},
    {"omp_low_lat_mem_alloc", omp_low_lat_mem_alloc},
    {"omp_cgroup_mem_alloc", omp_cgroup_mem_alloc}, {"omp_pteam_mem_alloc", omp_pteam_mem_alloc},
    {"omp_thread_mem_alloc", omp_thread_mem_alloc},
    {"ompx_gnu_pinned_mem_alloc", ompx_gnu_pinned_mem_alloc},
    {"ompx_gnu_managed_mem_alloc", ompx_gnu_managed_mem_alloc}, {NULL, 0}};

static const struct rt_word space_words[] = {{"omp_default_mem_space", omp_default_mem_space},
    {"omp_large_cap_mem_space", omp_large_cap_mem_space},
    {"omp_const_mem_space", omp_const_mem_space}, {"omp_high_bw_mem_space", omp_high_bw_mem_space},
    {"omp_low_lat_mem_space", omp_low_lat_mem_space},
    {"ompx_gnu_managed_mem_space", ompx_gnu_managed_mem_space}, {NULL, 0}};

static const struct rt_word sync_words[] = {{"contended", omp_atv_contended},
    {"uncontended", omp_atv_uncontended}, {"serialized", omp_atv_serialized},
    {"private", omp_atv_private}, {NULL, 0}};
static const struct rt_word access_words[] = {{"all", omp_atv_all}, {"cgroup", omp_atv_cgroup},
    {"pteam", omp_atv_pteam}, {"thread", omp_atv_thread}, {NULL, 0}};
static const struct rt_word fallback_words[] = {{"default_mem_fb", omp_atv_default_mem_fb},
    {"null_fb", omp_atv_null_fb}, {"abort_fb", omp_atv_abort_fb}, {NULL, 0}};
static const struct rt_word pinned_words[] = {
    {"true", omp_atv_true}, {"false", omp_atv_false}, {NULL, 0}};
static const struct rt_word partition_words[] = {{"environment", omp_atv_environment},
    {"nearest", omp_atv_nearest}, {"blocked", omp_atv_blocked},
    {"interleaved", omp_atv_interleaved}, {NULL, 0}};

/* A trait's values are the words, or numbers if there are no words. */
static const struct {
	const char *name;
	omp_alloctrait_key_t key;
	const struct rt_word *words;
} traits[] = {{"sync_hint", omp_atk_sync_hint, sync_words}, {"alignment", omp_atk_alignment, NULL},
    {"access", omp_atk_access, access_words}, {"pool_size", omp_atk_pool_size, NULL},
    {"fallback", omp_atk_fallback, fallback_words}, {"pinned", omp_atk_pinned, pinned_words},
    {"partition", omp_atk_partition, partition_words}};

enum { TRAITS = sizeof(traits) / sizeof(traits[0]) };

static bool scan_word_of(const char **text, const struct rt_word *words, uintptr_t *value)
{
	for (; words->word; words++)
		if (rt_scan_word(text, words->word)) {
			*value = words->value;
			return true;
		}
	return false;
}

/* name=value */
static bool scan_trait(const char **text, omp_alloctrait_t *trait)
{
	uint64_t number;

	for (int i = 0; i < TRAITS; i++) {
		if (!rt_scan_word(text, traits[i].name))
			continue;
		trait->key = traits[i].key;
		if (!rt_scan_char(text, '='))
			return false;
		if (traits[i].words)
			return scan_word_of(text, traits[i].words, &trait->value);
		if (!rt_scan_number(text, UINTPTR_MAX, &number))
			return false;
		trait->value = (uintptr_t)number;
		return true;
	}
	return false;
}

static bool parse_allocator(const struct rt_value_kind *kind, const char *text, void *field)
{
	const char *written = text;
	omp_alloctrait_t given[TRAITS];
	uintptr_t predefined, space;
	int count = 0;

	if (scan_word_of(&text, kind->words, &predefined)) {
		if (!rt_scan_end(&text))
			return false;
		*(uintptr_t *)field = predefined;
		return true;
	}
	if (!scan_word_of(&text, space_words, &space))
		return false;
	bool has_traits = rt_scan_char(&text, ':');
	if (has_traits) {
		do {
			if (count == TRAITS || !scan_trait(&text, &given[count++]))
				return false;
		} while (rt_scan_char(&text, ','));
	}
	if (!rt_scan_end(&text))
		return false;
	/*
	 * Without traits it is the predefined allocator of the space; both are in the same order.
	 */
	omp_allocator_handle_t allocator =
	    has_traits ? rt_allocator_new(space, count, given) : omp_default_mem_alloc + space;
	if (allocator == omp_null_allocator)
		return false;
	if (has_traits)
		rt_allocator_get(allocator)->written = written;
	*(uintptr_t *)field = allocator;
	return true;
}

static const char *word_of(const struct rt_word *words, uintptr_t value)
{
	while (words->word && words->value != value)
		words++;
	return words->word ? words->word : "";
}

/* An allocator with traits has no name, so it is shown as the user wrote it. */
static void print_allocator(
    const struct rt_value_kind *kind, const void *field, struct rt_text *out)
{
	omp_allocator_handle_t handle = *(const uintptr_t *)field;
	const struct rt_allocator *allocator = rt_allocator_get(handle);

	rt_text_add_words(out, allocator ? allocator->written : word_of(kind->words, handle));
}

const struct rt_value_kind rt_kind_allocator = {parse_allocator, print_allocator,
    "the name of a predefined allocator, or a memory space and traits such as"
    " omp_default_mem_space:alignment=64",
    .words = allocator_words};
