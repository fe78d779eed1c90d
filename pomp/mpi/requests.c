/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of requests. It has parts with a lock each, so that threads seldom wait for each other.
 * A part keeps the memory of its requests for reuse. This is not the shared hash map: a field of
 * the request links it into the list of its slot, so putting one back needs no memory and cannot
 * fail.
 */
#include "requests.h"

#include "pomp-atomics.h"

#include "shared/processor.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { PARTS = 64, SLOTS = 64 };

static struct part {
	pthread_mutex_t lock;
	struct mpi_request *slot[SLOTS];
	struct mpi_request *spare;
} __attribute__((aligned(PROCESSOR_APART)))
parts[PARTS] = {[0 ... PARTS - 1] = {PTHREAD_MUTEX_INITIALIZER}};

static uint64_t hash_of(uint64_t handle)
{
	return (handle * UINT64_C(0x9e3779b97f4a7c15)) >> 40;
}

static struct part *part_of(uint64_t handle)
{
	return &parts[hash_of(handle) % PARTS];
}

static struct mpi_request **slot_of(struct part *part, uint64_t handle)
{
	return &part->slot[hash_of(handle) / PARTS % SLOTS];
}

uint64_t mpi_request_number(void)
{
	static _Atomic uint64_t last;

	return fetch_add_relaxed(&last, 1) + 1;
}

void mpi_request_add(uint64_t handle, const struct mpi_request *request)
{
	struct part *part = part_of(handle);

	pthread_mutex_lock(&part->lock);
	struct mpi_request *added = part->spare;
	if (added != NULL)
		part->spare = added->next;
	else
		added = malloc(sizeof(*added));
	if (added != NULL) {
		struct mpi_request **slot = slot_of(part, handle);
		*added = *request;
		added->handle = handle;
		added->next = *slot;
		*slot = added;
	}
	pthread_mutex_unlock(&part->lock);
}

struct mpi_request *mpi_request_take(uint64_t handle)
{
	struct part *part = part_of(handle);

	pthread_mutex_lock(&part->lock);
	struct mpi_request **place = slot_of(part, handle);
	while (*place != NULL && (*place)->handle != handle)
		place = &(*place)->next;
	struct mpi_request *taken = *place;
	if (taken != NULL)
		*place = taken->next;
	pthread_mutex_unlock(&part->lock);
	return taken;
}

void mpi_request_put_back(struct mpi_request *request)
{
	struct part *part = part_of(request->handle);

	pthread_mutex_lock(&part->lock);
	struct mpi_request **slot = slot_of(part, request->handle);
	request->next = *slot;
	*slot = request;
	pthread_mutex_unlock(&part->lock);
}

void mpi_request_release(struct mpi_request *request)
{
	struct part *part = part_of(request->handle);

	pthread_mutex_lock(&part->lock);
	request->next = part->spare;
	part->spare = request;
	pthread_mutex_unlock(&part->lock);
}
