! SPDX-License-Identifier: BSD-3-Clause
! synchronization: two critical constructs of different names, for one variable.
! Only constructs of the same name exclude each other (OpenMP 5.2, 15.2). The fixed ones have one
! name.
#ifdef FIXED
#define OTHER minimum
#else
#define OTHER maximum
#endif
program extremes
  implicit none
  integer :: low, high, uses, i, value

  low = 1000
  high = -1000
  uses = 0
  !$omp parallel do private(value)
  do i = 1, 300
     value = modulo(i * 37, 101)
     !$omp critical (minimum)
     if (value < low) low = value
     uses = uses + 1 ! race: write uses
     !$omp end critical (minimum)
     !$omp critical (OTHER)
     if (value > high) high = value
     uses = uses + 1 ! race: write uses
     !$omp end critical (OTHER)
  end do
  if (low /= 0 .or. high /= 100 .or. uses /= 600) stop 1
end program
