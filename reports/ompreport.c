/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport: reports about OTF2 archives of OpenMP programs, the library of ompreport.h with a
 * command line. Exit status: 0 for success, 1 if a report could not be made, 2 for a wrong command
 * line.
 */
#include "ompreport.h"

int main(int argc, char **argv)
{
	(void)argc;
	return ompreport_run((const char *const *)argv + 1, stdout, stderr);
}
