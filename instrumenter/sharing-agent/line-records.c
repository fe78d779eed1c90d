/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who sees what: a share belongs to its thread. An epoch's counts of other threads are read only
 * under the record's lock by a thread that is in a later epoch, and so has passed a barrier that
 * they have arrived at; where teams without a common barrier use one line, and when the program
 * ends, a count can miss what its thread is just adding.
 */
#include "line-records.h"

#include "first-touch.h"
#include "record-memory.h"

#include <string.h>

enum {
	MOST_SHARES = 64,
	LEAST_PART = 64,
	LONGEST_INTERVAL = 1 << 20, /* ticks: less than a millisecond */
	SELDOM = 4                  /* reads for a write */
};

static _Atomic(struct line_record *) newest;
static _Atomic uint64_t record_count, refused_count;

uint64_t bytes_of_words(uint64_t words)
{
	uint64_t bytes = 0;

	for (unsigned word = 0; word < RECORD_WORDS; word++)
		if ((words >> word & 1) != 0)
			bytes |= UINT64_C(0xf) << word * SHARING_WORD_BYTES;
	return bytes;
}

static uint64_t bytes_of(const struct noted_access *access)
{
	const uint64_t ones =
	    access->size >= SHARING_LINE_BYTES ? ~UINT64_C(0) : (UINT64_C(1) << access->size) - 1;

	return ones << access->address % SHARING_LINE_BYTES;
}

static struct line_share *new_share(struct line_record *record, uint32_t thread, int32_t member)
{
	struct line_share *share = record_memory_take(sizeof *share);

	if (share == NULL)
		return NULL;
	share->thread = thread;
	share->member = member;
	share->next = load_relaxed(&record->shares);
	store_release(&record->shares, share);
	return share;
}

/* What the state had counted, spread evenly over the words that it names. */
static void add_earlier(
    struct line_share *share, uint32_t epoch, const struct earlier_share *earlier)
{
	const uint64_t words = earlier->read | earlier->written;
	const unsigned count = (unsigned)__builtin_popcountll(words);
	const uint64_t each = earlier->accesses / (count > 0 ? count : 1) + 1;

	share->epoch = epoch;
	share->earlier = earlier->accesses;
	share->of_tasks = earlier->in_tasks ? earlier->accesses : 0;
	/* In the first of neighbouring words, as an access of several words is counted. */
	for (unsigned word = 0, first = 0; word < RECORD_WORDS; word++) {
		const bool is_written = (earlier->written >> word & 1) != 0;
		if (!is_written && (earlier->read >> word & 1) == 0)
			continue;
		if (word == 0 || (words >> (word - 1) & 1) == 0 ||
		    ((earlier->written >> (word - 1) & 1) != 0) != is_written)
			first = word;
		if (is_written)
			share->writes[first] += (uint32_t)each;
		else
			share->reads[first] += (uint32_t)each;
	}
	share->around_read = bytes_of_words(earlier->read);
	share->around_written = bytes_of_words(earlier->written);
	store_relaxed(&share->own_read, share->around_read);
	store_relaxed(&share->own_written, share->around_written);
	if (!earlier->has_parts) {
		share->bytes_read = share->around_read;
		share->bytes_written = share->around_written;
	}
	share->sites[0] =
	    (struct share_site){earlier->place, earlier->written == 0 ? earlier->accesses : 0,
		earlier->written != 0 ? earlier->accesses : 0};
}

struct line_record *line_record_new(
    uintptr_t address, uint32_t epoch, const struct earlier_share *earlier)
{
	struct line_record *record = record_memory_take(sizeof *record);

	if (record == NULL) {
		add_relaxed(&refused_count, 1);
		return NULL;
	}
	record->address = address & -(uintptr_t)SHARING_LINE_BYTES;
	record->epoch = epoch;
	heap_block_find(address, &record->block);
	struct line_share *share =
	    new_share(record, earlier->thread, noting_member_of(earlier->thread));
	if (share != NULL)
		add_earlier(share, epoch, earlier);
	if (earlier->in_tasks)
		store_relaxed(&record->last, share);
	add_relaxed(&record_count, 1);
	record->next = load_relaxed(&newest);
	while (!exchange_if_release(&newest, &record->next, record))
		;
	return record;
}

/* It stays in the list, without a line that leads to it: nothing was shared. */
void line_record_free(struct line_record *record)
{
	if (record != NULL)
		store_relaxed(&record->shares, NULL);
}

/* An epoch's sums of some threads, of which the line can have changed from one to another. */
struct traffic {
	uint64_t sum, most, writes, threads;
	uint64_t of_tasks, changes, same_changes;
};

static void add_traffic(struct traffic *traffic, uint64_t reads, uint64_t writes)
{
	const uint64_t all = reads + writes;

	if (all == 0)
		return;
	traffic->sum += all;
	traffic->most = all > traffic->most ? all : traffic->most;
	traffic->writes += writes;
	traffic->threads++;
}

/* Tasks may be ordered: only those changes that were seen count. */
static bool is_of_tasks(const struct traffic *traffic)
{
	return traffic->of_tasks * 2 > traffic->sum;
}

/* The most changes that the accesses allow: each needs a write by one of the two threads. */
static uint64_t transfers_of(const struct traffic *traffic)
{
	const uint64_t others = traffic->sum - traffic->most;
	const uint64_t by_order = others >= traffic->most ? traffic->sum : 2 * others;
	const uint64_t by_writes = traffic->writes * traffic->threads;
	const uint64_t most = by_order < by_writes ? by_order : by_writes;

	return is_of_tasks(traffic) && traffic->changes < most ? traffic->changes : most;
}

/* How many of the transfers of tasks are for bytes that the owner before used, too. */
static uint64_t true_changes_of(const struct traffic *traffic, uint64_t transfers)
{
	return traffic->changes > 0 ? transfers * traffic->same_changes / traffic->changes : 0;
}

/* The bytes that one of the threads wrote and another one used. */
static uint64_t common_bytes_of(struct line_share *const *shares, size_t count)
{
	uint64_t common = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = i + 1; j < count; j++)
			common |= (shares[i]->bytes_written &
				      (shares[j]->bytes_read | shares[j]->bytes_written)) |
				  (shares[j]->bytes_written & shares[i]->bytes_read);
	return common;
}

static void add_times(struct line_record *record, const struct line_share *share)
{
	record->ticks += share->ticks;
	record->calls += share->calls;
	record->timed += share->timed;
}

/* Sums up the share's epoch. */
static void take_share(
    struct line_record *record, struct line_share *share, struct traffic *traffic)
{
	uint64_t reads = 0, writes = 0;

	for (unsigned word = 0; word < RECORD_WORDS; word++) {
		reads += share->reads[word];
		writes += share->writes[word];
		if (share->reads[word] / SELDOM > share->writes[word])
			share->all_seldom += share->reads[word];
	}
	add_traffic(traffic, reads, writes);
	traffic->of_tasks += share->of_tasks;
	traffic->changes += share->changes;
	traffic->same_changes += share->same_changes;
	share->all_reads += reads;
	share->all_writes += writes;
	share->all_atomics += share->atomics;
	add_times(record, share);
}

/* Adds the share's accesses to one word, of the earlier ones all that it can have made. */
static void add_word(struct traffic *traffic, const struct line_share *share, unsigned word)
{
	const uint64_t bytes = UINT64_C(0xf) << word * SHARING_WORD_BYTES;
	const bool writes = (share->around_written & bytes) != 0;
	const bool reads = (share->around_read & bytes) != 0 && !writes;

	add_traffic(traffic, share->reads[word] + (reads ? share->earlier : 0),
	    share->writes[word] + (writes ? share->earlier : 0));
}

/* Each word by itself: a few reads of a word that another thread writes often make few transfers.
 */
static uint64_t true_transfers_of(struct line_share *const *shares, size_t count, uint64_t common)
{
	uint64_t transfers = 0;

	for (unsigned word = 0; word < RECORD_WORDS; word++) {
		struct traffic traffic = {0};
		if ((common >> word * SHARING_WORD_BYTES & 0xf) == 0)
			continue;
		for (size_t i = 0; i < count; i++)
			add_word(&traffic, shares[i], word);
		transfers += transfers_of(&traffic);
	}
	return transfers;
}

/* The bytes of words that have a part of the accesses; those of an access are counted in the first
 * of its words. */
static uint64_t frequent_bytes(const uint32_t *counts, uint64_t bytes)
{
	const uint64_t word_bytes = 0xf;
	uint64_t sum = 0, frequent = 0;
	bool is_frequent = false;

	for (unsigned word = 0; word < RECORD_WORDS; word++)
		sum += counts[word];
	for (unsigned word = 0; word < RECORD_WORDS; word++) {
		if (counts[word] > 0)
			is_frequent = counts[word] >= sum / LEAST_PART;
		if (is_frequent)
			frequent |= word_bytes << word * SHARING_WORD_BYTES;
	}
	return bytes & frequent;
}

/* Adds the bytes that the shares use often: a finding is about these. */
static void add_bytes(
    struct line_record *record, struct line_share *const *shares, size_t count, uint64_t most)
{
	struct line_share *main[MOST_SHARES];
	size_t mains = 0;

	for (size_t i = 0; i < count; i++) {
		struct line_share *share = shares[i];
		uint64_t accesses = 0;
		for (unsigned word = 0; word < RECORD_WORDS; word++)
			accesses += share->reads[word] + share->writes[word];
		share->bytes_read = frequent_bytes(share->reads, share->bytes_read);
		share->bytes_written = frequent_bytes(share->writes, share->bytes_written);
		share->all_bytes_read |=
		    share->bytes_read | frequent_bytes(share->reads, share->around_read);
		share->all_bytes_written |=
		    share->bytes_written | frequent_bytes(share->writes, share->around_written);
		if (accesses >= most / LEAST_PART)
			main[mains++] = share;
	}
	record->common_bytes |= common_bytes_of(main, mains);
}

/* The shares of the record's epoch; returns how many. */
static size_t shares_of_epoch(const struct line_record *record, struct line_share **shares)
{
	size_t count = 0;

	for (struct line_share *share = load_acquire(&record->shares);
	     share != NULL && count < MOST_SHARES; share = share->next)
		if (share->epoch == record->epoch &&
		    (share->bytes_read | share->bytes_written | share->around_read |
			share->around_written) != 0)
			shares[count++] = share;
	return count;
}

/* Ends the record's epoch. Under its lock. */
static void judge_epoch(struct line_record *record)
{
	struct line_share *shares[MOST_SHARES];
	const size_t count = shares_of_epoch(record, shares);
	struct traffic all = {0};
	uint64_t written = 0;

	for (size_t i = 0; i < count; i++)
		written |= shares[i]->bytes_written | shares[i]->around_written;
	if (count > 1 && written != 0) {
		const uint64_t common = common_bytes_of(shares, count);
		for (size_t i = 0; i < count; i++)
			take_share(record, shares[i], &all);
		const uint64_t transfers = transfers_of(&all);
		const uint64_t truly = is_of_tasks(&all) ? true_changes_of(&all, transfers)
							 : true_transfers_of(shares, count, common);
		record->true_transfers += truly < transfers ? truly : transfers;
		record->false_transfers += truly < transfers ? transfers - truly : 0;
		record->accesses += all.sum;
		add_bytes(record, shares, count, all.most);
		record->epochs++;
	}
	for (size_t i = 0; i < count; i++) {
		memset(shares[i]->reads, 0, sizeof shares[i]->reads);
		memset(shares[i]->writes, 0, sizeof shares[i]->writes);
		shares[i]->bytes_read = shares[i]->bytes_written = 0;
		shares[i]->around_read = shares[i]->around_written = shares[i]->earlier = 0;
		shares[i]->of_tasks = shares[i]->changes = shares[i]->same_changes = 0;
		shares[i]->atomics = 0;
	}
}

/* Counts an access at its place; a place that is rarer than others may be left out. */
static void add_site(struct line_share *share, const struct noted_access *access, uint64_t weight)
{
	struct share_site *rarest = &share->sites[0];

	for (size_t i = 0; i < RECORD_SITES; i++) {
		struct share_site *site = &share->sites[i];
		if (site->place == access->place || site->place == 0) {
			rarest = site;
			break;
		}
		if (site->reads + site->writes < rarest->reads + rarest->writes)
			rarest = site;
	}
	if (rarest->place != access->place && rarest->reads + rarest->writes > weight)
		return;
	if (rarest->place != access->place)
		*rarest = (struct share_site){.place = access->place};
	if (access->writes)
		rarest->writes += weight;
	else
		rarest->reads += weight;
}

/* Has the last owner used bytes that the one before it had used, too, one of them writing? */
static bool were_same(struct line_share *last)
{
	const uint64_t read = load_relaxed(&last->own_read);
	const uint64_t written = load_relaxed(&last->own_written);
	const uint64_t before_read = load_relaxed(&last->before_read);
	const uint64_t before_written = load_relaxed(&last->before_written);

	return ((written & (before_read | before_written)) | (read & before_written)) != 0;
}

/*
 * Sees whether another thread's task has used the line meanwhile: then what that one has used since
 * it took the line over is known, and so why it did.
 *
 * Who sees what: the share of the last owner is released with `last` and acquired here. Its masks
 * are relaxed, so that a byte may be missed which it uses at this moment.
 */
static void note_task(
    struct line_record *record, struct line_share *share, const struct noted_access *access)
{
	struct line_share *last = load_acquire(&record->last);
	_Atomic uint64_t *own = access->writes ? &share->own_written : &share->own_read;

	share->of_tasks++;
	if (last != share) {
		if (last != NULL) {
			share->same_changes += were_same(last);
			store_relaxed(&share->before_read, load_relaxed(&last->own_read));
			store_relaxed(&share->before_written, load_relaxed(&last->own_written));
		}
		store_relaxed(&share->own_read, 0);
		store_relaxed(&share->own_written, 0);
		store_release(&record->last, share);
		share->changes++;
	}
	const uint64_t bytes = load_relaxed(own) | bytes_of(access);
	if (bytes != load_relaxed(own))
		store_relaxed(own, bytes);
}

static void set_mark(const struct noting_thread *self, struct line_share *share, uint64_t tick)
{
	share->mark_tick = tick;
	share->mark_calls = load_relaxed(&self->calls);
	share->mark_counted = share->counted;
}

/* From sample to sample; a longer time is one during which the thread did not run. */
static void add_interval(const struct noting_thread *self, struct line_share *share)
{
	const uint64_t tick = counter_read();

	if (tick - share->mark_tick < LONGEST_INTERVAL) {
		share->ticks += tick - share->mark_tick;
		share->timed += share->counted - share->mark_counted;
		share->calls += load_relaxed(&self->calls) - share->mark_calls;
	}
	set_mark(self, share, tick);
}

static void enter_epoch(struct noting_thread *self, struct line_record *record,
    struct line_share *share, const struct noted_access *access)
{
	spin_lock_take(&record->lock);
	if (record->epoch != self->epoch) {
		judge_epoch(record);
		record->epoch = self->epoch;
	}
	spin_lock_give(&record->lock);
	/* In the same epoch it is what the line's state had counted: that remains. */
	if (share->epoch != self->epoch) {
		share->bytes_read = share->bytes_written = 0;
		share->around_read = share->around_written = share->earlier = 0;
	}
	share->epoch = self->epoch;
	share->ticks = share->timed = share->calls = share->counted = 0;
	set_mark(self, share, counter_read());
	if (share->member < 0)
		share->member = self->member;
	add_site(share, access, 1);
}

/* The thread's share, which is made if it has none; NULL: there is no memory. */
static struct line_share *find_share(struct noting_thread *self, struct line_record *record)
{
	const uint32_t number = (uint32_t)(self->tag >> THREAD_SHIFT & LINE_SEVERAL);
	struct cached_share *cached =
	    &self->cache[record->address / SHARING_LINE_BYTES % CACHED_SHARES];
	struct line_share *share = load_acquire(&record->shares);

	if (cached->record == record)
		return cached->share;
	while (share != NULL && share->thread != number)
		share = share->next;
	if (share == NULL) {
		spin_lock_take(&record->lock);
		share = new_share(record, number, self->member);
		spin_lock_give(&record->lock);
	}
	if (share != NULL)
		*cached = (struct cached_share){record, share};
	return share;
}

/* Counts the sample as a use of its page. */
static void note_use(struct noting_thread *self, const struct line_record *record,
    const struct line_share *own, const struct noted_access *access)
{
	bool is_shared = false;

	for (const struct line_share *share = load_acquire(&record->shares); share != NULL;
	     share = share->next)
		is_shared |= share != own && share->epoch == self->epoch;
	first_touch_use(self,
	    &(struct touch_access){access->address, access->place, access->writes, is_shared});
}

void line_record_note(
    struct noting_thread *self, struct line_record *record, const struct noted_access *access)
{
	struct line_share *share = find_share(self, record);
	const unsigned word = access->address / SHARING_WORD_BYTES % RECORD_WORDS;

	if (share == NULL)
		return;
	if (share->epoch != self->epoch || share->mark_tick == 0)
		enter_epoch(self, record, share, access);
	if (access->writes) {
		share->writes[word]++;
		share->atomics += self->in_atomic;
		share->bytes_written |= bytes_of(access);
	} else {
		share->reads[word]++;
		share->bytes_read |= bytes_of(access);
	}
	share->counted++;
	if (self->is_in_task)
		note_task(record, share, access);
	if (--self->countdown == 0) {
		add_site(share, access, self->period);
		note_use(self, record, share, access);
		noting_thread_sampled(self);
		add_interval(self, share);
	}
}

const struct line_record *line_records_all(void)
{
	struct line_record *all = load_acquire(&newest);

	for (struct line_record *record = all; record != NULL; record = record->next) {
		spin_lock_take(&record->lock);
		judge_epoch(record);
		spin_lock_give(&record->lock);
	}
	return all;
}

uint64_t line_records_count(void)
{
	return load_relaxed(&record_count);
}

uint64_t line_records_refused(void)
{
	return load_relaxed(&refused_count);
}
