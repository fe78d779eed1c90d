/* SPDX-License-Identifier: BSD-3-Clause */
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

struct Node {
	int value = 1;
	std::unique_ptr<Node> left, right;
};

static std::unique_ptr<Node> grow(int depth)
{
	auto node = std::make_unique<Node>();

	if (depth > 0) {
		node->left = grow(depth - 1);
		node->right = grow(depth - 1);
	}
	return node;
}

static long walk(const Node *node)
{
	long left = 0, right = 0;

	if (node == nullptr)
		return 0;
#pragma omp task shared(left) default(none) firstprivate(node)
	left = walk(node->left.get());
#pragma omp task shared(right)
	{ right = walk(node->right.get()); }
#pragma omp taskwait
	return node->value + left + right;
}

#pragma omp declare reduction(merge : std::vector<int> : omp_out.insert(omp_out.end(), \
    omp_in.begin(), omp_in.end()))

template <int N> static int squares()
{
	std::vector<int> all;

#pragma omp parallel for reduction(merge : all)
	for (int i = 0; i < N; i++)
		all.push_back(i * i);
	return std::accumulate(all.begin(), all.end(), 0);
}

struct Boolean {
	explicit operator bool() const { return true; }
};

int main()
{
	auto tree = grow(6);
	long total = 0;
	Boolean condition;

#pragma omp parallel if(bool(condition))
#pragma omp single
	total = walk(tree.get());
	std::printf("%ld %d %d\n", total, squares<10>(), squares<3>());
	return 0;
}
