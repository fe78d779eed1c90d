! SPDX-License-Identifier: BSD-3-Clause
! data: threads use an allocatable array of a module as their work area.
! Module variables are shared in what a region calls (OpenMP 5.2, 5.1.2). The fixed subroutine
! has an automatic array.
module work
  implicit none
  integer, allocatable :: area(:)
contains
  integer function checksum(seed)
    integer, intent(in) :: seed
#ifdef FIXED
    integer :: area(16)
#endif
    integer :: i

    do i = 1, 16
       area(i) = seed + i ! race: write area
    end do
    checksum = 0
    do i = 1, 16
       checksum = checksum + area(i) ! race: read area
    end do
  end function
end module

program module_variable
  use work
  implicit none
  integer :: i, total

  allocate(area(16))
  total = 0
  !$omp parallel do reduction(+: total)
  do i = 1, 50
     total = total + checksum(i)
  end do
  if (total /= 16 * 1275 + 50 * 136) stop 1
end program
