// Goroutines that never end ("routines"), or a file that is read whole ("file").
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	size, _ := strconv.Atoi(os.Args[2])
	if os.Args[1] == "routines" {
		never := make(chan int)
		for i := 1; ; i++ {
			go func() {
				buffer := []byte(strings.Repeat("x", size<<10))
				<-never
				fmt.Println(len(buffer))
			}()
			if i%200 == 0 {
				fmt.Printf("handled %d requests\n", i)
				time.Sleep(20 * time.Millisecond)
			}
		}
	}
	fmt.Println("loading the data set")
	parts := [][]string{}
	for i := 1; ; i++ {
		parts = append(parts, strings.Split(strings.Repeat("some words of a line ", size<<6), " "))
		if i%10 == 0 {
			fmt.Printf("file %d loaded\n", i)
		}
	}
}
