{ Reads records in batches. Arguments: batch, batches, keep, drop, retry or wrong. }
program load;
{$mode objfpc}{$R+}
uses sysutils;
var
  size, batches, i: longint;
  cache: array of pointer;
  few: array of byte;
begin
  size := strtoint(paramstr(1));
  batches := strtoint(paramstr(2));
  setlength(cache, batches);
  i := 0;
  while i < batches do
  begin
    try
      getmem(cache[i], int64(size) * 65536);
      fillchar(cache[i]^, int64(size) * 65536, 1);
      if paramstr(3) <> 'keep' then freemem(cache[i]);
      i := i + 1;
      writeln('batch ', i, ' of ', batches);
    except
      on e: EOutOfMemory do
      begin
        if paramstr(3) <> 'retry' then raise;
        size := size div 2;
        writeln('heap is full (', e.message, '), reading ', size, ' records at a time');
      end;
    end;
    flush(output);
  end;
  setlength(few, 3);
  if paramstr(3) = 'wrong' then few[batches * 4] := 1;
  writeln('done');
end.
