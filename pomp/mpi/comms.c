/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The communicators' table. A communicator needs a name that is the same at all its members, and
 * they should not have to talk about it: all members of a parent make their calls on it in the same
 * order, so (parent, number of the call, world rank of the child's first member) is one. Where that
 * order does not exist the first member tells the others.
 *
 * A thread remembers the communicator that it used last. That holds until any communicator is
 * forgotten: `forgotten` counts (release after the removal, acquire before the memory is used).
 */
#include "comms.h"

#include "shared/ranks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SLOTS = 256 };

static struct {
	pthread_mutex_t lock;
	struct mpi_comm *slot[SLOTS]; /* by handle; under the lock */
	uint32_t count;               /* under the lock */
	uint32_t appeared;            /* names given by this rank; under the lock */
	_Atomic uint64_t forgotten;
	MPI_Group world_group;
	int world_rank;
	struct mpi_comm world, self;
} comms = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct {
	uint64_t handle, forgotten;
	const struct mpi_comm *comm;
} latest __attribute__((tls_model("initial-exec")));

int mpi_world_rank(void)
{
	return comms.world_rank;
}

static struct mpi_comm **slot_of(uint64_t handle)
{
	return &comms.slot[(handle ^ handle >> 4 ^ handle >> 12) % SLOTS];
}

static struct mpi_comm *look_up(uint64_t handle)
{
	struct mpi_comm *comm = *slot_of(handle);

	while (comm != NULL && comm->handle != handle)
		comm = comm->next;
	return comm;
}

const struct mpi_comm *mpi_comm_find(MPI_Comm comm)
{
	uint64_t handle = mpi_handle(comm);

	if (comm == MPI_COMM_WORLD)
		return &comms.world;
	if (comm == MPI_COMM_SELF)
		return &comms.self;
	uint64_t forgotten = atomic_load_explicit(&comms.forgotten, memory_order_acquire);
	if (latest.handle != handle || latest.forgotten != forgotten) {
		pthread_mutex_lock(&comms.lock);
		latest.comm = look_up(handle);
		pthread_mutex_unlock(&comms.lock);
		/* An unknown one may become known. */
		latest.handle = latest.comm != NULL ? handle : 0;
		latest.forgotten = forgotten;
	}
	return latest.comm;
}

/* Mixes all bits (the finaliser of splitmix64), and stays above the fixed identities. */
static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return (value ^ value >> 31) | UINT64_C(1) << 63;
}

/* World ranks of the group's first `count` members; false when one is of another world. */
static bool find_members(MPI_Comm comm, int count, uint32_t *members)
{
	int *ranks = malloc((size_t)count * 2 * sizeof(*ranks));
	bool known = ranks != NULL;
	MPI_Group group;

	if (ranks == NULL || PMPI_Comm_group(comm, &group) != MPI_SUCCESS) {
		free(ranks);
		return false;
	}
	for (int i = 0; i < count; i++)
		ranks[i] = i;
	known = PMPI_Group_translate_ranks(
		    group, count, ranks, comms.world_group, ranks + count) == MPI_SUCCESS;
	for (int i = 0; known && i < count; i++) {
		known = ranks[count + i] != MPI_UNDEFINED;
		members[i] = (uint32_t)ranks[count + i];
	}
	PMPI_Group_free(&group);
	free(ranks);
	return known;
}

static void define(struct mpi_comm *comm, uint64_t parent, MPI_Comm handle)
{
	struct trace_log_comm entry = {.identity = comm->identity,
	    .parent = parent,
	    .number = comm->number,
	    .is_self = handle == MPI_COMM_SELF};
	uint32_t *members = NULL;
	int rank, size;

	PMPI_Comm_rank(handle, &rank);
	PMPI_Comm_size(handle, &size);
	entry.size = (uint32_t)size;
	/* The world's members need no list, and a list of one's own would be different at each. */
	if (rank == 0 && handle != MPI_COMM_SELF && handle != MPI_COMM_WORLD) {
		members = malloc((size_t)size * sizeof(*members));
		if (members != NULL && find_members(handle, size, members))
			entry.member_count = (uint32_t)size;
	}
	pomp_rank_define(&entry, members);
	free(members);
}

static void add(MPI_Comm child, uint64_t identity, uint64_t parent)
{
	struct mpi_comm *comm = malloc(sizeof(*comm));

	if (comm == NULL)
		return;
	*comm = (struct mpi_comm){.handle = mpi_handle(child), .identity = identity};
	pthread_mutex_lock(&comms.lock);
	struct mpi_comm **slot = slot_of(comm->handle);
	comm->number = comms.count++;
	comm->next = *slot;
	define(comm, parent, child);
	*slot = comm;
	pthread_mutex_unlock(&comms.lock);
}

void mpi_comms_start(void)
{
	PMPI_Comm_group(MPI_COMM_WORLD, &comms.world_group);
	PMPI_Comm_rank(MPI_COMM_WORLD, &comms.world_rank);
	comms.world = (struct mpi_comm){.number = 0, .identity = TRACE_LOG_COMM_WORLD};
	comms.self = (struct mpi_comm){.number = 1, .identity = TRACE_LOG_COMM_SELF};
	comms.count = 2;
	define(&comms.world, 0, MPI_COMM_WORLD);
	define(&comms.self, 0, MPI_COMM_SELF);
	pomp_rank_name(TRACE_LOG_COMM_WORLD, "MPI_COMM_WORLD");
	pomp_rank_name(TRACE_LOG_COMM_SELF, "MPI_COMM_SELF");
}

static bool is_between(MPI_Comm comm)
{
	int between = 0;

	return PMPI_Comm_test_inter(comm, &between) != MPI_SUCCESS || between;
}

uint64_t mpi_comm_promise(MPI_Comm handle)
{
	struct mpi_comm *parent = (struct mpi_comm *)mpi_comm_find(handle);

	if (parent == NULL)
		return 0;
	pthread_mutex_lock(&comms.lock);
	uint64_t number = ++parent->children;
	pthread_mutex_unlock(&comms.lock);
	return mix(mix(parent->identity) + number);
}

void mpi_comm_kept(uint64_t identity, MPI_Comm child)
{
	uint32_t first;

	if (identity != 0 && child != MPI_COMM_NULL && find_members(child, 1, &first))
		add(child, mix(identity + first), 0);
}

void mpi_comm_made(MPI_Comm parent, MPI_Comm child)
{
	const struct mpi_comm *known = mpi_comm_find(parent);
	uint64_t identity = mpi_comm_promise(parent);
	uint32_t first;

	if (child == MPI_COMM_NULL || is_between(child))
		return;
	if (known == NULL)
		mpi_comm_appeared(child);
	else if (find_members(child, 1, &first))
		add(child, mix(identity + first), known->identity);
}

void mpi_comm_appeared(MPI_Comm child)
{
	uint64_t identity = 0;
	uint32_t first;

	if (child == MPI_COMM_NULL || is_between(child))
		return;
	pthread_mutex_lock(&comms.lock);
	uint64_t number = ++comms.appeared;
	pthread_mutex_unlock(&comms.lock);
	identity = mix(mix((uint64_t)comms.world_rank << 32 | number));
	if (PMPI_Bcast(&identity, sizeof(identity), MPI_BYTE, 0, child) == MPI_SUCCESS &&
	    find_members(child, 1, &first))
		add(child, identity, 0);
}

void mpi_comm_forget(MPI_Comm comm)
{
	pthread_mutex_lock(&comms.lock);
	struct mpi_comm *found = look_up(mpi_handle(comm));
	for (struct mpi_comm **place = slot_of(mpi_handle(comm)); found != NULL; place = &(*place)->next)
		if (*place == found) {
			*place = found->next;
			break;
		}
	atomic_fetch_add_explicit(&comms.forgotten, 1, memory_order_release);
	pthread_mutex_unlock(&comms.lock);
	free(found);
}
