! SPDX-License-Identifier: BSD-3-Clause
! A Fortran program that stops in a task: its main is not gdb's.
program heat
  implicit none
  integer :: cell
  real :: rod(4)
  rod = 1.0
!$omp parallel num_threads(1)
!$omp single
  do cell = 1, 4
!$omp task firstprivate(cell)
    call warm(cell, rod)
!$omp end task
  end do
!$omp end single
!$omp end parallel
  print *, sum(rod)
contains
  subroutine warm(cell, rod)
    integer, intent(in) :: cell
    real, intent(inout) :: rod(:)
    rod(cell) = rod(cell) + 1
  end subroutine
end program
