! SPDX-License-Identifier: BSD-3-Clause
! simd: values go to places that an array gives, and two values go to one place.
! Lanes write both at once (OpenMP 5.2, 10.4). The fixed loop's places are a permutation.
subroutine scatter(n, places, values, out)
  implicit none
  integer, intent(in) :: n, places(n), values(n)
  integer, intent(inout) :: out(n)
  integer :: i

  !$omp simd
  do i = 1, n
     out(places(i)) = values(i) ! race: write out
  end do
end subroutine

program permutation
  implicit none
  integer :: places(200), values(200), out(200), i

  places = [(1 + mod(7 * i, 200), i = 1, 200)]
#ifndef FIXED
  places(83) = places(82)
#endif
  values = [(i, i = 1, 200)]
  out = 0
  call scatter(200, places, values, out)
#ifdef FIXED
  if (sum(out) /= 20100) stop 1
#else
  if (sum(out) /= 20100 - 82) stop 1
#endif
end program
