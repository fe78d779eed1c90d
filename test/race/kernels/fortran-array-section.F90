! SPDX-License-Identifier: BSD-3-Clause
! hidden: overlapping array sections are passed to a subroutine that all threads call.
! The last element of one section is the first one of the next (OpenMP 5.2, 1.4.1). The fixed
! sections do not overlap.
module blocks
  implicit none
contains
  subroutine increment(part, n)
    integer, intent(in) :: n
    integer, intent(inout) :: part(n)
    integer :: i

    do i = 1, n
       part(i) = part(i) + 1 ! race: write part
    end do
  end subroutine
end module

program overlap
  use blocks
  implicit none
  integer :: a(101), block

  a = 0
  !$omp parallel do schedule(dynamic)
  do block = 0, 9
#ifdef FIXED
     call increment(a(10 * block + 1:10 * block + 10), 10)
#else
     call increment(a(10 * block + 1:10 * block + 11), 11)
#endif
  end do
  if (a(1) /= 1 .or. a(100) < 1) stop 1
end program
