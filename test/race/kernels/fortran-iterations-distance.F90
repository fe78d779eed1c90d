! SPDX-License-Identifier: BSD-3-Clause
! iterations: one iteration reads what the one three before it writes.
! The fixed one reads from the array of the inputs.
program distance
  implicit none
  integer, parameter :: n = 800, at = 300
  real :: before(n), after(n), value
  integer :: i

  before = 1.0
  after = 1.0
  !$omp parallel do private(value)
  do i = 4, n
     value = 2.0
#ifdef FIXED
     if (i == at) value = before(i - 3)
#else
     if (i == at) value = after(i - 3) ! race: read after
#endif
     after(i) = value ! race: write after
  end do
  if (any(after(at + 1:) /= 2.0)) stop 1
end program
