! SPDX-License-Identifier: BSD-3-Clause
! Paths to kernel() in Fortran, as in teams.c.
!
! path: main > heat > work::first > work::solve > parallel at {solve} > work::kernel
! path: main > heat > work::second > work::solve > parallel at {solve} > work::kernel
module work
  implicit none
  integer, volatile :: turns = 200000
contains
  function kernel(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    integer :: i
    y = x
    do i = 1, turns
      y = y * 0.999999d0 + 1d-6
    end do
  end function

  subroutine solve(total)
    real(8), intent(inout) :: total
    !$omp parallel reduction(+: total) ! {solve}
    total = total + kernel(1d0)
    !$omp end parallel
    total = total + 1
  end subroutine

  subroutine first(total)
    real(8), intent(inout) :: total
    call solve(total)
    total = total + 1
  end subroutine

  subroutine second(total)
    real(8), intent(inout) :: total
    call solve(total)
    total = total + 2
  end subroutine
end module

program heat
  use work
  implicit none
  real(8) :: total = 0
  integer :: i
  do i = 1, 500
    call first(total)
    call second(total)
  end do
  print *, total > 0
end program
