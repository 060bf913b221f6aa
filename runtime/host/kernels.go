package host

import (
	"maps"
	"math"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// kernel is the Go form of one kernel: it fills call.out.
type kernel func(call)

// call is one launch with its memory at hand.
type call struct {
	gpu.Kernel
	out window
	in  []window
}

// kernels is the instruction set.
var kernels = map[string]kernel{
	"copy":       elementwise1(func(a float64) float64 { return a }),
	"fill":       func(c call) { each(c, func(int) float64 { return c.Scalars[0] }) },
	"neg":        elementwise1(func(a float64) float64 { return -a }),
	"abs":        elementwise1(math.Abs),
	"sign":       elementwise1(sign),
	"exp":        elementwise1(math.Exp),
	"log":        elementwise1(math.Log),
	"sqrt":       elementwise1(math.Sqrt),
	"sin":        elementwise1(math.Sin),
	"cos":        elementwise1(math.Cos),
	"tanh":       elementwise1(math.Tanh),
	"sigmoid":    elementwise1(sigmoid),
	"relu":       elementwise1(relu),
	"gelu":       elementwise1(gelu),
	"silu":       elementwise1(silu),
	"reciprocal": elementwise1(func(a float64) float64 { return 1 / a }),

	"add_scalar": elementwiseScalar(func(a, s float64) float64 { return a + s }),
	"sub_from":   elementwiseScalar(func(a, s float64) float64 { return s - a }),
	"mul_scalar": elementwiseScalar(func(a, s float64) float64 { return a * s }),
	"div_scalar": elementwiseScalar(func(a, s float64) float64 { return a / s }),
	"pow_scalar": elementwiseScalar(math.Pow),
	"clamp_min":  elementwiseScalar(clampMin),
	"clamp_max":  elementwiseScalar(clampMax),
	"leaky_relu": elementwiseScalar(leakyRelu),

	"add": elementwise2(func(a, b float64) float64 { return a + b }),
	"sub": elementwise2(func(a, b float64) float64 { return a - b }),
	"mul": elementwise2(func(a, b float64) float64 { return a * b }),
	"div": elementwise2(func(a, b float64) float64 { return a / b }),

	"relu_backward":       elementwise2(reluBackward),
	"tanh_backward":       elementwise2(func(g, y float64) float64 { return g * (1 - y*y) }),
	"sigmoid_backward":    elementwise2(func(g, y float64) float64 { return g * y * (1 - y) }),
	"gelu_backward":       elementwise2(func(g, x float64) float64 { return g * geluSlope(x) }),
	"silu_backward":       elementwise2(func(g, x float64) float64 { return g * siluSlope(x) }),
	"leaky_relu_backward": leakyReluBackward,
	"dropout":             dropout,

	"eq":          elementwise2(func(a, b float64) float64 { return truth(a == b) }),
	"ge_scalar":   elementwiseScalar(func(a, s float64) float64 { return truth(a >= s) }),
	"le_scalar":   elementwiseScalar(func(a, s float64) float64 { return truth(a <= s) }),
	"eq_scalar":   elementwiseScalar(func(a, s float64) float64 { return truth(a == s) }),
	"isnan":       elementwise1(func(a float64) float64 { return truth(math.IsNaN(a)) }),
	"logical_and": elementwise2(func(a, b float64) float64 { return truth(a != 0 && b != 0) }),
	"logical_or":  elementwise2(func(a, b float64) float64 { return truth(a != 0 || b != 0) }),
	"where":       where,
	"masked_fill": maskedFill,

	"sum":  sum,
	"norm": norm,
	"max":  extreme(func(a, b float64) bool { return a > b }),
	"min":  extreme(func(a, b float64) bool { return a < b }),

	"softmax":              softmax,
	"softmax_backward":     softmaxBackward,
	"log_softmax":          logSoftmax,
	"log_softmax_backward": logSoftmaxBackward,
	"row_mean":             rowMean,
	"row_rstd":             rowRstd,
	"layer_norm":           layerNorm,
	"layer_norm_backward":  layerNormBackward,
	"layer_norm_weight":    layerNormWeight,

	"mse":               elementwise2(func(a, b float64) float64 { return (a - b) * (a - b) }),
	"mse_backward":      mseBackward,
	"nll_loss":          nllLoss,
	"nll_loss_backward": nllLossBackward,

	"matmul": matmul,
	"addmm":  addmm,

	"randn":     func(c call) { each(c, func(i int) float64 { return normal(c.Seed, c.Draw, i) }) },
	"rand":      func(c call) { each(c, func(i int) float64 { return uniform(c.Seed, c.Draw+uint64(i)) }) },
	"bernoulli": bernoulli,
}

// Names lists the instruction set, in alphabetical order.
func Names() []string { return slices.Sorted(maps.Keys(kernels)) }

func elementwise1(f func(a float64) float64) kernel {
	return func(c call) {
		a := c.in[0].list()
		each(c, func(i int) float64 { return f(a.get(i)) })
	}
}

func elementwiseScalar(f func(a, s float64) float64) kernel {
	return func(c call) {
		a, s := c.in[0].list(), c.Scalars[0]
		each(c, func(i int) float64 { return f(a.get(i), s) })
	}
}

func elementwise2(f func(a, b float64) float64) kernel {
	return func(c call) {
		a, b := c.in[0].list(), c.in[1].list()
		each(c, func(i int) float64 { return f(a.get(i), b.get(i)) })
	}
}
