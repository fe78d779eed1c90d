# SPDX-License-Identifier: BSD-3-Clause
# hypre with MPI: four ranks of two threads run its own test jobs, and leave one archive.
. "$TOP/test/real/checks.sh"

"$TOP/tools/fetch-source" hypre "$WORK/source"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
