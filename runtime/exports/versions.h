/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two versions that functions of this library have. The version script gives each its version
 * of libgomp, the one that programs are linked with; in libomp all have the version VERSION, which
 * is bound here, in the file that defines the function. The lists are not those of libomp's names:
 * what is exported in one version is found in the other, so that objects of two compilers can be
 * linked by either.
 */
#ifndef RT_VERSIONS_H
#define RT_VERSIONS_H

/*
 * Behind the definitions of the functions. GNU's linker makes one of two symbols with the same name
 * and place, a version aside, unless one is weak, which makes no difference in a shared library.
 */
#define ALSO_IN_LIBOMP(...)                                                                        \
	__asm__(".irp name, " #__VA_ARGS__ "\n"                                                    \
		"\t.weak libomp_\\name\n"                                                          \
		"\t.set libomp_\\name, \\name\n"                                                   \
		"\t.type libomp_\\name, %function\n"                                               \
		"\t.symver libomp_\\name, \\name@VERSION\n"                                        \
		"\t.endr")

/* A name that has another function in libomp than in libgomp. */
#define ONLY_IN_LIBOMP(name, function)                                                             \
	__asm__(".weak libomp_" #name "\n"                                                         \
		".set libomp_" #name ", " #function "\n"                                           \
		".type libomp_" #name ", %function\n"                                              \
		".symver libomp_" #name ", " #name "@VERSION")

#endif
