! SPDX-License-Identifier: BSD-3-Clause
! task: the second stage of a pipeline names the element of the round before.
! Tasks are ordered by the same list item only (OpenMP 5.2, 15.9.5). The fixed one names the
! element that it reads.
#ifdef FIXED
#define ITEM a(i)
#else
#define ITEM a(i - 1)
#endif
program pipeline
  implicit none
  integer :: a(0:20), b(20), i

  a = 0
  b = 0
  !$omp parallel
  !$omp single
  do i = 1, 20
     !$omp task depend(out: a(i)) firstprivate(i) shared(a)
     a(i) = i ! race: write a
     !$omp end task
     !$omp task depend(in: ITEM) firstprivate(i) shared(a, b)
     b(i) = 10 * a(i) ! race: read a
     !$omp end task
  end do
  !$omp end single
  !$omp end parallel
  if (sum(b) /= 2100) stop 1
end program
