! SPDX-License-Identifier: BSD-3-Clause
!
! fortran: two variables of a common block, each counted up by one section.
!
program common_block
  implicit none
  integer, parameter :: steps = 40000000
  integer(8), volatile :: left, right
#ifdef FIXED
  integer(8) :: apart(16)
  common /totals/ left, apart, right
#else
  common /totals/ left, right
#endif
  integer :: weights(0:255), i

  weights = 1
  weights(17) = 0
  left = 0
  right = 0
!$omp parallel sections num_threads(2) private(i)
!$omp section
  do i = 1, steps
     if (weights(iand(i, 255)) > 0) left = left + 1 ! sharing: false left
  end do
!$omp section
  do i = 1, steps
     if (weights(iand(i, 255)) > 0) right = right + 1 ! sharing: false left
  end do
!$omp end parallel sections
  if (left /= right) error stop 'wrong sum'
end program
