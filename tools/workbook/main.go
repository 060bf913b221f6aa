// Command workbook is the learner's helper.
//
//	go run ./tools/workbook
//
// It shows what there is to do, grades it, gives hints, and remembers. The
// package cli says what can be typed.
package main

import (
	"os"

	"github.com/torchmem/workbook/tools/workbook/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
