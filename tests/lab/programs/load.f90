! Reads records in batches. Arguments: batch, batches, keep, drop or retry.
program load
  implicit none
  type :: block
    real(8), allocatable :: values(:)
  end type
  integer :: size, batches, i, status
  character(len=32) :: word, what
  type(block), allocatable :: cache(:)
  call get_command_argument(1, word); read (word, *) size
  call get_command_argument(2, word); read (word, *) batches
  call get_command_argument(3, what)
  allocate (cache(batches))
  do i = 1, batches
    if (what == 'retry') then
      do
        allocate (cache(i)%values(size * 8192_8), stat=status)
        if (status == 0) exit
        size = size / 2
        print '(a,i0,a)', 'could not allocate the block, going on with blocks of ', size, ' records'
      end do
    else
      allocate (cache(i)%values(size * 8192_8))
    end if
    cache(i)%values = i
    if (what /= 'keep') deallocate (cache(i)%values)
    print '(a,i0,a,i0)', 'block ', i, ' of ', batches
    flush (6)
  end do
  if (what == 'beyond') print *, cache(batches + 1)%values(1)
  print '(a)', 'done'
end program
