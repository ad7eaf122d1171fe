// Reads records in batches. Arguments: batch, batches, keep or drop.
package main

import (
	"fmt"
	"os"
	"strconv"
)

var cache [][]byte

func readBatch(size int) []byte {
	batch := make([]byte, size<<16)
	for i := range batch {
		batch[i] = 1
	}
	return batch
}

func main() {
	size, _ := strconv.Atoi(os.Args[1])
	batches, _ := strconv.Atoi(os.Args[2])
	for i := 0; i < batches; i++ {
		batch := readBatch(size)
		if os.Args[3] == "keep" {
			cache = append(cache, batch)
		}
		fmt.Printf("batch %d/%d\n", i+1, batches)
	}
	fmt.Println("done")
}
