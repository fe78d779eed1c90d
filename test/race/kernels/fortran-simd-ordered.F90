! SPDX-License-Identifier: BSD-3-Clause
! simd: a list of the places of large values is appended to in a simd loop.
! The lanes share its length (OpenMP 5.2, 5.1.1). The fixed loop appends in an ordered simd region
! (15.10.2).
program large
  implicit none
  integer :: values(160), places(160), length, i

  length = 0
  !$omp simd
  do i = 1, 160
     values(i) = mod(i * 37, 160)
#ifdef FIXED
     !$omp ordered simd
#endif
     if (values(i) >= 80) then
        length = length + 1 ! race: write length; race: read length
        places(length) = i ! race: read length
     end if
#ifdef FIXED
     !$omp end ordered
#endif
  end do
  if (length /= 80 .or. any(places(2:80) <= places(:79))) stop 1
end program
