package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// scalar returns the number that an operand is beside t, if it is one: a Go
// number, or a tensor of no dimensions on the CPU beside one on a GPU.
func (t *Tensor) scalar(operand any) (float64, bool) {
	switch x := operand.(type) {
	case int:
		return float64(x), true
	case int64:
		return float64(x), true
	case float32:
		return float64(x), true
	case float64:
		return x, true
	case Number:
		return x.Float64(), true
	case Value:
		return ValueOf(x).besides(t)
	}
	return 0, false
}

// besides returns the number that t is beside a tensor on a GPU, if it is one,
// and ends it if it is a temporary.
func (t *Tensor) besides(other *Tensor) (float64, bool) {
	t.check()
	other.check()
	if t.raw.Device().IsGPU() || !other.raw.Device().IsGPU() || len(t.raw.Shape()) > 0 || t.RequiresGrad() {
		return 0, false
	}
	return t.Values()[0], true
}

// value returns the tensor that an operand is.
func value(operand any) *Tensor {
	v, ok := operand.(Value)
	if !ok {
		tensor.Raise("unsupported operand type: %T is neither a tensor nor a number", operand)
	}
	return ValueOf(v)
}

// ValueOf returns the tensor that a value stands for. It panics where it stands
// for none: a nil, which Go's compiler lets pass, a deleted name, a temporary
// that is gone.
func ValueOf(v Value) *Tensor {
	if v == nil {
		v = (*Tensor)(nil)
	}
	t := v.Value()
	t.check()
	return t
}
