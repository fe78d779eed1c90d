! SPDX-License-Identifier: BSD-3-Clause
! worksharing: one thread reads the input in a single construct with nowait.
! nowait stands at the end directive in Fortran and removes its barrier (OpenMP 5.2, 11.1). The
! fixed one hands the value to private copies by copyprivate, which has the barrier (5.7.2).
program input
  implicit none
  integer :: size_of, wrong

  wrong = 0
  size_of = 0
#ifdef FIXED
  !$omp parallel private(size_of) reduction(+: wrong)
  !$omp single
  size_of = 17
  !$omp end single copyprivate(size_of)
#else
  !$omp parallel reduction(+: wrong)
  !$omp single
  size_of = 17 ! race: write size_of
  !$omp end single nowait
#endif
  if (size_of /= 17) wrong = wrong + 1 ! race: read size_of
  !$omp end parallel
  if (wrong /= 0) stop 1
end program
