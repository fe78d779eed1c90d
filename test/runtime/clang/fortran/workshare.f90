! SPDX-License-Identifier: BSD-3-Clause
! workshare: array statements, where, forall and reductions of arrays.
program shares
  implicit none
  real :: a(1000), b(1000), c
  integer :: i

  a = [(real(i), i = 1, 1000)]
  b = 0
  !$omp parallel shared(a, b, c)
  !$omp workshare
  b = 2 * a
  where (a > 500) b = -b
  c = sum(b)
  !$omp end workshare
  !$omp end parallel
  if (any(b(1:500) /= 2 * a(1:500)) .or. any(b(501:) /= -2 * a(501:))) stop 1
  if (abs(c - sum(b)) > 1) stop 2
end program
