! SPDX-License-Identifier: BSD-3-Clause
! data: a local variable of a subroutine has an initial value in its declaration.
! It then has the SAVE attribute, and variables with SAVE in called procedures are shared (OpenMP
! 5.2, 5.1.2). The fixed one is assigned its value instead.
module sums
  implicit none
contains
  integer function sum_to(n)
    integer, intent(in) :: n
    integer :: i
#ifdef FIXED
    integer :: total
#else
    integer :: total = 0
#endif

    total = 0 ! race: write total
    do i = 1, n
       total = total + i ! race: write total
    end do
    sum_to = total ! race: read total
  end function
end module

program initialized
  use sums
  implicit none
  integer :: i, wrong

  wrong = 0
  !$omp parallel do reduction(+: wrong)
  do i = 1, 60
     if (sum_to(i) /= i * (i + 1) / 2) wrong = wrong + 1
  end do
  if (wrong /= 0) stop 1
end program
