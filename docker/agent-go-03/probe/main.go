// probe asks for a URL and ends with 0 where it is answered with 200: the image has no other program to do it.
package main

import (
	"fmt"
	"net/http"
	"os"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "probe: give it one URL")
		os.Exit(2)
	}
	client := http.Client{Timeout: 2 * time.Second}
	response, err := client.Get(os.Args[1])
	if err != nil {
		fmt.Fprintf(os.Stderr, "probe: %v\n", err)
		os.Exit(1)
	}
	if response.StatusCode != http.StatusOK {
		fmt.Fprintf(os.Stderr, "probe: %s answers %s\n", os.Args[1], response.Status)
		os.Exit(1)
	}
}
