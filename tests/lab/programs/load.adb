--  Reads records in batches. Arguments: batch, batches, keep, drop or wrong.
with Ada.Command_Line; use Ada.Command_Line;
with Ada.Text_IO;      use Ada.Text_IO;
with Ada.Unchecked_Deallocation;

procedure Load is
   type Bytes is array (Long_Integer range <>) of Character;
   type Batch is access Bytes;
   procedure Free is new Ada.Unchecked_Deallocation (Bytes, Batch);
   Size    : constant Long_Integer := Long_Integer'Value (Argument (1));
   Batches : constant Positive := Positive'Value (Argument (2));
   Cache   : array (1 .. Batches) of Batch;
   First   : array (1 .. 3) of Integer := (others => 0);
begin
   for I in Cache'Range loop
      Cache (I) := new Bytes'(1 .. Size * 65_536 => 'x');
      if Argument (3) = "drop" then
         Free (Cache (I));
      end if;
      Put_Line ("batch" & I'Image & " of" & Batches'Image);
   end loop;
   if Argument (3) = "wrong" then
      First (Batches) := 1;
   end if;
   Put_Line ("done" & First (1)'Image);
end Load;
