/* SPDX-License-Identifier: BSD-3-Clause */
/* The reader of JSON: values by their paths, and texts that are no JSON. */
#include "common/json-reader.h"

#include <stdio.h>
#include <string.h>

static char seen[4096];

static void note(void *context, const char *path, const char *text)
{
	size_t length = strlen(seen);

	(void)context;
	snprintf(seen + length, sizeof(seen) - length, "%s=%s;", path, text);
}

static int read_all(const char *text)
{
	seen[0] = '\0';
	return json_read(text, strlen(text), note, NULL);
}

static int expect(const char *text, const char *values)
{
	if (read_all(text) == 0 && strcmp(seen, values) == 0)
		return 0;
	printf("%s: read as %s, expected %s\n", text, seen, values);
	return 1;
}

int main(void)
{
	static const char *const broken[] = {"", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "[1 2]",
	    "[1,]", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "1 2", "{a:1}", "[\"\n\"]",
	    "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]"};
	char deep[64], longest[3 * JSON_LONGEST];
	int failed = 0;

	failed |= expect("1.5e3", "=1.5e3;");
	failed |=
	    expect(" { \"a\" : [ 1 , {\"b\":null} ], \"c\":\"d\" } ", "a/0=1;a/1/b=null;c=d;");
	failed |= expect("[[],{},true,\"\"]", "2=true;3=;");
	failed |= expect(
	    "\"\\\"\\\\\\/\\n\\u00e4\\u20ac\\ud800\\u0007\"", "=\"\\/ \xc3\xa4\xe2\x82\xac??;");
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++)
		if (read_all(broken[i]) == 0) {
			printf("%s: read, although it is no JSON\n", broken[i]);
			failed = 1;
		}
	/* Bytes behind the text, and a null byte in it, are not read. */
	failed |= json_read("[1]]", 3, note, NULL) != 0;
	failed |= json_read("[1\0]", 4, note, NULL) == 0;
	snprintf(deep, sizeof(deep), "%.*s1%.*s", JSON_DEEPEST - 1, "[[[[[[[[[[[[[[[[[[[[",
	    JSON_DEEPEST - 1, "]]]]]]]]]]]]]]]]]]]]");
	failed |= read_all(deep) != 0;
	memset(longest, 'k', sizeof(longest));
	memcpy(longest, "{\"", 2);
	memcpy(longest + sizeof(longest) - 5, "\":1}", 5);
	failed |= read_all(longest) != 0 || strlen(seen) > JSON_LONGEST + 2;
	return failed;
}
