/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The callbacks by which the ranks' OTF2 libraries talk with each other. What OTF2 sends is a few
 * words at opening and closing; gathering and scattering go by single messages.
 */
#include "collectives.h"

#include <string.h>

/* OTF2 never looks into it. */
struct OTF2_CollectiveContext {
	const struct pomp_ranks *ranks;
};

static size_t size_of(OTF2_Type type)
{
	switch (type) {
	case OTF2_TYPE_UINT8:
	case OTF2_TYPE_INT8:
		return 1;
	case OTF2_TYPE_UINT16:
	case OTF2_TYPE_INT16:
		return 2;
	case OTF2_TYPE_UINT32:
	case OTF2_TYPE_INT32:
	case OTF2_TYPE_FLOAT:
		return 4;
	default:
		return 8;
	}
}

static OTF2_CallbackCode code_of(int failed)
{
	return failed ? OTF2_CALLBACK_ERROR : OTF2_CALLBACK_SUCCESS;
}

static const struct pomp_ranks *ranks_of(void *user)
{
	return user;
}

static OTF2_CallbackCode get_size(void *user, OTF2_CollectiveContext *context, uint32_t *size)
{
	(void)context;
	*size = ranks_of(user)->size;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode get_rank(void *user, OTF2_CollectiveContext *context, uint32_t *rank)
{
	(void)context;
	*rank = ranks_of(user)->rank;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode barrier(void *user, OTF2_CollectiveContext *context)
{
	(void)context;
	return code_of(ranks_of(user)->barrier());
}

static OTF2_CallbackCode broadcast(void *user, OTF2_CollectiveContext *context, void *data,
    uint32_t count, OTF2_Type type, uint32_t root)
{
	(void)context;
	return code_of(ranks_of(user)->broadcast(data, count * size_of(type), root));
}

static OTF2_CallbackCode gather_some(void *user, OTF2_CollectiveContext *context, const void *own,
    uint32_t own_count, void *all, const uint32_t *counts, OTF2_Type type, uint32_t root)
{
	const struct pomp_ranks *ranks = ranks_of(user);
	size_t bytes = own_count * size_of(type);
	char *place = all;

	(void)context;
	if (ranks->rank != root)
		return code_of(ranks->send(own, bytes, root));
	for (uint32_t rank = 0; rank < ranks->size; rank++) {
		size_t part = (counts != NULL ? counts[rank] : own_count) * size_of(type);
		if (rank == root)
			memcpy(place, own, part);
		else if (ranks->receive(place, part, rank) != 0)
			return OTF2_CALLBACK_ERROR;
		place += part;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode gather(void *user, OTF2_CollectiveContext *context, const void *own,
    void *all, uint32_t count, OTF2_Type type, uint32_t root)
{
	return gather_some(user, context, own, count, all, NULL, type, root);
}

static OTF2_CallbackCode scatter_some(void *user, OTF2_CollectiveContext *context, const void *all,
    const uint32_t *counts, void *own, uint32_t own_count, OTF2_Type type, uint32_t root)
{
	const struct pomp_ranks *ranks = ranks_of(user);
	const char *place = all;

	(void)context;
	if (ranks->rank != root)
		return code_of(ranks->receive(own, own_count * size_of(type), root));
	for (uint32_t rank = 0; rank < ranks->size; rank++) {
		size_t part = (counts != NULL ? counts[rank] : own_count) * size_of(type);
		if (rank == root)
			memcpy(own, place, part);
		else if (ranks->send(place, part, rank) != 0)
			return OTF2_CALLBACK_ERROR;
		place += part;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode scatter(void *user, OTF2_CollectiveContext *context, const void *all,
    void *own, uint32_t count, OTF2_Type type, uint32_t root)
{
	return scatter_some(user, context, all, NULL, own, count, type, root);
}

OTF2_ErrorCode convert_set_collectives(OTF2_Archive *archive, const struct pomp_ranks *ranks)
{
	static const OTF2_CollectiveCallbacks callbacks = {
	    .otf2_get_size = get_size,
	    .otf2_get_rank = get_rank,
	    .otf2_barrier = barrier,
	    .otf2_bcast = broadcast,
	    .otf2_gather = gather,
	    .otf2_gatherv = gather_some,
	    .otf2_scatter = scatter,
	    .otf2_scatterv = scatter_some,
	};
	static struct OTF2_CollectiveContext context;

	return OTF2_Archive_SetCollectiveCallbacks(
	    archive, &callbacks, (void *)ranks, &context, NULL);
}
