/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A block of JSON, which no browser executes. Its texts of base64 are numbers of seven bits a byte
 * (base64.h), by rank in the order of their numbers:
 *
 *   numbers         of the rank, as --rank takes it: the difference to the one before
 *   places          of the text that its name has in brackets, among `labels`, from 1; 0: none
 *   threads         how many it has
 *   groups          the index of its group
 *   times           of the parts that `parts` names, in ns: sums over its threads
 *   thread_times    the same of each of its threads; only if some rank has several
 *   rows            what it does in each of `steps` steps of time: the index of a mix plus 1; 0 and
 *                   a number: the previous one so many times more
 *
 * `mixes` has, of each mix, the eighths of the activities as activity + 16 x (eighths - 1), until
 * these are eight.
 */
#include "rank-data.h"

#include "base64.h"
#include "memory.h"
#include "rank-page.h"

static size_t count_used(const struct rank_groups *groups)
{
	size_t count = 0;

	for (size_t i = 0; i < RANK_COLUMNS; i++)
		count += groups->used[i];
	return count;
}

static size_t count_threads(const struct rank_groups *groups)
{
	size_t count = 0;

	for (size_t i = 0; i < groups->ranks.count; i++)
		count += groups->ranks.sums[i].threads;
	return count;
}

bool rank_data_has_ranks(const struct rank_groups *groups)
{
	return groups->ranks.count * count_used(groups) <= RANK_PAGE_VALUES_MAX;
}

bool rank_data_has_threads(const struct rank_groups *groups)
{
	size_t threads = count_threads(groups);

	return threads > groups->ranks.count &&
	       threads * count_used(groups) <= RANK_PAGE_VALUES_MAX;
}

/* What a writer of numbers is about. */
struct block {
	const struct page *page;
	const struct rank_groups *groups;
	struct map place_of; /* by address of the label */
	struct base64 base64;
};

typedef void put_rank(struct block *block, size_t rank);

static void put(struct block *block, uint64_t number)
{
	base64_put_number(&block->base64, number);
}

static void put_number_of_rank(struct block *block, size_t rank)
{
	const size_t *numbers = block->groups->ranks.numbers;

	put(block, rank == 0 ? numbers[0] : numbers[rank] - numbers[rank - 1]);
}

/* What distinguishes the rank for people besides its number, or "". */
static const char *label_of(const struct block *block, size_t rank)
{
	const struct archive *archive = block->page->analysis->archive;
	const struct archive_group *group = &archive->groups[block->groups->ranks.numbers[rank]];

	return archive->has_mpi ? group->host : group->name;
}

static void put_place(struct block *block, size_t rank)
{
	const char *label = label_of(block, rank);

	put(block, label[0] ? map_find(&block->place_of, (uintptr_t)label) : 0);
}

static void put_thread_count(struct block *block, size_t rank)
{
	put(block, block->groups->ranks.sums[rank].threads);
}

static void put_group(struct block *block, size_t rank)
{
	put(block, block->groups->clusters.of[rank]);
}

static void put_times(struct block *block, const uint64_t times[RANK_PARTS], uint64_t idle)
{
	for (size_t i = 0; i < RANK_COLUMNS; i++) {
		if (block->groups->used[i])
			put(block, analysis_nanoseconds(
				       block->page->analysis, i < RANK_PARTS ? times[i] : idle));
	}
}

static void put_rank_times(struct block *block, size_t rank)
{
	const struct rank_sum *sum = &block->groups->ranks.sums[rank];

	put_times(block, sum->times, sum->idle);
}

static void put_thread_times(struct block *block, size_t rank)
{
	const struct rank_sum *sum = &block->groups->ranks.sums[rank];

	for (size_t i = sum->first; i < sum->first + sum->threads; i++) {
		struct rank_thread thread = ranks_thread(block->page->analysis, i);
		uint64_t times[RANK_PARTS];

		rank_part_times(&thread, times);
		put_times(block, times, thread.idle);
	}
}

static void put_row(struct block *block, size_t rank)
{
	const struct rank_rows *rows = &block->groups->rows;
	const uint32_t *cells = &rows->cells[block->groups->row_of[rank] * rows->steps];

	for (size_t begin = 0, end; begin < rows->steps; begin = end) {
		for (end = begin + 1; end < rows->steps && cells[end] == cells[begin];)
			end++;
		put(block, cells[begin] + 1);
		/* A repetition takes two bytes. */
		if (end - begin > 3) {
			put(block, 0);
			put(block, end - begin - 1);
		} else {
			for (size_t i = begin + 1; i < end; i++)
				put(block, cells[begin] + 1);
		}
	}
}

static void put_ranks(
    struct json_writer *json, const char *key, struct block *block, put_rank *put_one)
{
	block->base64 = (struct base64){json->out};
	json_begin_line(json);
	json_open_text(json, key);
	for (size_t i = 0; i < block->groups->ranks.count; i++)
		put_one(block, i);
	base64_end(&block->base64);
	json_close_text(json);
}

/* Writes the texts in brackets, each once, and numbers them. */
static void put_labels(struct json_writer *json, struct block *block)
{
	uint64_t count = 0;

	json_begin_line(json);
	json_open_array(json, "labels");
	for (size_t i = 0; i < block->groups->ranks.count; i++) {
		const char *label = label_of(block, i);

		if (!label[0] || map_find(&block->place_of, (uintptr_t)label) != MAP_NONE)
			continue;
		memory_map_set(&block->place_of, (uintptr_t)label, ++count);
		page_put_name(json, memory_copy_text(label));
	}
	json_close_array(json);
}

static void put_mixes(struct json_writer *json, const struct rank_rows *rows)
{
	struct base64 base64 = {json->out};

	json_begin_line(json);
	json_open_text(json, "mixes");
	for (size_t i = 0; i < rows->mix_count; i++) {
		for (unsigned activity = 0; activity < ACTIVITIES; activity++) {
			unsigned parts = rows->mixes[i].parts[activity];

			if (parts > 0)
				base64_put(&base64, activity | (parts - 1) << 4);
		}
	}
	base64_end(&base64);
	json_close_text(json);
}

/* Writes the titles and colours of the parts, and which of them says who is slow. */
static void put_parts(struct json_writer *json, const struct rank_groups *groups)
{
	uint64_t place = 0, pace = 0;

	json_begin_line(json);
	json_open_array(json, "parts");
	for (size_t i = 0; i < RANK_COLUMNS; i++) {
		if (!groups->used[i])
			continue;
		pace = i == (size_t)groups->pace ? place : pace;
		place++;
		json_open_array(json, NULL);
		json_put_text(json, NULL, rank_column(i)->title);
		json_put_text(json, NULL, rank_column(i)->css);
		json_close_array(json);
	}
	json_close_array(json);
	json_put_number(json, "pace", pace);
}

static void put_run(struct json_writer *json, const struct page *page)
{
	const struct analysis *analysis = page->analysis;
	const struct timeline *timeline = analysis->timeline;
	const struct archive *archive = analysis->archive;

	json_put_text(json, "archive", archive->path);
	json_put_text(json, "one", archive->has_mpi ? "rank" : "process");
	json_put_text(json, "several", archive->has_mpi ? "ranks" : "processes");
	json_put_number(json, "wall",
	    analysis_nanoseconds(analysis, analysis->last_time - analysis->first_time));
	json_put_number(
	    json, "begin", analysis_nanoseconds(analysis, timeline->start - archive->clock_start));
	json_put_number(json, "length", analysis_nanoseconds(analysis, timeline->length));
	json_put_number(json, "steps", timeline->bins);
}

void rank_data_write(const struct page *page, const struct rank_groups *groups)
{
	struct block block = {.page = page, .groups = groups};
	struct json_writer json;

	if (!rank_data_has_ranks(groups))
		return;
	fputs("<script type=\"application/json\" id=\"rank-data\">", page->out);
	json_start(&json, page->out, 0);
	json.compact = true;
	json_open_object(&json, NULL);
	put_run(&json, page);
	page_put_activities(&json, page);
	put_parts(&json, groups);
	put_labels(&json, &block);
	put_ranks(&json, "numbers", &block, put_number_of_rank);
	put_ranks(&json, "places", &block, put_place);
	put_ranks(&json, "threads", &block, put_thread_count);
	put_ranks(&json, "groups", &block, put_group);
	put_ranks(&json, "times", &block, put_rank_times);
	if (rank_data_has_threads(groups))
		put_ranks(&json, "thread_times", &block, put_thread_times);
	put_mixes(&json, &groups->rows);
	put_ranks(&json, "rows", &block, put_row);
	json_close_object(&json);
	fputs("</script>\n", page->out);
	map_free(&block.place_of);
}
