/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two versions that functions of this library have. The version script gives each function its
 * version of libgomp, which programs are linked with. In libomp all functions have the version
 * VERSION, which is bound where the function is defined. Not only libomp's names get it: what is
 * exported in one version exists in the other, so that objects of two compilers can be linked by
 * either.
 */
#ifndef RT_VERSIONS_H
#define RT_VERSIONS_H

/*
 * Makes one more symbol for `function`, of libomp's version: for a name that has another function
 * in libgomp, or none. GNU's linker merges two symbols with the same name and address, apart from
 * the version, unless one is weak, which makes no difference in a shared library. The symbol has no
 * size, so that debuggers and profilers show the other one, whose name has no version; if the size
 * were known before the assembler has read everything, it would take the function's.
 */
#define ONLY_IN_LIBOMP(name, function)                                                             \
	__asm__("\t.weak libomp_" #name "\n"                                                       \
		"\t.set libomp_" #name ", " #function " + 0\n"                                     \
		"\t.type libomp_" #name ", %function\n"                                            \
		"\t.size libomp_" #name ", 1f - 2f\n"                                              \
		"1:\n"                                                                             \
		"2:\n"                                                                             \
		"\t.symver libomp_" #name ", " #name "@VERSION\n")

/* For a function that the file defines. */
#define ALSO_IN_LIBOMP(name) ONLY_IN_LIBOMP(name, name)

/* Opens the definition of an OpenMP routine that both have. */
#define ROUTINE(type, name, parameters)                                                            \
	ALSO_IN_LIBOMP(name);                                                                      \
	LONE_ROUTINE(type, name, parameters)

/* A name that has another meaning in libomp. It is declared here, because most have no header. */
#define LONE_ROUTINE(type, name, parameters)                                                       \
	type name parameters;                                                                      \
	type name parameters

#endif
