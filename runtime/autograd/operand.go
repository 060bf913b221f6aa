package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// number returns the number that an operand is, if it is no tensor.
func number(operand any) (float64, bool) {
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
	}
	return 0, false
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
