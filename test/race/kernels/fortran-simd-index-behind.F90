! SPDX-License-Identifier: BSD-3-Clause
! simd: the loop variable goes on behind the loop with the rest.
! The fixed loop does whole groups of four by lanes; in the racy one, lanes also update the count of
! what is done (OpenMP 5.2, 5.1.1).
program rest
  implicit none
  integer :: a(103)

  a = 0
  if (fill(103) /= 103 .or. fill(7) /= 7) stop 1
  if (any(a(:7) /= 2) .or. any(a(8:) /= 1)) stop 2
contains
  integer function fill(n) result(done)
    integer, intent(in) :: n
    integer :: i

    done = 0
    !$omp simd
    do i = 1, n - mod(n, 4)
       a(i) = a(i) + 1
#ifndef FIXED
       done = done + 1 ! race: write done; race: read done
#endif
    end do
#ifdef FIXED
    done = i - 1
#endif
    do while (i <= n)
       a(i) = a(i) + 1
       i = i + 1
       done = done + 1
    end do
  end function
end program
