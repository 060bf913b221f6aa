package kernels

import (
	_ "embed"
	"regexp"
	"sync"
)

//go:embed kernels.ptx
var ptx string

// Capability is the least compute capability of a GPU that can run the text, ten
// times: 75 is 7.5.
const Capability = 75

// PTX returns the text that holds all functions. A driver loads it as one
// module.
func PTX() string { return ptx }

// Functions returns the names of the functions in the text, in its order.
func Functions() []string { return functions() }

var functions = sync.OnceValue(func() []string {
	var names []string
	for _, match := range regexp.MustCompile(`(?m)^\.visible \.entry (\w+)\(`).FindAllStringSubmatch(ptx, -1) {
		names = append(names, match[1])
	}
	return names
})
