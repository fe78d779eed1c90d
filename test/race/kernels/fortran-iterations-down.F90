! SPDX-License-Identifier: BSD-3-Clause
! iterations: a loop that counts down by two, with integer(8), and one conflict.
! The fixed one has none.
program down
  implicit none
  integer, parameter :: long = selected_int_kind(15)
  integer(long), parameter :: n = 1200, at = 602
  integer(long) :: i
  integer :: marks(n)

  marks = 0
  !$omp parallel do
  do i = n, 2, -2
     marks(i) = 1 ! race: write marks
#ifndef FIXED
     if (i == at) marks(i - 2) = 1 ! race: write marks
#endif
  end do
  if (sum(marks) /= n / 2) stop 1
end program
