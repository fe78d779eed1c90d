/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of communicators. A communicator needs a name that is the same at all its members,
 * preferably without communication. All members of a parent make their calls on it in the same
 * order, so (parent, number of the call, world rank of the child's first member) is such a name. If
 * that order does not exist, the first member sends the name to the others.
 *
 * A thread remembers the communicator that it used last. That is valid until any communicator is
 * forgotten: `forgotten` counts (release after the removal, acquire before the memory is used).
 *
 * This is not the shared hash map: a field of the communicator links it into the list of its slot,
 * so adding one needs no memory except its own.
 */
#include "comms.h"

#include "pomp-atomics.h"

#include "shared/processor.h"
#include "shared/ranks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 256 };

static struct {
	pthread_mutex_t lock;
	struct mpi_comm *slot[SLOTS]; /* by handle; under the lock */
	uint32_t count;               /* under the lock */
	uint32_t appeared;            /* names given out by this rank; under the lock */
	_Atomic uint64_t forgotten;
	bool some_note, separate;
	MPI_Group world_group;
	int world_rank;
	struct mpi_comm world, self;
} comms = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct {
	uint64_t handle, forgotten;
	const struct mpi_comm *comm;
} latest PROCESSOR_THREAD_LOCAL;

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
	uint64_t forgotten = load_acquire(&comms.forgotten);
	if (latest.handle != handle || latest.forgotten != forgotten) {
		pthread_mutex_lock(&comms.lock);
		latest.comm = look_up(handle);
		pthread_mutex_unlock(&comms.lock);
		/* An unknown communicator may become known. */
		latest.handle = latest.comm != NULL ? handle : 0;
		latest.forgotten = forgotten;
	}
	return latest.comm;
}

/* Mixes all bits (the finaliser of splitmix64); the result is above the fixed identities. */
static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
	return (value ^ value >> 31) | UINT64_C(1) << 63;
}

/* Returns the world ranks of all members of a group; heap, NULL when one is in another world. */
static uint32_t *find_world_ranks(MPI_Group group, int *count)
{
	uint32_t *members = NULL;

	PMPI_Group_size(group, count);
	int *ranks = calloc((size_t)*count * 2 + 1, sizeof(*ranks));
	if (ranks == NULL)
		return NULL;
	for (int i = 0; i < *count; i++)
		ranks[i] = i;
	bool known = PMPI_Group_translate_ranks(
			 group, *count, ranks, comms.world_group, ranks + *count) == MPI_SUCCESS;
	for (int i = 0; known && i < *count; i++)
		known = ranks[*count + i] != MPI_UNDEFINED;
	if (known)
		members = calloc((size_t)*count + 1, sizeof(*members));
	for (int i = 0; members != NULL && i < *count; i++)
		members[i] = (uint32_t)ranks[*count + i];
	free(ranks);
	return members;
}

/* The members of a communicator, as world ranks. */
struct members {
	uint32_t *own, *other; /* heap; other: NULL if there is only one group */
	int own_count, other_count;
	uint32_t first; /* the member that all of them name: rank 0, or the smaller rank 0 of two
			   groups */
	bool is_first_group; /* this group is the first of two */
};

static uint32_t least(const uint32_t *members, int count)
{
	uint32_t found = members[0];

	for (int i = 1; i < count; i++)
		found = members[i] < found ? members[i] : found;
	return found;
}

static void free_members(struct members *members)
{
	free(members->own);
	free(members->other);
}

/*
 * Returns false when a member is in another world: then the others cannot be asked, because they
 * may not be measured.
 */
static bool find_members(MPI_Comm comm, bool between, struct members *members)
{
	MPI_Group group;

	*members = (struct members){0};
	if (PMPI_Comm_group(comm, &group) == MPI_SUCCESS) {
		members->own = find_world_ranks(group, &members->own_count);
		PMPI_Group_free(&group);
	}
	if (between && PMPI_Comm_remote_group(comm, &group) == MPI_SUCCESS) {
		members->other = find_world_ranks(group, &members->other_count);
		PMPI_Group_free(&group);
	}
	if (members->own == NULL || (between && members->other == NULL)) {
		free_members(members);
		return false;
	}
	members->first = members->own[0];
	if (between) {
		uint32_t own_least = least(members->own, members->own_count);
		uint32_t other_least = least(members->other, members->other_count);
		members->is_first_group = own_least < other_least;
		members->first = members->is_first_group ? own_least : other_least;
	}
	return true;
}

static void define(
    const struct mpi_comm *comm, uint64_t parent, const struct members *members, int rank)
{
	struct trace_log_comm entry = {.identity = comm->identity,
	    .parent = parent,
	    .number = comm->number,
	    .size = (uint32_t)(members->own_count + members->other_count)};
	size_t own = (size_t)members->own_count, other = (size_t)members->other_count;
	uint32_t *all = NULL;

	bool first = !comm->between || members->is_first_group;
	if (mpi_comm_is_listed_by(rank) && (first || comms.some_note))
		all = malloc((own + other) * sizeof(*all));
	if (all != NULL) {
		memcpy(all + (first ? 0 : other), members->own, own * sizeof(*all));
		if (other > 0)
			memcpy(all + (first ? own : 0), members->other, other * sizeof(*all));
		entry.member_count = entry.size;
	}
	pomp_rank_define(&entry, all);
	free(all);
}

/* The world's members need no list, and a list for MPI_COMM_SELF would differ at each rank. */
static void define_fixed(const struct mpi_comm *comm, MPI_Comm handle)
{
	int size;

	PMPI_Comm_size(handle, &size);
	pomp_rank_define(&(struct trace_log_comm){.identity = comm->identity,
			     .number = comm->number,
			     .size = (uint32_t)size,
			     .is_self = handle == MPI_COMM_SELF},
	    NULL);
}

static void add(
    MPI_Comm child, bool between, uint64_t identity, uint64_t parent, const struct members *members)
{
	struct mpi_comm *comm = malloc(sizeof(*comm));
	int rank = 0;

	if (comm == NULL)
		return;
	PMPI_Comm_rank(child, &rank);
	*comm = (struct mpi_comm){.handle = mpi_handle(child),
	    .identity = identity,
	    .between = between,
	    .peers = members->is_first_group ? (uint32_t)members->own_count : 0};
	pthread_mutex_lock(&comms.lock);
	struct mpi_comm **slot = slot_of(comm->handle);
	comm->number = comms.count++;
	comm->next = *slot;
	define(comm, parent, members, rank);
	*slot = comm;
	pthread_mutex_unlock(&comms.lock);
}

bool mpi_comm_is_listed_by(int rank)
{
	return rank == 0 || comms.some_note;
}

void mpi_comms_start(bool some_note, bool separate)
{
	comms.some_note = some_note;
	comms.separate = separate;
	PMPI_Comm_group(MPI_COMM_WORLD, &comms.world_group);
	PMPI_Comm_rank(MPI_COMM_WORLD, &comms.world_rank);
	comms.world = (struct mpi_comm){.number = 0, .identity = TRACE_LOG_COMM_WORLD};
	comms.self = (struct mpi_comm){.number = 1, .identity = TRACE_LOG_COMM_SELF};
	comms.count = 2;
	define_fixed(&comms.world, MPI_COMM_WORLD);
	define_fixed(&comms.self, MPI_COMM_SELF);
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

/* `promise`: a number, known to all members, of the call that made the communicator. */
static void add_promised(MPI_Comm child, uint64_t promise, uint64_t parent)
{
	bool between = is_between(child);
	struct members members;

	if (!find_members(child, between, &members))
		return;
	add(child, between, mix(promise + members.first), parent, &members);
	free_members(&members);
}

void mpi_comm_kept(uint64_t identity, MPI_Comm child)
{
	if (identity != 0 && child != MPI_COMM_NULL)
		add_promised(child, identity, 0);
}

void mpi_comm_made(MPI_Comm parent, MPI_Comm child)
{
	const struct mpi_comm *known = mpi_comm_find(parent);
	uint64_t promise = mpi_comm_promise(parent);

	if (child == MPI_COMM_NULL)
		return;
	if (known == NULL)
		mpi_comm_appeared(child);
	else
		add_promised(child, promise, known->identity);
}

/* Exchanges what rank 0 says with the other group; all members get the same result. */
static uint64_t agree(MPI_Comm child, bool between, uint64_t said)
{
	uint64_t other = 0, own = 0;
	int rank;

	PMPI_Comm_rank(child, &rank);
	said = rank == 0 ? said : 0;
	if (!between)
		return PMPI_Bcast(&said, sizeof(said), MPI_BYTE, 0, child) == MPI_SUCCESS ? said
											  : 0;
	if (PMPI_Allreduce(&said, &other, 1, MPI_UINT64_T, MPI_MAX, child) != MPI_SUCCESS ||
	    PMPI_Allreduce(&other, &own, 1, MPI_UINT64_T, MPI_MAX, child) != MPI_SUCCESS)
		return 0;
	return mix(own ^ other);
}

void mpi_comm_appeared(MPI_Comm child)
{
	struct members members;

	if (child == MPI_COMM_NULL || comms.separate)
		return;
	bool between = is_between(child);
	if (!find_members(child, between, &members))
		return;
	pthread_mutex_lock(&comms.lock);
	uint64_t number = ++comms.appeared;
	pthread_mutex_unlock(&comms.lock);
	uint64_t identity =
	    agree(child, between, mix(mix((uint64_t)comms.world_rank << 32 | number)));
	if (identity != 0)
		add(child, between, identity, 0, &members);
	free_members(&members);
}

void mpi_comm_forget(MPI_Comm comm)
{
	pthread_mutex_lock(&comms.lock);
	struct mpi_comm *found = look_up(mpi_handle(comm));
	for (struct mpi_comm **place = slot_of(mpi_handle(comm)); found != NULL;
	     place = &(*place)->next)
		if (*place == found) {
			*place = found->next;
			break;
		}
	fetch_add_release(&comms.forgotten, 1);
	pthread_mutex_unlock(&comms.lock);
	free(found);
}
