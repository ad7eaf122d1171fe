using System;
using System.Collections.Generic;

/** Reads records in batches. Arguments: batch, batches, keep, drop or wrong. */
public static class Load {
    public static void Main(string[] args) {
        int size = int.Parse(args[0]), batches = int.Parse(args[1]);
        var cache = new List<byte[]>();
        for (int i = 0; i < batches; i++) {
            var batch = new byte[size << 16];
            for (int at = 0; at < batch.Length; at += 4096) {
                batch[at] = 1;
            }
            if (args[2] == "keep") {
                cache.Add(batch);
            }
            Console.WriteLine($"batch {i + 1}/{batches}");
        }
        if (args[2] == "wrong") {
            Console.WriteLine(cache[0].Length);
        }
        Console.WriteLine("done");
    }
}
