! SPDX-License-Identifier: BSD-3-Clause
! layout: races for which the text does not decide.
module counted
  integer :: common_total
contains
  subroutine add(total, value)
    integer, intent(inout) :: total
    integer, intent(in) :: value
    total = total + value
  end subroutine
end module

program layouts
  use counted
  implicit none
  integer :: i, total, joined, both, early, inner, values(50)
  equivalence (joined, values(1))

  total = 0
  both = 0
  early = 0
  common_total = 0
  values = 1
  !$omp parallel do
  do i = 1, 50
     call add(total, i)
  end do
  ! Other files may use a variable of a module.
  !$omp parallel do
  do i = 1, 50
     common_total = common_total + i
  end do
  ! It has another name.
  !$omp parallel do
  do i = 2, 50
     joined = joined + values(i)
  end do
  ! Two operations.
  !$omp parallel do
  do i = 1, 50
     both = both + i
     both = both * 2
  end do
  ! The statement's line has another one.
  !$omp parallel do
  do i = 1, 50
     early = early + i; values(i) = i
  end do
  ! An internal procedure has it, too.
  inner = 0
  !$omp parallel do
  do i = 1, 50
     inner = inner + step(i)
  end do
contains
  integer function step(i)
    integer, intent(in) :: i
    step = i + 0 * inner
  end function
end program
