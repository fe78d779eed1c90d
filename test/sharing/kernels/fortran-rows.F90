! SPDX-License-Identifier: BSD-3-Clause
!
! fortran: threads take rows of a matrix that lies in columns, so that neighbours in a column belong to different
! threads.
!
program rows
  implicit none
  integer, parameter :: n = 8, m = 512, steps = 8000
#ifdef FIXED
  integer, save :: sums(m + 16, n) ! a line that nobody uses between columns
#else
  integer, save :: sums(n, m)
#endif
  integer :: i, j, step

  sums = 0
!$omp parallel do schedule(static, 1) private(j, step)
  do i = 1, n
     do step = 1, steps
        do j = 1, m
#ifdef FIXED
           sums(j, i) = sums(j, i) + iand(step, 1)
#else
           sums(i, j) = sums(i, j) + iand(step, 1) ! sharing: false sums
#endif
        end do
     end do
  end do
  if (sum(sums) /= n * m * steps / 2) error stop 'wrong sum'
end program
