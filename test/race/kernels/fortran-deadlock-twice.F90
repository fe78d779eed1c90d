! SPDX-License-Identifier: BSD-3-Clause
! deadlock: a function sets the lock that its caller has set.
! The task that owns a simple lock must not set it again (OpenMP 5.2, 18.9.4). The fixed one unsets it
! before the call.
module counting
  use omp_lib
  implicit none
  integer(omp_lock_kind), save :: counter
  integer, save :: count = 0
contains
  integer function next_number()
    call omp_set_lock(counter) ! deadlock: lock counter
    count = count + 1
    next_number = count
    call omp_unset_lock(counter)
  end function
end module

program deadlock
  use counting
  implicit none
  integer :: largest = 0, mine

  call omp_init_lock(counter)
  !$omp parallel private(mine)
  call omp_set_lock(counter) ! deadlock: lock counter
#ifdef FIXED
  call omp_unset_lock(counter)
#endif
  mine = next_number()
  !$omp atomic
  largest = max(largest, mine)
#ifndef FIXED
  call omp_unset_lock(counter)
#endif
  !$omp end parallel
  call omp_destroy_lock(counter)
end program
