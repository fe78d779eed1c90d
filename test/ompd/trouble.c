/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Callbacks that fail, at each call in turn, and targets whose memory is damaged. Whatever happens:
 * no result is touched, no memory is lost, reads stay few and small, and the call returns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum {
	WALKS = 100000,
	MOST_READS = 1 << 18,   /* of one call */
	LARGEST_READ = 1 << 16, /* of a walk over all tasks; 4096 otherwise */
	LARGEST_BLOCK = 1 << 20
};

/*
 * Callback n of a function fails with `code`, or all from n on do. The code must come back; a read
 * error that does not stay may be made good by reading less.
 */
static void test_failure(
    const struct scene *scene, const struct call *call, long n, ompd_rc_t code, ompd_rc_t sound)
{
	for (int stays = 0; stays < 2; stays++) {
		long live;
		ompd_rc_t rc;
		fake_reset();
		live = fake.live_blocks;
		fake.fail_at = n;
		fake.stays = stays;
		fake.failure = code;
		rc = call->run(scene);
		if (rc != code && !(!stays && code == ompd_rc_device_read_error && rc == sound))
			fail("%s: callback %ld returned %d, the function %d", call->name, n, code,
			    rc);
		if (fake.live_blocks != live)
			fail("%s: callback %ld failed, %ld blocks were lost", call->name, n,
			    fake.live_blocks - live);
	}
}

static void test_failures(const struct scene *scene)
{
	static const ompd_rc_t codes[] = {
	    ompd_rc_nomem, ompd_rc_device_read_error, ompd_rc_callback_error};

	for (size_t i = 0; i < call_count; i++) {
		long calls_needed;
		ompd_rc_t sound;
		fake_reset();
		sound = calls[i].run(scene);
		calls_needed = fake.calls;
		for (long n = 1; n <= calls_needed; n++)
			for (int j = 0; j < 3; j++)
				test_failure(scene, &calls[i], n, codes[j], sound);
		if (calls_needed == 0 && strcmp(calls[i].name, "omp_version") != 0)
			fail("%s: called no callback", calls[i].name);
	}
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	return *state ^= *state << 5;
}

/* Values that hurt: pointers into the image, edges, sizes, and noise. */
static uint64_t nasty_value(uint32_t *state)
{
	uint32_t choice = next_random(state) % 6, value = next_random(state);

	switch (choice) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return value;
	case 3:
		return (uint64_t)value << 32 | value;
	case 4:
		return value % 64;
	default:
		return IMAGE_BASE + value % IMAGE_BYTES / 16 * 16;
	}
}

static void damage(struct fake_target *target, uint32_t *state)
{
	uint32_t places = 1 + next_random(state) % 12;

	while (places-- > 0) {
		uint64_t value = nasty_value(state);
		size_t at = next_random(state) % (target->used - 8) / 4 * 4;
		/* Most of the image is zero; the other parts matter more. */
		while (value % 4 != 0 && target->memory[at] == 0 && at + 12 < target->used)
			at += 4;
		memcpy(&target->memory[at], &value, sizeof(value));
	}
}

static void check_bounds(const char *name, unsigned round)
{
	if (fake.reads > MOST_READS || fake.largest_read > LARGEST_READ ||
	    fake.largest_block > LARGEST_BLOCK || fake.fault != NULL)
		fail("%s: round %u: %ld reads, largest %llu; largest block %llu; %s", name, round,
		    fake.reads, (unsigned long long)fake.largest_read,
		    (unsigned long long)fake.largest_block, fake.fault ? fake.fault : "no fault");
}

/* The handles are of the sound target, or made again from the damaged one. */
static long test_damage(struct scene *scene, unsigned round, uint32_t *state)
{
	static struct fake_target sound;
	struct scene damaged;
	long live, walks = 0;

	sound = *scene->target;
	live = fake.live_blocks;
	damage(scene->target, state);
	fake_reset();
	scene_open(&damaged, scene->target);
	scene_close(&damaged);
	for (size_t i = 0; i < call_count; i++, walks++) {
		fake_reset();
		calls[i].run(scene);
		check_bounds(calls[i].name, round);
	}
	if (fake.live_blocks != live)
		fail("round %u: %ld blocks were lost", round, fake.live_blocks - live);
	*scene->target = sound;
	return walks;
}

int main(int count, char **arguments)
{
	static struct fake_target target;
	uint32_t seed = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 0) : 20111;
	uint32_t state = seed | 1;
	unsigned round = 0;

	EXPECT(ompd_initialize(202111, &fake_callbacks) == ompd_rc_ok);
	for (int i = 0; i < FAKE_SHAPES; i++) {
		struct scene scene;
		long walks = 0;
		fake_target_make(&target, fake_shapes[i]);
		if (!scene_open(&scene, &target))
			fail("%s: the scene has no handles", fake_shapes[i].name);
		else
			test_failures(&scene);
		while (result() == 0 && walks < WALKS / FAKE_SHAPES)
			walks += test_damage(&scene, round++, &state);
		scene_close(&scene);
		if (fake.live_blocks != 0)
			fail("%s: %ld blocks were lost", fake_shapes[i].name, fake.live_blocks);
	}
	EXPECT(ompd_finalize() == ompd_rc_ok);
	if (result() != 0)
		fprintf(stderr, "seed %u\n", seed);
	return result();
}
