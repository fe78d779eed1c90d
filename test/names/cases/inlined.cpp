// Much code of templates that are inlined into each other.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace words {

template <typename Key> class Counter {
public:
	void add(const Key &key) { counts[key]++; }
	long most() const
	{
		long found = 0;
		for (const auto &[key, count] : counts)
			found = std::max(found, count);
		return found;
	}

private:
	std::map<Key, long> counts;
};

struct Rule {
	virtual ~Rule() = default;
	virtual bool operator()(const std::string &text) const = 0;
};

struct Pattern : Rule {
	explicit Pattern(const char *text) : expression(text) {}
	bool operator()(const std::string &text) const override { return std::regex_search(text, expression); }
	std::regex expression;
};

} // namespace words

int main(int argc, char **argv)
{
	words::Counter<std::string> names;
	words::Counter<std::size_t> lengths;
	std::vector<std::unique_ptr<words::Rule>> rules;
	std::vector<double> values(1000);
	std::ostringstream out;

	rules.push_back(std::make_unique<words::Pattern>(argc > 1 ? argv[1] : "[a-c]+(x|y)*"));
	std::iota(values.begin(), values.end(), 0.5);
#pragma omp parallel for
	for (std::size_t i = 0; i < values.size(); i++)
		values[i] *= static_cast<double>(i % 7);
	std::sort(values.begin(), values.end(), std::greater<>());
	for (double value : values) {
		std::string text = std::to_string(value);
		names.add(text);
		lengths.add(text.size());
		if (std::any_of(rules.begin(), rules.end(), [&](const auto &rule) { return (*rule)(text); }))
			out << text << '\n';
	}
	std::cout << names.most() << ' ' << lengths.most() << ' ' << out.str().size() << '\n';
	return 0;
}
