! SPDX-License-Identifier: BSD-3-Clause
! OpenACC's directives and routines from Fortran: gfortran picks the name for a length of four or eight
! bytes or for an array, passes descriptors of sections, and adds what its declare directive needs.
module shared
  implicit none
  integer, parameter :: length = 60
  integer, save :: table(length)
  !$acc declare create(table)
end module

program fortran_program
  use openacc
  use shared
  use iso_c_binding, only: c_int32_t, c_int64_t, c_size_t
  implicit none
  integer :: failures = 0

  call check_runtime()
  call devices()
  call data_routines()
  call queues()
  call constructs()
  if (failures /= 0) stop 1

contains

  subroutine check(held, what)
    logical, intent(in) :: held
    character(*), intent(in) :: what
    if (held) return
    failures = failures + 1
    print '(2a)', 'expected true, found false: ', what
  end subroutine

  ! The runtime in the process must be the one under test.
  subroutine check_runtime()
    character(4096) :: wanted, line
    integer :: unit, status
    logical :: found

    call get_environment_variable('RUNTIME_UNDER_TEST', wanted)
    wanted = wanted(1:index(wanted, '/', back=.true.))
    found = .false.
    open (newunit=unit, file='/proc/self/maps', action='read', status='old')
    do
      read (unit, '(a)', iostat=status) line
      if (status /= 0) exit
      if (index(line, '/libgomp.so.1') > 0) &
        found = wanted /= '' .and. index(line, trim(wanted) // 'libgomp.so.1') > 0
    end do
    close (unit)
    call check(found, 'the runtime is the one in ' // trim(wanted))
  end subroutine

  subroutine devices()
    character(6) :: name
    integer(c_size_t) :: memory

    call acc_set_device_type(acc_device_host)
    call acc_shutdown(acc_device_host)
    call acc_init(acc_device_host)
    call acc_set_device_num(0, acc_device_host)
    call check(acc_get_num_devices(acc_device_host) == 1, 'one host')
    call check(acc_get_num_devices(acc_device_nvidia) == 0, 'no other device')
    call check(acc_get_device_type() == acc_device_host, 'the type is host')
    call check(acc_get_device_num(acc_device_host) == 0, 'the number is 0')
    call check(acc_on_device(acc_device_host), 'on the host')
    call check(.not. acc_on_device(acc_device_not_host), 'on no other device')
    memory = acc_get_property(0, acc_device_host, acc_property_memory)
    call check(memory == 0, 'memory of the host is not known')
    call acc_get_property_string(0, acc_device_host, acc_property_name, name)
    call check(name == 'GOMP  ', 'the name is filled with blanks')
    call acc_shutdown(acc_device_host)
  end subroutine

  subroutine data_routines()
    integer :: a(length), grid(4, 5)
    integer(c_int32_t) :: bytes
    integer(c_int64_t) :: long_bytes

    a = 17
    grid = 18
    bytes = 4 * length
    long_bytes = bytes
    call acc_copyin(a)
    call acc_copyin(a, bytes)
    call acc_copyin(a, long_bytes)
    call acc_create(grid)
    call acc_present_or_copyin(a(3:9))
    call acc_present_or_create(grid(:, 2))
    call acc_update_self(a)
    call acc_update_device(a, bytes)
    call acc_update_self_async(a(1:3), 1)
    call acc_copyin_async(a, bytes, 1)
    call acc_delete_async(grid, 1)
    call check(acc_is_present(a), 'the array is present')
    call check(acc_is_present(a, bytes), 'so many bytes are present')
    call check(acc_is_present(grid(2:3, 1)), 'a section is present')
    call acc_copyout_finalize(a)
    call acc_delete_finalize(grid)
    call acc_copyout(a, long_bytes)
    call check(all(a == 17) .and. all(grid == 18), 'data is as it was')
  end subroutine

  subroutine queues()
    integer :: a(length), i

    !$acc parallel loop async(1) copy(a)
    do i = 1, length
      a(i) = i
    end do
    call acc_wait_async(1, 2)
    !$acc parallel loop async(2) copy(a)
    do i = 1, length
      a(i) = a(i) - i
    end do
    call acc_wait(2)
    call check(acc_async_test(2), 'a queue waited for is empty')
    call check(all(a == 0), 'both loops ran in order')
    call acc_wait_all_async(3)
    call acc_wait_all()
    call check(acc_async_test_all(), 'all queues are empty')
  end subroutine

  subroutine constructs()
    integer, allocatable :: a(:)
    integer :: i, total, own(3)
    real(8) :: largest

    allocate (a(length))
    total = 0
    largest = 0
    own = 5
    !$acc data create(a)
    !$acc kernels loop
    do i = 1, length
      a(i) = 2 * i
      table(i) = i
    end do
    !$acc parallel loop reduction(+:total) reduction(max:largest) firstprivate(own)
    do i = 1, length
      own(1) = a(i) - table(i)
      total = total + own(1)
      largest = max(largest, real(a(i), 8))
    end do
    !$acc update self(a, table)
    !$acc end data
    call check(total == length * (length + 1) / 2, 'a reduction over all iterations')
    call check(largest == 2 * length, 'the largest of all iterations')
    call check(all(own == 5), 'firstprivate arrays are copies')
    call check(sum(table) == total, 'a module variable of a declare directive')
    call check(optional_sum(a) == 2 * total .and. optional_sum() == 0, 'an absent argument')
  end subroutine

  integer function optional_sum(values)
    integer, intent(in), optional :: values(:)
    integer :: i

    optional_sum = 0
    !$acc parallel copy(optional_sum) copyin(values) num_gangs(1)
    if (present(values)) then
      do i = 1, size(values)
        optional_sum = optional_sum + values(i)
      end do
    end if
    !$acc end parallel
  end function
end program
