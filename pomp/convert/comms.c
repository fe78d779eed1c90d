/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The groups and communicators of an archive. Group 0 are all locations; with ranks of MPI, group 1
 * are their first ones, by which ranks are known. MPI's communicators come first, as the set has
 * them, then the teams of OpenMP, process by process.
 */
#include "definitions.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ABSENT = 1 << 20 };

struct comms {
	struct convert_writing *writing;
	const struct convert_set *set;
	uint64_t *members; /* room for the largest group */
	uint32_t group_count;
};

static OTF2_GroupRef write_group(struct comms *comms, OTF2_GroupType type, OTF2_Paradigm paradigm,
    uint32_t count, const uint64_t *members)
{
	convert_writing_check(
	    comms->writing, OTF2_GlobalDefWriter_WriteGroup(comms->writing->writer,
				comms->group_count, convert_writing_string(comms->writing, ""),
				type, paradigm, OTF2_GROUP_FLAG_NONE, count, members));
	return comms->group_count++;
}

/* Which place among the ranks that are there each rank of the world has; heap. */
static uint32_t *places_of_ranks(struct comms *comms, size_t *count)
{
	size_t ranks = comms->set->ranks.count;
	uint64_t most = 0;

	for (size_t i = 0; i < ranks; i++)
		most = convert_writing_rank(comms->writing, i)[SET_RANK_NUMBER] > most
			   ? convert_writing_rank(comms->writing, i)[SET_RANK_NUMBER]
			   : most;
	*count = most + 1;
	uint32_t *place = malloc(*count * sizeof(*place));
	if (place == NULL)
		return NULL;
	memset(place, 0xff, *count * sizeof(*place));
	for (size_t i = 0; i < ranks; i++)
		place[convert_writing_rank(comms->writing, i)[SET_RANK_NUMBER]] = (uint32_t)i;
	return place;
}

/* A rank is known by its first location. */
static void write_mpi_locations(struct comms *comms)
{
	uint64_t first = 0;

	for (size_t i = 0; i < comms->set->ranks.count; i++) {
		comms->members[i] = first;
		first += convert_writing_rank(comms->writing, i)[SET_RANK_LOCATIONS];
	}
	write_group(comms, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
	    (uint32_t)comms->set->ranks.count, comms->members);
}

/*
 * The members of a communicator as places among the ranks. A rank whose logs are missing keeps the
 * numbers of the others in place with an undefined one.
 */
static uint32_t find_members(
    struct comms *comms, const uint64_t *comm, size_t count, const uint32_t *place, size_t places)
{
	uint32_t members = 0;

	if (comm[SET_COMM_IDENTITY] == TRACE_LOG_COMM_WORLD) {
		/* The last ranks may have no logs either; a damaged log may say anything. */
		size_t size = comm[SET_COMM_SIZE];
		size = size > places && size - places <= MOST_ABSENT ? size : places;
		for (; members < size; members++)
			comms->members[members] = members < places && place[members] != UINT32_MAX
						      ? place[members]
						      : OTF2_UNDEFINED_LOCATION;
		return members;
	}
	for (size_t i = SET_COMM_WORDS; i < count; i++)
		comms->members[members++] = comm[i] < places && place[comm[i]] != UINT32_MAX
						? place[comm[i]]
						: OTF2_UNDEFINED_LOCATION;
	return members;
}

static OTF2_CommRef find_comm(const struct convert_set *set, uint64_t identity)
{
	for (size_t i = 0; identity != 0 && i < set->comms.count; i++) {
		size_t count;
		if (convert_pool_at(&set->comms, i, &count)[SET_COMM_IDENTITY] == identity)
			return (OTF2_CommRef)i;
	}
	return OTF2_UNDEFINED_COMM;
}

static void write_mpi_comms(struct comms *comms)
{
	const struct convert_set *set = comms->set;
	OTF2_GroupRef self = OTF2_UNDEFINED_GROUP;
	size_t places = 0;
	uint32_t *place = places_of_ranks(comms, &places);

	if (place == NULL) {
		convert_writing_check(comms->writing, OTF2_ERROR_ENOMEM);
		return;
	}
	for (size_t i = 0; i < set->comms.count; i++) {
		size_t count;
		const uint64_t *comm = convert_pool_at(&set->comms, i, &count);
		OTF2_GroupRef group;
		if (comm[SET_COMM_IS_SELF] && self == OTF2_UNDEFINED_GROUP)
			self = write_group(
			    comms, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, 0, NULL);
		if (comm[SET_COMM_IS_SELF]) {
			group = self;
		} else {
			uint32_t members = find_members(comms, comm, count, place, places);
			group = write_group(comms, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
			    members, comms->members);
		}
		convert_writing_check(comms->writing,
		    OTF2_GlobalDefWriter_WriteComm(comms->writing->writer, (uint32_t)i,
			comm[SET_COMM_NAME] == SET_NO_STRING
			    ? convert_writing_string(comms->writing, "")
			    : (OTF2_StringRef)comm[SET_COMM_NAME],
			group, find_comm(set, comm[SET_COMM_PARENT]), OTF2_COMM_FLAG_NONE));
	}
	free(place);
}

static void write_teams(struct comms *comms)
{
	OTF2_CommRef comm = (OTF2_CommRef)comms->set->comms.count;
	uint64_t first_location = 0;

	for (size_t i = 0; i < comms->set->ranks.count; i++) {
		const uint64_t *rank = convert_writing_rank(comms->writing, i);
		const uint64_t *team = rank + SET_RANK_WORDS + rank[SET_RANK_LOCATIONS] * 2;
		OTF2_CommRef first = comm;
		for (uint64_t own = 0; own < rank[SET_RANK_TEAMS]; own++, team += 2 + team[1]) {
			for (uint64_t member = 0; member < team[1]; member++)
				comms->members[member] = first_location + team[2 + member];
			OTF2_GroupRef group = write_group(comms, OTF2_GROUP_TYPE_COMM_GROUP,
			    OTF2_PARADIGM_OPENMP, (uint32_t)team[1], comms->members);
			convert_writing_check(comms->writing,
			    OTF2_GlobalDefWriter_WriteComm(comms->writing->writer, comm++,
				convert_writing_string(comms->writing, ""), group,
				team[0] != CONVERT_NONE ? first + (OTF2_CommRef)team[0]
							: OTF2_UNDEFINED_COMM,
				OTF2_COMM_FLAG_NONE));
		}
		first_location += rank[SET_RANK_LOCATIONS];
	}
}

/* The largest group: all locations, all ranks of the world, or one of the communicators. */
static size_t most_members(const struct comms *comms)
{
	size_t most = comms->writing->locations, count;

	for (size_t i = 0; i < comms->set->comms.count; i++) {
		convert_pool_at(&comms->set->comms, i, &count);
		most = count > most ? count : most;
	}
	for (size_t i = 0; i < comms->set->ranks.count; i++) {
		const uint64_t *rank = convert_pool_at(&comms->set->ranks, i, &count);
		most = count > most ? count : most;
		if (rank[SET_RANK_NUMBER] != SET_NO_RANK && rank[SET_RANK_NUMBER] >= most)
			most = rank[SET_RANK_NUMBER] + 1;
	}
	return most + 1;
}

void convert_write_comms(struct convert_writing *writing)
{
	struct comms comms = {.writing = writing, .set = writing->set};

	comms.members = malloc(most_members(&comms) * sizeof(*comms.members));
	if (comms.members == NULL) {
		convert_writing_check(writing, OTF2_ERROR_ENOMEM);
		return;
	}
	for (size_t i = 0; i < writing->locations; i++)
		comms.members[i] = i;
	write_group(&comms, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP,
	    (uint32_t)writing->locations, comms.members);
	if (convert_writing_has_ranks(writing)) {
		write_mpi_locations(&comms);
		write_mpi_comms(&comms);
	}
	write_teams(&comms);
	free(comms.members);
}
