// Other ways for a Go program to end. Arguments: what, MiB.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func main() {
	n, _ := strconv.Atoi(os.Args[2])
	fmt.Println("starting", os.Args[1])
	switch os.Args[1] {
	case "index":
		list := make([]int, 4)
		fmt.Println(list[n])
	case "deadlock":
		<-make(chan int)
	case "map":
		seen := map[int]string{}
		for i := 0; i < n; i++ {
			seen[i] = fmt.Sprint("entry ", i)
		}
	}
	fmt.Println("done")
}
