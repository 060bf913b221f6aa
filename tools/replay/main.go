// Command replay repeats what an allocator did elsewhere.
//
//	go run ./tools/replay check FILE...
//
// The package cli says what can be typed.
package main

import (
	"os"

	"github.com/torchmem/workbook/tools/replay/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
