/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Leader clustering: an item joins the first group whose leader it resembles, or becomes the leader
 * of a new group. One pass takes items x groups steps. A pass that finds too many groups ends early
 * and is repeated with twice the distance, at most seven times, because two profiles never differ
 * by more than 1.
 */
#include "clusters.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define DISTANCE_LEAST 0.02

/* The items to group. */
struct profiles {
	const double *shares;
	size_t items, width;
};

static const double *profile_of(const struct profiles *profiles, size_t item)
{
	return profiles->shares + item * profiles->width;
}

/*
 * The part that must be moved to turn one profile into the other; the remainder up to 1 counts as a
 * share, too.
 */
static double distance_of(const double *one, const double *other, size_t width)
{
	double moved = 0, rest = 0;

	for (size_t i = 0; i < width; i++) {
		moved += fabs(one[i] - other[i]);
		rest += one[i] - other[i];
	}
	return (moved + fabs(rest)) / 2;
}

/*
 * Fills `of` and the leaders; returns false if there are more than `most` groups at this distance.
 */
static bool group(const struct profiles *profiles, double distance, size_t most, uint32_t *of,
    size_t *leaders, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < profiles->items; i++) {
		size_t found = 0;

		while (found < *count && distance_of(profile_of(profiles, leaders[found]),
					     profile_of(profiles, i), profiles->width) > distance)
			found++;
		if (found == most)
			return false;
		if (found == *count)
			leaders[(*count)++] = i;
		of[i] = (uint32_t)found;
	}
	return true;
}

/* Sets each group's mean and the item nearest to it. */
static void describe(struct clusters *clusters, const struct profiles *profiles)
{
	double *nearest = memory_new(clusters->count, sizeof(nearest[0]));

	for (size_t i = 0; i < clusters->count; i++)
		nearest[i] = INFINITY;
	for (size_t i = 0; i < profiles->items; i++) {
		struct cluster *cluster = &clusters->clusters[clusters->of[i]];

		cluster->count++;
		for (size_t j = 0; j < profiles->width; j++)
			cluster->mean[j] += profile_of(profiles, i)[j];
	}
	for (size_t i = 0; i < clusters->count; i++)
		for (size_t j = 0; j < profiles->width; j++)
			clusters->clusters[i].mean[j] /= (double)clusters->clusters[i].count;
	for (size_t i = 0; i < profiles->items; i++) {
		struct cluster *cluster = &clusters->clusters[clusters->of[i]];
		double distance =
		    distance_of(cluster->mean, profile_of(profiles, i), profiles->width);

		if (distance < nearest[clusters->of[i]]) {
			nearest[clusters->of[i]] = distance;
			cluster->typical = i;
		}
	}
	free(nearest);
}

/* Until now, groups are numbered by their first items. */
static int compare_sizes(const void *first, const void *second, void *context)
{
	const struct cluster *clusters = context;
	size_t one = *(const size_t *)first, other = *(const size_t *)second;

	if (clusters[one].count != clusters[other].count)
		return clusters[one].count < clusters[other].count ? 1 : -1;
	return (one > other) - (one < other);
}

static void sort_by_size(struct clusters *clusters, size_t items)
{
	size_t *order = memory_new(clusters->count, sizeof(order[0]));
	uint32_t *place = memory_new(clusters->count, sizeof(place[0]));
	struct cluster *sorted = memory_new(clusters->count, sizeof(sorted[0]));

	for (size_t i = 0; i < clusters->count; i++)
		order[i] = i;
	qsort_r(order, clusters->count, sizeof(order[0]), compare_sizes, clusters->clusters);
	for (size_t i = 0; i < clusters->count; i++) {
		sorted[i] = clusters->clusters[order[i]];
		place[order[i]] = (uint32_t)i;
	}
	for (size_t i = 0; i < items; i++)
		clusters->of[i] = place[clusters->of[i]];
	free(clusters->clusters);
	clusters->clusters = sorted;
	free(order);
	free(place);
}

struct clusters clusters_find(const double *shares, size_t items, size_t width, size_t most)
{
	struct profiles profiles = {shares, items, width};
	struct clusters clusters = {
	    .of = memory_new(items, sizeof(clusters.of[0])), .distance = DISTANCE_LEAST};
	size_t *leaders = memory_new(most, sizeof(leaders[0]));

	while (!group(&profiles, clusters.distance, most, clusters.of, leaders, &clusters.count))
		clusters.distance *= 2;
	clusters.clusters = memory_new(clusters.count, sizeof(clusters.clusters[0]));
	for (size_t i = 0; i < clusters.count; i++)
		clusters.clusters[i].mean = memory_new(width, sizeof(double));
	describe(&clusters, &profiles);
	sort_by_size(&clusters, items);
	free(leaders);
	return clusters;
}

void clusters_free(struct clusters *clusters)
{
	for (size_t i = 0; i < clusters->count; i++)
		free(clusters->clusters[i].mean);
	free(clusters->clusters);
	free(clusters->of);
}
