/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a profile from memory that cannot be trusted: `hostile-profile LIBPOMP PID ROUNDS`. What is
 * read of the process is now and then replaced by random bytes, by a few changed bits, by an
 * address of another place, or fails. Each read has to end with bounded reads, and its result must
 * be printable; once reads are sound again, the profile is as it was. If threads end at each
 * attempt, there is no profile, because sums could be missing.
 */
#include "measured-process.h"

#include "shared/debug-fields.h"
#include "shared/profile-fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*sound_fetch)(
    const struct target_memory *memory, uint64_t address, void *buffer, size_t bytes);
static uint32_t random_state = 20;
static uint32_t odds; /* one read in so many is bad */
static uint64_t fetches;
static int failures;

static uint32_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	return random_state ^= random_state << 5;
}

static void check(bool holds, const char *what, uint64_t value)
{
	if (!holds && failures++ < 20)
		fprintf(stderr, "%s: %llu\n", what, (unsigned long long)value);
}

static int bad_fetch(
    const struct target_memory *memory, uint64_t address, void *buffer, size_t bytes)
{
	unsigned char *to = buffer;
	int problem = sound_fetch(memory, address, buffer, bytes);

	fetches++;
	if (problem != 0 || bytes == 0 || next_random() % odds != 0)
		return problem;
	switch (next_random() % 4) {
	case 0:
		return EFAULT;
	case 1:
		for (size_t i = 0; i < bytes; i++)
			to[i] = (unsigned char)next_random();
		break;
	case 2:
		for (int i = 0; i < 8; i++)
			to[next_random() % bytes] ^= (unsigned char)(1u << next_random() % 8);
		break;
	default:
		for (size_t i = 0; i + sizeof address <= bytes; i += sizeof address)
			memcpy(to + i, &address, sizeof address);
		break;
	}
	return 0;
}

/* Returns how many samples there are. */
static uint64_t look_at_samples(
    const struct profile_library *library, struct target_memory *memory, uint64_t table)
{
	struct live_samples samples;
	uint64_t sum = 0;

	fetches = 0;
	enum live_result result = measured_read_samples(library, memory, table, &samples);
	check(fetches < 1 << 22, "reads of samples", fetches);
	if (result != LIVE_READ)
		return 0;
	for (size_t i = 0; i < samples.count; i++)
		sum += samples.items[i].count;
	library->functions->release_samples(&samples);
	return sum;
}

/* Returns the visits of all regions, or 0. */
static uint64_t look(
    const struct profile_library *library, struct target_memory *memory, uint64_t table)
{
	struct live_profile profile;
	struct place_names names;
	uint64_t visits = 0;
	FILE *nowhere = fopen("/dev/null", "w");

	fetches = 0;
	place_names_init(&names, NULL, 1);
	enum live_result result = measured_read(library, memory, &names, table, &profile);
	place_names_finish(&names);
	if (nowhere == NULL || result != LIVE_READ) {
		check(nowhere != NULL && fetches < 1 << 22, "reads without a result", fetches);
		if (nowhere != NULL)
			fclose(nowhere);
		return 0;
	}
	check(fetches < 1 << 22, "reads", fetches);
	for (size_t i = 0; i < profile.summary.region_count; i++)
		visits += profile.summary.regions[i].visits;
	for (enum summary_format form = SUMMARY_TEXT; form <= SUMMARY_OPENMETRICS; form++)
		summary_print(nowhere, &profile.summary, form, 80, 0);
	library->functions->release(&profile);
	fclose(nowhere);
	return visits;
}

#define PLACE_OF(root) PLACE_##root,
enum { POMP_DEBUG_ROOTS(PLACE_OF) };
#undef PLACE_OF

static uint64_t threads_place;

/* What is counted of threads grows from read to read; the lists of threads stay. */
static int restless_fetch(
    const struct target_memory *memory, uint64_t address, void *buffer, size_t bytes)
{
	int problem = sound_fetch(memory, address, buffer, bytes);
	uint64_t word;

	fetches++;
	for (size_t i = 2 * sizeof word;
	     problem == 0 && address == threads_place && i + sizeof word <= bytes;
	     i += sizeof word) {
		memcpy(&word, (char *)buffer + i, sizeof word);
		word += fetches;
		memcpy((char *)buffer + i, &word, sizeof word);
	}
	return problem;
}

static void check_restless(
    const struct profile_library *library, struct target_memory *memory, uint64_t table)
{
	struct place_names names;
	struct live_profile profile;
	uint64_t root =
	    table + sizeof(struct rt_debug_header) + PLACE_pomp_threads * sizeof(uint64_t);

	place_names_init(&names, NULL, 1);
	target_memory_begin(memory);
	check(target_memory_read(memory, root, &threads_place, sizeof threads_place),
	    "cannot read the root at", root);
	memory->fetch = restless_fetch;
	enum live_result result = measured_read(library, memory, &names, table, &profile);
	check(result == LIVE_UNSTEADY, "while threads end", result);
	if (result == LIVE_READ)
		library->functions->release(&profile);
	memory->fetch = sound_fetch;
}

int main(int count, char **words)
{
	struct profile_library library;
	struct target_memory memory;
	struct loaded_modules modules;
	char *error = NULL;

	if (count != 4 || !profile_library_open(&library, words[1], &error) ||
	    !target_memory_init(&memory, (pid_t)atol(words[2])) ||
	    modules_read(memory.process, &modules) != 0) {
		fprintf(stderr, "expected LIBPOMP PID ROUNDS: %s\n", error != NULL ? error : "");
		return 2;
	}
	uint64_t table = measured_table(&memory, &modules);
	uint64_t visits = look(&library, &memory, table);
	check(visits > 0, "visits", visits);
	uint64_t sampled = look_at_samples(&library, &memory, table);
	check(sampled > 0, "samples", sampled);
	sound_fetch = memory.fetch;
	check_restless(&library, &memory, table);
	memory.fetch = bad_fetch;
	for (int round = 0; round < atoi(words[3]); round++) {
		odds = 1u << next_random() % 12;
		look(&library, &memory, table);
		look_at_samples(&library, &memory, table);
	}
	memory.fetch = sound_fetch;
	uint64_t after = look(&library, &memory, table);
	check(after == visits, "visits afterwards", after);
	after = look_at_samples(&library, &memory, table);
	check(after == sampled, "samples afterwards", after);
	modules_finish(&modules);
	target_memory_finish(&memory);
	profile_library_close(&library);
	return failures != 0;
}
