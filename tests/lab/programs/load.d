// Reads records in batches. Arguments: batch, batches, keep or drop.
import std.conv, std.stdio;

void main(string[] args)
{
    ubyte[][] cache;
    foreach (i; 1 .. args[2].to!int + 1)
    {
        auto batch = new ubyte[](args[1].to!size_t << 16);
        batch[] = 1;
        if (args[3] == "keep")
            cache ~= batch;
        writefln("batch %d/%s", i, args[2]);
        stdout.flush();
    }
}
