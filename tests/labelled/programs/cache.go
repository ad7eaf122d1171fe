// A cache without a bound.
package main

import "fmt"

func main() {
	cache := map[int][]byte{}
	for i := 1; ; i++ {
		page := make([]byte, 256<<10)
		for j := range page {
			page[j] = byte(j)
		}
		cache[i] = page
		if i%100 == 0 {
			fmt.Printf("pages cached: %d\n", len(cache))
		}
	}
}
