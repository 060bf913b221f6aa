package kernels

import (
	"fmt"
	"math"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Step is one launch of a function of the text.
type Step struct {
	// Function is a name of [Functions].
	Function string
	// Grid counts the blocks along x, y and z, Block the threads of each.
	Grid, Block [3]int
	// Shared is the shared memory of a block in bytes beyond what the
	// function has by itself.
	Shared int
	// Words are the parameters. Each takes eight bytes.
	Words []uint64
}

// form is what Plan knows of a kernel.
type form struct {
	name    string
	plan    func(launch) ([]Step, error)
	inputs  []int // how many there may be
	scalars int   // how many there are at least
}

// launch is a kernel that is being planned.
type launch struct {
	gpu.Kernel
	number uint64 // what kernels.cu calls it
}

// forms lists the kernels in the order of the enumeration in words.cuh.
var forms = []form{
	{"copy", pointwise, []int{1}, 0}, {"fill", pointwise, []int{0}, 1},
	{"neg", pointwise, []int{1}, 0}, {"abs", pointwise, []int{1}, 0}, {"sign", pointwise, []int{1}, 0},
	{"exp", pointwise, []int{1}, 0}, {"log", pointwise, []int{1}, 0}, {"sqrt", pointwise, []int{1}, 0},
	{"sin", pointwise, []int{1}, 0}, {"cos", pointwise, []int{1}, 0}, {"tanh", pointwise, []int{1}, 0},
	{"sigmoid", pointwise, []int{1}, 0}, {"relu", pointwise, []int{1}, 0}, {"gelu", pointwise, []int{1}, 0},
	{"silu", pointwise, []int{1}, 0}, {"reciprocal", pointwise, []int{1}, 0},

	{"add_scalar", pointwise, []int{1}, 1}, {"sub_from", pointwise, []int{1}, 1}, {"mul_scalar", pointwise, []int{1}, 1},
	{"div_scalar", pointwise, []int{1}, 1}, {"pow_scalar", pointwise, []int{1}, 1},
	{"clamp_min", pointwise, []int{1}, 1}, {"clamp_max", pointwise, []int{1}, 1}, {"leaky_relu", pointwise, []int{1}, 1},

	{"add", pointwise, []int{2}, 0}, {"sub", pointwise, []int{2}, 0},
	{"mul", pointwise, []int{2}, 0}, {"div", pointwise, []int{2}, 0},

	{"relu_backward", pointwise, []int{2}, 0}, {"tanh_backward", pointwise, []int{2}, 0},
	{"sigmoid_backward", pointwise, []int{2}, 0}, {"gelu_backward", pointwise, []int{2}, 0},
	{"silu_backward", pointwise, []int{2}, 0}, {"leaky_relu_backward", pointwise, []int{2}, 1},
	{"dropout", pointwise, []int{2}, 1},

	{"eq", pointwise, []int{2}, 0}, {"ge_scalar", pointwise, []int{1}, 1}, {"le_scalar", pointwise, []int{1}, 1},
	{"eq_scalar", pointwise, []int{1}, 1}, {"isnan", pointwise, []int{1}, 0},
	{"logical_and", pointwise, []int{2}, 0}, {"logical_or", pointwise, []int{2}, 0},
	{"where", pointwise, []int{3}, 0}, {"masked_fill", pointwise, []int{2}, 1},
	{"mse", pointwise, []int{2}, 0}, {"mse_backward", pointwise, []int{3}, 1},
	{"layer_norm", pointwise, []int{3, 5}, 0},

	{"randn", draw, []int{0}, 0}, {"rand", draw, []int{0}, 0}, {"bernoulli", draw, []int{0}, 1},

	{"sum", reduce, []int{1}, 1}, {"norm", reduce, []int{1}, 0}, {"max", reduce, []int{1}, 0}, {"min", reduce, []int{1}, 0},

	{"softmax", rows, []int{1}, 0}, {"log_softmax", rows, []int{1}, 0},
	{"row_mean", moments, []int{1}, 0}, {"row_rstd", moments, []int{1}, 1},
	{"softmax_backward", rows, []int{2}, 0}, {"log_softmax_backward", rows, []int{2}, 0},
	{"layer_norm_backward", rows, []int{4, 5}, 0}, {"layer_norm_weight", normWeight, []int{4}, 0},

	{"nll_loss", nllLoss, []int{2}, 0}, {"nll_loss_backward", nllLossBackward, []int{2}, 0},
	{"matmul", matmul, []int{2}, 0}, {"addmm", matmul, []int{3}, 0},
}

// Plan returns the launches that run the kernel, in order. There are none where
// there is nothing to write. A number of host memory among the operands is read
// here.
//
// It fails with one line where there is no kernel of that name, where operands
// do not fit it, and where a window has more than eight dimensions after those
// that lie without a gap are joined.
func Plan(k gpu.Kernel) ([]Step, error) {
	i := slices.IndexFunc(forms, func(f form) bool { return f.name == k.Name })
	if i < 0 {
		return nil, fmt.Errorf("no kernel %q", k.Name)
	}
	if err := forms[i].check(k); err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	if k.Out.Elements() == 0 {
		return nil, nil
	}
	steps, err := forms[i].plan(launch{k, uint64(i)})
	if err != nil {
		return nil, fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	return steps, nil
}

// check counts what the kernel was given.
func (f form) check(k gpu.Kernel) error {
	switch {
	case !slices.Contains(f.inputs, len(k.In)):
		return fmt.Errorf("%d inputs, and it takes %v", len(k.In), f.inputs)
	case len(k.Scalars) < f.scalars:
		return fmt.Errorf("%d numbers, and it takes %d", len(k.Scalars), f.scalars)
	}
	return nil
}

// scalar returns the bits of the kernel's number, or of zero where it has none.
func (l launch) scalar() uint64 {
	if len(l.Scalars) == 0 {
		return 0
	}
	return math.Float64bits(l.Scalars[0])
}

// maxBlocks is the most blocks of a launch.
const maxBlocks = 1<<31 - 1

// steps returns a launch of as many blocks as all results take, where a block
// makes so many.
func steps(function string, results, perBlock int, block [3]int, words []uint64) ([]Step, error) {
	blocks := ceilDiv(results, perBlock)
	if blocks > maxBlocks {
		return nil, fmt.Errorf("%d elements are more than one launch can make", results)
	}
	return []Step{{Function: function, Grid: [3]int{blocks, 1, 1}, Block: block, Words: words}}, nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
