/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that passes of GCC or of clang remove or move when they are on: passes.py --check looks
 * whether each is where the source has it, with what `ompinst race` adds. Nothing here runs. Each
 * function is named for what becomes of it.
 */
#ifdef OPTIMIZED_BY_PRAGMA
#pragma GCC optimize("O2")
#endif

int stop, total, first, second, kind;
double m[100], scale;
struct pair {
	int left, right;
} * pairs, one, other;

/* Store motion: total is written after the loop, and stop is read before it. */
void moved_out_of_a_loop(int n)
{
	for (int i = 0; i < n; i++) {
		if (stop)
			m[i] = 0;
		total += i;
	}
}

void written_at_the_end(int n)
{
	for (int i = 0; i < n; i++)
		if (m[i] > 3)
			first = i;
}

/* Partial redundancy: scale is read in one branch for both. */
double read_for_both_ways(int way, int n)
{
	double sum = 0;
	if (way)
		sum = scale;
	m[n] = n;
	if (n > 3)
		sum += scale;
	return sum;
}

/* Code hoisting. */
int read_before_the_branch(int way)
{
	if (way)
		return second + 1;
	else
		return second * 3;
}

/* Sinking. */
void written_later(int way)
{
	int read = first;
	total = 5;
	if (way) {
		total = 7;
		second = read;
	}
}

/* The dominator's redundant loads and stores. */
int known_by_a_condition(void)
{
	if (kind == 3)
		return kind;
	kind = 4;
	return kind;
}

/* Equal tails, before and after expansion. */
void in_each_branch(int way)
{
	switch (way) {
	case 1:
		first = 1;
		total = way;
		break;
	case 2:
		second = 1;
		total = way;
		break;
	default:
		kind = 1;
		total = way;
		break;
	}
}

/* Functions that are alike. */
void alike(struct pair *pair)
{
	pair->left = pair->right + 1;
	pair->right++;
}

void alike_too(struct pair *pair)
{
	pair->left = pair->right + 1;
	pair->right++;
}

/* What a callee reads is read for it by its caller. */
static __attribute__((noinline)) int sum_of(const struct pair *pair, int more)
{
	return pair->left + pair->right + more;
}

int called(int more)
{
	return sum_of(&one, more) + sum_of(&other, 2 * more);
}

/* One store for two branches, one load for two addresses. */
void stored_by_either(int way)
{
	if (way)
		first = 1;
	else
		first = 2;
}

int loaded_by_either(int way)
{
	int *from;
	if (way)
		from = &first;
	else
		from = &second;
	return *from;
}

void stored_if_differing(int value)
{
	if (total != value)
		total = value;
}

/* A minimum in place of a branch, conditional stores in place of jumps. */
void smallest(int n)
{
	for (int i = 0; i < n; i++)
		if (pairs[i].left < first)
			first = pairs[i].left;
}

int two_members(const struct pair *pair, int way)
{
	int value;
	if (way)
		value = pair->left;
	else
		value = pair->right;
	return value;
}

/* A static variable that no code reads. */
static int last;

void never_read(int n)
{
	last = n;
}

/* One store of two members, one load of four bytes. */
void both_members(struct pair *pair)
{
	pair->left = 0;
	pair->right = 0;
}

int assembled(const unsigned char *bytes)
{
	int value = bytes[0] << 24;
	value |= bytes[1] << 16;
	value |= bytes[2] << 8;
	value |= bytes[3];
	return value;
}

/* A table in place of a switch. */
void chosen(int way)
{
	switch (way) {
	case 1:
		first = 3;
		break;
	case 2:
		first = 5;
		break;
	case 3:
		first = 9;
		break;
	case 4:
		first = 14;
		break;
	default:
		first = 7;
	}
}

/* A callee that only reads is called once, or not at all. */
static __attribute__((noinline)) int thrice(void)
{
	return kind * 3;
}

int called_twice(void)
{
	int sum = thrice();
	sum += thrice();
	thrice();
	return sum;
}

/* Members that the caller is known to have written. */
static __attribute__((noinline)) int known_in_the_callee(const struct pair *pair)
{
	return pair->left;
}

int known_to_the_caller(void)
{
	one.left = 4;
	return known_in_the_callee(&one);
}

/* A value that does not matter, and one that is written back. */
int not_used(int value)
{
	int read = second;
	return value + read * 0;
}

void written_back(void)
{
	kind = kind;
}

/* A loop that becomes a call, one that is vectorized, one that has another one inside. */
void set_to_zero(int n)
{
	for (int i = 0; i < n; i++)
		m[i] = 0;
}

double largest(const double *values, int n)
{
	double result = 0;
	for (int i = 0; i < n; i++)
		if (values[i] > result)
			result = values[i];
	return result;
}

void exchanged(double (*from)[100], double *to)
{
	for (int i = 0; i < 100; i++)
		for (int j = 0; j < 100; j++)
			to[i] += from[j][i];
}

/* What a function returns, where the function is inlined. */
static int tripled(int value)
{
	int times = value;
	return times * 3;
}

int returned(int n)
{
	int result = 0;
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		result = tripled(i);
	return result;
}
