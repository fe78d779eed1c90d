/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Least squares with three non-negative terms: solves for each of the seven non-empty sets of terms
 * and takes the best solution without negative terms. Equations are weighted by the inverse of the
 * time, so that a short run counts as much as a long one.
 */
#include "scaling-law.h"

#include <math.h>
#include <string.h>

typedef double matrix[SCALING_TERMS][SCALING_TERMS];

static void terms_of(double threads, double terms[SCALING_TERMS])
{
	terms[0] = 1;
	terms[1] = 1 / threads;
	terms[2] = threads - 1;
}

static double dot(const double one[SCALING_TERMS], const double other[SCALING_TERMS])
{
	double sum = 0;

	for (int i = 0; i < SCALING_TERMS; i++)
		sum += one[i] * other[i];
	return sum;
}

/* The normal equations of all terms. */
static void set_up(
    const struct scaling_point *points, size_t count, matrix normal, double right[SCALING_TERMS])
{
	memset(normal, 0, sizeof(matrix));
	memset(right, 0, SCALING_TERMS * sizeof(right[0]));
	for (size_t k = 0; k < count; k++) {
		double terms[SCALING_TERMS], weight = 1 / (points[k].time * points[k].time);

		terms_of(points[k].threads, terms);
		for (int i = 0; i < SCALING_TERMS; i++) {
			for (int j = 0; j < SCALING_TERMS; j++)
				normal[i][j] += weight * terms[i] * terms[j];
			right[i] += weight * terms[i] * points[k].time;
		}
	}
}

/*
 * The inverse of the part of the matrix whose rows and columns are in `chosen`, zero elsewhere.
 * Gauss-Jordan with the diagonal scaled to 1, because the terms differ by orders of magnitude.
 */
static bool invert(const matrix from, unsigned chosen, matrix inverse)
{
	matrix rest;
	double scale[SCALING_TERMS];

	memset(inverse, 0, sizeof(matrix));
	for (int i = 0; i < SCALING_TERMS; i++)
		scale[i] = chosen >> i & 1 && from[i][i] > 0 ? 1 / sqrt(from[i][i]) : 0;
	for (int i = 0; i < SCALING_TERMS; i++)
		for (int j = 0; j < SCALING_TERMS; j++)
			rest[i][j] = from[i][j] * scale[i] * scale[j];
	for (int i = 0; i < SCALING_TERMS; i++)
		inverse[i][i] = scale[i] > 0;
	for (int i = 0; i < SCALING_TERMS; i++) {
		double pivot = rest[i][i];

		if (!(chosen >> i & 1))
			continue;
		if (!(pivot > 1e-10))
			return false;
		for (int j = 0; j < SCALING_TERMS; j++) {
			rest[i][j] /= pivot;
			inverse[i][j] /= pivot;
		}
		for (int k = 0; k < SCALING_TERMS; k++) {
			double factor = k == i ? 0 : rest[k][i];
			for (int j = 0; j < SCALING_TERMS; j++) {
				rest[k][j] -= factor * rest[i][j];
				inverse[k][j] -= factor * inverse[i][j];
			}
		}
	}
	for (int i = 0; i < SCALING_TERMS; i++)
		for (int j = 0; j < SCALING_TERMS; j++)
			inverse[i][j] *= scale[i] * scale[j];
	return true;
}

static double squares(
    const struct scaling_point *points, size_t count, const double factors[SCALING_TERMS])
{
	double sum = 0;

	for (size_t k = 0; k < count; k++) {
		double terms[SCALING_TERMS], off;

		terms_of(points[k].threads, terms);
		off = dot(terms, factors) / points[k].time - 1;
		sum += off * off;
	}
	return sum;
}

static size_t distinct_threads(const struct scaling_point *points, size_t count)
{
	size_t distinct = 0;

	for (size_t i = 0; i < count; i++) {
		bool is_new = true;
		for (size_t j = 0; j < i; j++)
			is_new &= points[j].threads != points[i].threads;
		distinct += is_new;
	}
	return distinct;
}

struct scaling_law scaling_law_fit(const struct scaling_point *points, size_t count)
{
	enum { ALL = (1 << SCALING_TERMS) - 1 };
	struct scaling_law law = {.is_known = false};
	double right[SCALING_TERMS], least = INFINITY;
	matrix normal, inverse;

	if (distinct_threads(points, count) < SCALING_TERMS)
		return law;
	set_up(points, count, normal, right);
	if (!invert(normal, ALL, law.inverse))
		return law;
	for (unsigned chosen = 1; chosen <= ALL; chosen++) {
		double factors[SCALING_TERMS], sum;
		bool is_possible = invert(normal, chosen, inverse);

		for (int i = 0; i < SCALING_TERMS && is_possible; i++) {
			factors[i] = dot(inverse[i], right);
			is_possible = factors[i] >= 0;
		}
		if (!is_possible)
			continue;
		sum = squares(points, count, factors);
		if (sum < least) {
			least = sum;
			law.serial = factors[0];
			law.work = factors[1];
			law.contention = factors[2];
			law.is_known = true;
		}
	}
	law.freedom = count - SCALING_TERMS;
	law.variance = law.freedom > 0 ? least / (double)law.freedom : 0;
	return law;
}

/* Student's t for a two-sided interval of 95 %. */
static double student(size_t freedom)
{
	static const double values[] = {
	    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23};
	size_t count = sizeof(values) / sizeof(values[0]);

	return freedom <= count ? values[freedom - 1] : 1.96 + 2.7 / (double)freedom;
}

bool scaling_law_predict(
    const struct scaling_law *law, double threads, double *time, double *low, double *high)
{
	double factors[SCALING_TERMS] = {law->serial, law->work, law->contention};
	double terms[SCALING_TERMS], spread = 0, width;

	if (!law->is_known)
		return false;
	terms_of(threads, terms);
	*time = dot(terms, factors);
	if (law->freedom == 0)
		return false;
	for (int i = 0; i < SCALING_TERMS; i++)
		spread += terms[i] * dot(law->inverse[i], terms);
	width = student(law->freedom) * sqrt(law->variance * (*time * *time + spread));
	*low = *time > width ? *time - width : 0;
	*high = *time + width;
	return width <= *time / 2;
}
