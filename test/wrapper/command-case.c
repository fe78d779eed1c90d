/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How compiler command lines are understood: one row each, from the compilers' manuals. The form of
 * a result is "MODE output=O inputs=NAME:LANGUAGE,... flags", see describe().
 */
#include "compiler-command.h"
#include "response.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct row {
	const char *words; /* separated by single blanks */
	bool cxx;
	const char *expected;
} rows[] = {
    {"-fopenmp -c a.c", false, "object - a.c:c openmp"},
    {"-fopenmp -c a.c -o b.o", false, "object b.o a.c:c openmp"},
    {"-c a.c -ob.o", false, "object b.o a.c:c"},
    {"-c a.c", true, "object - a.c:c++"},
    {"a.c b.o libx.a -lm -o prog", false, "link prog a.c:c,b.o:link,libx.a:link"},
    {"-S -c a.c", false, "assembly - a.c:c"},
    {"-c -S a.c", false, "assembly - a.c:c"},
    {"-x c a.inc -x none b.cc", false, "link - a.inc:c,b.cc:c++"},
    {"-xc++ a.c", false, "link - a.c:c++"},
    {"-x f95 a.c", false, "link - a.c:fortran"},
    {"-x objective-c a.c -x assembler b.c", false, "link - a.c:foreign,b.c:other"},
    {"-I a.c b.c", false, "link - b.c:c"},
    {"-Ia.c b.c", false, "link - b.c:c"},
    {"-include a.c -isystem b.c -idirafter c.c -iquote d.c e.c", false, "link - e.c:c"},
    {"-D a.c -U b.c -MF c.c -MT d.c -MQ e.c -MD f.c", false, "link - f.c:c"},
    {"-Xlinker a.c -Xassembler b.c -Xpreprocessor c.c -Xclang d.c e.c", false, "link - e.c:c"},
    {"-L a.c -l b.c -T c.c -u d.c -z e.c -e f.c -B g.c h.c", false, "link - h.c:c"},
    {"--param a.c -aux-info b.c -arch c.c -target d.c -mllvm e.c f.c", false, "link - f.c:c"},
    {"-std=c99 -O2 -march=native -Wall -g -pipe -pthread a.c", false, "link - a.c:c"},
    {"-static -shared -s -r a.c", false, "link - a.c:c"},
    {"-emit-llvm -c a.c", false, "object - a.c:c"},
    {"-fopenmp -fno-openmp a.c", false, "link - a.c:c"},
    {"-fno-openmp -fopenmp=libomp a.c", false, "link - a.c:c openmp"},
    {"-fopenmp-simd a.c", false, "link - a.c:c"},
    {"-fopenmp-targets=nvptx64 -fopenmp a.c", false, "link - a.c:c openmp unreadable"},
    {"-Xclang -fopenmp -c a.c", false, "object - a.c:c openmp"},
    {"-Xpreprocessor -fopenmp a.c", false, "link - a.c:c openmp"},
    {"-Wp,-fopenmp a.c", false, "link - a.c:c openmp"},
    {"-Xlinker -fopenmp a.c", false, "link - a.c:c"},
    {"-fpreprocessed a.c b.cc", false, "link - a.c:c-text,b.cc:c++-text"},
    {"a.c b.cc -fpreprocessed", false, "link - a.c:c-text,b.cc:c++-text"},
    {"-wrapper a.c b.c", false, "link - b.c:c unreadable"},
    {"--precompile a.cppm", false, "module - a.cppm:module"},
    {"-c -fmodule-output=a.c b.ixx", false, "object - b.ixx:module"},
    {"--compile --output a.c b.c", false, "object a.c b.c:c"},
    {"--assemble --output=a.c --language c++ b.c", false, "assembly a.c b.c:c++"},
    {"--include a.c --define-macro b.c --imacros=c.c d.c", false, "link - d.c:c"},
    {"-E a.c", false, "link - a.c:c untouched"},
    {"-M a.c", false, "link - a.c:c untouched"},
    {"-MM a.c", false, "link - a.c:c untouched"},
    {"-dM a.c", false, "link - a.c:c"},
    {"-da -c a.c", false, "object - a.c:c"},
    {"-C -c a.c", false, "object - a.c:c"},
    {"-dumpmachine", false, "link - - untouched"},
    {"-dumpdir a.c b.c", false, "link - b.c:c"},
    {"-print-file-name=libgomp.so", false, "link - - untouched"},
    {"-fsyntax-only a.c", false, "link - a.c:c untouched"},
    {"-x c -", false, "link - -:c"},
    {"-x c -E -", false, "link - -:c untouched"},
    {"-c a.c -o", false, "object - a.c:c untouched"},
    {"a.h", false, "link - a.h:header header"},
    {"-x c-header a.c", false, "link - a.c:header header"},
    {"a.i b.ii c.C d.cpp e.cc f.cxx g.c++", false,
	"link - a.i:c-text,b.ii:c++-text,c.C:c++,d.cpp:c++,e.cc:c++,f.cxx:c++,g.c++:c++"},
    {"a.S b.s c.f90 d.F", false, "link - a.S:other,b.s:other,c.f90:fortran,d.F:fortran"},
    {"a.m b.cu c.bc d.ixx e.CC", false,
	"link - a.m:foreign,b.cu:foreign,c.bc:other,d.ixx:module,e.CC:c++"},
    {"dir.c/file dir/x.y.c ./.c", false, "link - dir.c/file:link,dir/x.y.c:c,./.c:c"},
    {"@no-such-file a.c", false, "link - @no-such-file:link,a.c:c"},
};

static const char *const languages[] = {
    [LANGUAGE_LINKER] = "link",
    [LANGUAGE_C] = "c",
    [LANGUAGE_CXX] = "c++",
    [LANGUAGE_C_PREPROCESSED] = "c-text",
    [LANGUAGE_CXX_PREPROCESSED] = "c++-text",
    [LANGUAGE_HEADER] = "header",
    [LANGUAGE_OTHER] = "other",
    [LANGUAGE_FORTRAN] = "fortran",
    [LANGUAGE_MODULE] = "module",
    [LANGUAGE_FOREIGN] = "foreign",
};

/* One line that shows all that the wrapper decides by. */
static void describe(const struct command *command, FILE *out)
{
	static const char *const modes[] = {"link", "object", "assembly", "module"};
	const char *separator = " ";

	fprintf(out, "%s %s", modes[command->mode], command->output ? command->output : "-");
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		if (part->role != ARGUMENT_INPUT)
			continue;
		fprintf(out, "%s%s:%s", separator, part->value, languages[part->language]);
		separator = ",";
	}
	fprintf(out, "%s%s%s%s%s", separator[0] == ' ' ? " -" : "",
	    command->openmp ? " openmp" : "", command->has_header ? " header" : "",
	    (command->roles & ARGUMENT_UNTOUCHED) != 0 ? " untouched" : "",
	    (command->roles & ARGUMENT_UNREADABLE) != 0 ? " unreadable" : "");
}

static int check(const char *what, const char *got, const char *expected)
{
	if (strcmp(got, expected) == 0)
		return 0;
	printf("%s\n  expected: %s\n  got:      %s\n", what, expected, got);
	return 1;
}

static void split(const char *text, struct words *words)
{
	while (*text != '\0') {
		size_t length = strcspn(text, " ");
		words_add_bytes(words, text, length);
		text += length + (text[length] == ' ');
	}
}

static int check_row(const struct row *row)
{
	struct words words = {0};
	struct command command;
	char *text = NULL;
	size_t length = 0;

	split(row->words, &words);
	if (command_read((const char *const *)words_vector(&words), row->cxx, &command) != 0)
		return check(row->words, "unreadable", row->expected);
	FILE *out = open_memstream(&text, &length);
	describe(&command, out);
	fclose(out);
	int wrong = check(row->words, text, row->expected);
	free(text);
	/* Whatever the words mean, none may get lost. */
	struct words all = {0};
	command_add(&command, ~0u, &all);
	wrong +=
	    check(row->words, all.count == words.count ? "all words" : "lost words", "all words");
	words_finish(&all);
	command_finish(&command);
	words_finish(&words);
	return wrong;
}

/* What response_write() writes, response_expand() reads back, whatever the words hold. */
static int check_response_file(void)
{
	static const char *const words[] = {"plain", "two words", "a\"b", "a'b", "back\\slash", "",
	    "tab\there", "new\nline", "@at", "$x `y`", NULL};
	char path[] = "response-XXXXXX", name[sizeof path + 1] = "@";
	struct words read = {0};
	int wrong = 0, descriptor = mkstemp(path);

	if (descriptor < 0)
		return check("mkstemp", "failed", "a file");
	close(descriptor);
	strcat(name, path);
	const char *const vector[] = {"first", name, NULL};
	if (response_write(path, (char *const *)words) != 0 || response_expand(vector, &read) != 0)
		wrong += check("response file", "failed", "written and read");
	unlink(path);
	wrong += check("first word", read.count > 0 ? read.items[0] : "-", "first");
	for (size_t i = 0; words[i] != NULL; i++)
		wrong += check("word", i + 1 < read.count ? read.items[i + 1] : "-", words[i]);
	words_finish(&read);
	return wrong;
}

int main(void)
{
	int wrong = check_response_file();

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		wrong += check_row(&rows[i]);
	printf("%zu command lines, %d wrong\n", sizeof rows / sizeof rows[0], wrong);
	return wrong != 0;
}
