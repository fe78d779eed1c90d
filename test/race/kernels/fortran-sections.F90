! SPDX-License-Identifier: BSD-3-Clause
! worksharing: one section reads what another one writes.
! Sections may be executed at the same time or in any order (OpenMP 5.2, 11.3). In the fixed one
! the reader has a construct of its own, behind the barrier of the first one.
program two_sections
  implicit none
  integer :: table(60), i, total

  total = 0
  !$omp parallel
  !$omp sections private(i)
  do i = 1, 60
     table(i) = i ! race: write table
  end do
#ifdef FIXED
  !$omp end sections
  !$omp sections private(i)
#endif
  !$omp section
  do i = 1, 60
     total = total + table(i) ! race: read table
  end do
  !$omp end sections
  !$omp end parallel
  if (total /= 1830) stop 1
end program
