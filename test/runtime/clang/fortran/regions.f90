! SPDX-License-Identifier: BSD-3-Clause
! parallel with its clauses, nested, sections, single with copyprivate, master, masked, barrier, critical,
! atomic, threadprivate with copyin, locks, flush.
module own
  integer, save :: number = -1
  !$omp threadprivate(number)
end module

program regions
  use omp_lib
  use own
  implicit none
  integer :: threads, wrong, first, second, copy, total, inner, mine, shared_count, alone
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest

  wrong = 0
  total = 0
  alone = 0
  call omp_set_dynamic(.false.)
  call omp_set_max_active_levels(2)
  threads = omp_get_max_threads()
  mine = 42
  !$omp parallel firstprivate(mine) reduction(+:total) default(shared)
  if (mine /= 42) wrong = wrong + 1
  mine = omp_get_thread_num()
  total = total + 1 + mine
  !$omp end parallel
  if (total /= threads + threads * (threads - 1) / 2) wrong = wrong + 1

  inner = 0
  !$omp parallel num_threads(3)
  !$omp parallel num_threads(2)
  !$omp atomic
  inner = inner + omp_get_level()
  !$omp end parallel
  !$omp end parallel
  if (inner /= 12) wrong = wrong + 1
  !$omp parallel if(threads < 0)
  alone = alone + omp_get_num_threads()
  !$omp end parallel
  if (alone /= 1) wrong = wrong + 1

  first = 0
  second = 0
  !$omp parallel
  !$omp sections
  !$omp section
  first = first + 1
  !$omp section
  second = second + 1
  !$omp end sections
  if (first /= 1 .or. second /= 1) then
    !$omp atomic
    wrong = wrong + 1
  end if
  !$omp end parallel

  shared_count = 0
  copy = 0
  !$omp parallel firstprivate(copy)
  !$omp single
  copy = 17
  shared_count = shared_count + 1
  !$omp end single copyprivate(copy)
  if (copy /= 17) then
    !$omp atomic
    wrong = wrong + 1
  end if
  !$omp barrier
  !$omp master
  shared_count = shared_count + 1
  !$omp end master
  !$omp barrier
  !$omp critical (named)
  shared_count = shared_count + 1
  !$omp end critical (named)
  !$omp critical
  shared_count = shared_count + 1
  !$omp end critical
  !$omp end parallel
  if (shared_count /= 2 + 2 * threads) wrong = wrong + 1

  number = 99
  !$omp parallel copyin(number)
  if (number /= 99) then
    !$omp atomic
    wrong = wrong + 1
  end if
  number = omp_get_thread_num()
  !$omp barrier
  if (number /= omp_get_thread_num()) then
    !$omp atomic
    wrong = wrong + 1
  end if
  !$omp end parallel

  call omp_init_lock(lock)
  call omp_init_nest_lock(nest)
  shared_count = 0
  inner = 0
  !$omp parallel
  call omp_set_lock(lock)
  shared_count = shared_count + 1
  call omp_unset_lock(lock)
  call omp_set_nest_lock(nest)
  call omp_set_nest_lock(nest)
  inner = inner + 1
  call omp_unset_nest_lock(nest)
  call omp_unset_nest_lock(nest)
  !$omp flush
  !$omp end parallel
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest)
  if (shared_count /= threads .or. inner /= threads) wrong = wrong + 1

  total = 0
  !$omp parallel
  !$omp atomic update
  total = total + 2
  !$omp atomic capture
  mine = total
  total = total + 1
  !$omp end atomic
  !$omp atomic read
  mine = total
  !$omp end parallel
  if (total /= 3 * threads) wrong = wrong + 1

  if (wrong /= 0) then
    print *, 'regions: checks that failed:', wrong, 'threads:', threads
    stop 1
  end if
end program
