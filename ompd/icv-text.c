/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words, lists, schedules and places in internal control variables; icvs.c lists which variable has
 * which.
 */
#include "icv-text.h"

#include <stddef.h>

/* Longer lists and larger masks than on any machine are damaged data. */
enum { LONGEST_LIST = 4096, MOST_PLACES = 65536, LARGEST_MASK = 4096 };

const struct icv_word icv_bool_words[] = {{0, "false"}, {1, "true"}, {0, NULL}};
const struct icv_word icv_bind_words[] = {
    {0, "false"}, {1, "true"}, {2, "primary"}, {3, "close"}, {4, "spread"}, {0, NULL}};
const struct icv_word icv_schedule_words[] = {
    {1, "static"}, {2, "dynamic"}, {3, "guided"}, {4, "auto"}, {0, NULL}};
const struct icv_word icv_wait_words[] = {{RT_DEBUG_WAIT_ACTIVE, "active"},
    {RT_DEBUG_WAIT_PASSIVE, "passive"}, {0, "default"}, {0, NULL}};
const struct icv_word icv_offload_words[] = {{RT_DEBUG_OFFLOAD_MANDATORY, "mandatory"},
    {RT_DEBUG_OFFLOAD_DISABLED, "disabled"}, {0, "default"}, {0, NULL}};
/* omp_allocator_handle_t in omp.h. */
const struct icv_word icv_allocator_words[] = {{0, "omp_null_allocator"},
    {1, "omp_default_mem_alloc"}, {2, "omp_large_cap_mem_alloc"}, {3, "omp_const_mem_alloc"},
    {4, "omp_high_bw_mem_alloc"}, {5, "omp_low_lat_mem_alloc"}, {6, "omp_cgroup_mem_alloc"},
    {7, "omp_pteam_mem_alloc"}, {8, "omp_thread_mem_alloc"}, {0, NULL}};

void icv_add_word(struct text *text, const struct icv_word *words, int64_t value)
{
	for (; words != NULL && words->word != NULL; words++) {
		if (words->value == value) {
			text_add(text, words->word);
			return;
		}
	}
	text_add_number(text, value);
}

uint64_t icv_list_rest(
    struct reader *reader, const struct icv_list *list, ompd_addr_t icvs, ompd_addr_t *rest)
{
	ompd_addr_t record =
	    field_address(reader, reader->space->roots[ROOT_rt_process], list->list);
	uint64_t count = read_field(reader, record, FIELD_rt_value_list_count);
	uint64_t used = read_field(reader, icvs, FIELD_rt_task_icvs_list_depth);

	reader_expect(reader, count <= LONGEST_LIST);
	if (reader->rc != ompd_rc_ok || used + 1 >= count)
		return 1;
	*rest = read_pointer(reader, record, FIELD_rt_value_list_values) + 4 * (used + 1);
	return count - used;
}

void icv_add_list(
    struct reader *reader, const struct icv_list *list, ompd_addr_t icvs, struct text *text)
{
	ompd_addr_t rest = 0;
	uint64_t count = icv_list_rest(reader, list, icvs, &rest);

	icv_add_word(text, list->words, (int64_t)read_field(reader, icvs, list->first));
	for (uint64_t i = 1; i < count && reader->rc == ompd_rc_ok; i++) {
		text_add(text, ",");
		icv_add_word(
		    text, list->words, (int64_t)read_number(reader, rest + 4 * (i - 1), 4));
	}
}

void icv_add_schedule(struct reader *reader, ompd_addr_t icvs, struct text *text)
{
	uint64_t kind = read_field(reader, icvs, FIELD_rt_task_icvs_run_sched_kind);
	uint64_t monotonic = UINT64_C(1) << RT_DEBUG_SCHEDULE_MONOTONIC_BIT;
	int64_t chunk = read_signed(reader, icvs, FIELD_rt_task_icvs_run_sched_chunk);

	if (kind & monotonic)
		text_add(text, "monotonic:");
	icv_add_word(text, icv_schedule_words, (int64_t)(kind & ~monotonic));
	if (chunk > 0) {
		text_add(text, ",");
		text_add_number(text, chunk);
	}
}

struct range {
	struct text *text;
	int64_t first, last; /* of processors that are not written yet; -1: none */
	bool is_later;
};

static void flush_range(struct range *range)
{
	if (range->first < 0)
		return;
	if (range->is_later)
		text_add(range->text, ",");
	text_add_number(range->text, range->first);
	if (range->last > range->first) {
		text_add(range->text, ":");
		text_add_number(range->text, range->last - range->first + 1);
	}
	range->is_later = true;
	range->first = -1;
}

static void add_processor(struct range *range, int64_t processor)
{
	if (range->first >= 0 && processor == range->last + 1) {
		range->last = processor;
		return;
	}
	flush_range(range);
	range->first = range->last = processor;
}

/* A mask is an array of the target's longs, as for its sched_setaffinity(). */
static void add_place(struct reader *reader, ompd_addr_t mask, uint64_t bytes, struct text *text)
{
	uint32_t width = reader->space->sizes.sizeof_long;
	struct range range = {text, -1, -1, false};

	text_add(text, "{");
	for (uint64_t at = 0; at < bytes && reader->rc == ompd_rc_ok; at += width) {
		uint64_t bits = read_number(reader, mask + at, width);
		for (int64_t bit = 0; bits != 0; bits >>= 1, bit++)
			if (bits & 1)
				add_processor(&range, (int64_t)at * 8 + bit);
	}
	flush_range(&range);
	text_add(text, "}");
}

void icv_add_partition(struct reader *reader, ompd_addr_t icvs, struct text *text)
{
	ompd_addr_t places =
	    field_address(reader, reader->space->roots[ROOT_rt_process], FIELD_rt_process_places);
	ompd_addr_t masks = read_pointer(reader, places, FIELD_rt_places_masks);
	uint64_t bytes = read_field(reader, places, FIELD_rt_places_mask_bytes);
	uint64_t count = read_field(reader, places, FIELD_rt_places_count);
	uint64_t first = read_field(reader, icvs, FIELD_rt_task_icvs_partition_first);
	uint64_t length = read_field(reader, icvs, FIELD_rt_task_icvs_partition_length);

	reader_expect(reader, count <= MOST_PLACES && bytes <= LARGEST_MASK && length <= count);
	for (uint64_t i = 0; i < length && reader->rc == ompd_rc_ok; i++) {
		if (i != 0)
			text_add(text, ",");
		add_place(reader, masks + (first + i) % count * bytes, bytes, text);
	}
}
