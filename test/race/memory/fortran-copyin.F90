! SPDX-License-Identifier: BSD-3-Clause
! data: a threadprivate array that only the primary thread allocates, without copyin.
program main
   implicit none
   integer, allocatable, save :: work(:)
   !$omp threadprivate(work)

   allocate (work(4))
#ifdef FIXED
   !$omp parallel num_threads(2) copyin(work)
#else
   !$omp parallel num_threads(2)
#endif
   work(2) = 1 ! memory: write
   !$omp end parallel
end program main
