package tensor

import "github.com/torchmem/workbook/runtime/gpu"

// MatMul returns the product of two matrices.
//
// On a GPU the result comes first, then copies of operands that the library
// cannot read as they lie, then the library's workspace.
func MatMul(a, b *Tensor) *Tensor {
	checkMatrix(a, "self")
	checkMatrix(b, "mat2")
	sameDeviceIn("mm", parameter{"self", a}, parameter{"mat2", b})
	checkProduct(a, b)
	out := Empty(a.Device(), a.dtype, a.shape[0], b.shape[1])
	return finish(out, func() { multiply(out, "matmul", a, b, (*Device).needBlas) })
}

// MatVec returns the product of a matrix and a vector.
func MatVec(a, b *Tensor) *Tensor {
	if a.shape[1] != b.shape[0] {
		Raise("size mismatch, got input (%d), mat (%s), vec (%d)", a.shape[0], ShapeString(a.shape), b.shape[0])
	}
	sameDeviceIn("addmv_", parameter{"self", a}, parameter{"vec", b})
	sameProduct(a, b)
	out := Empty(a.Device(), a.dtype, a.shape[0])
	return finish(out, func() {
		column := Unsqueeze(b, 1)
		defer column.Drop()
		result := Unsqueeze(out, 1)
		defer result.Drop()
		multiply(result, "matmul", a, column, (*Device).needBlas)
	})
}

// AddMM returns the product of two matrices plus a row that is added to each
// of its rows.
//
// PyTorch gives the product to cuBLASLt, which adds the row on the way and has
// a workspace of its own, unless the second matrix has a single row or column.
func AddMM(bias, a, b *Tensor) *Tensor {
	checkMatrix(a, "mat1")
	checkMatrix(b, "mat2")
	sameDeviceIn("addmm", parameter{"self", bias}, parameter{"mat1", a}, parameter{"mat2", b})
	checkProduct(a, b)
	row := Expand(bias, a.shape[0], b.shape[1])
	defer row.Drop()
	out := Empty(a.Device(), a.dtype, row.shape...)
	library := (*Device).needBlas
	if b.shape[0] > 1 && b.shape[1] > 1 {
		library = (*Device).needBlasLt
	}
	return finish(out, func() { multiply(out, "addmm", a, b, library, row.operand()) })
}

// multiply launches a product into out.
func multiply(out *Tensor, kernel string, a, b *Tensor, library func(d *Device), more ...gpu.Operand) {
	a = readable(a)
	defer a.Drop()
	b = readable(b)
	defer b.Drop()
	library(a.Device())
	a.Device().launch(gpu.Kernel{
		Name: kernel, Out: out.operand(),
		In: append([]gpu.Operand{a.operand(), b.operand()}, more...),
	})
}

// checkMatrix refuses what has other than two dimensions. PyTorch calls the
// operand by the name of its parameter.
func checkMatrix(x *Tensor, parameter string) {
	if len(x.shape) != 2 {
		Raise("%s must be a matrix", parameter)
	}
}

func checkProduct(a, b *Tensor) {
	if a.shape[1] != b.shape[0] {
		Raise("mat1 and mat2 shapes cannot be multiplied (%s and %s)", ShapeString(a.shape), ShapeString(b.shape))
	}
	sameProduct(a, b)
}

// sameProduct refuses factors of different types.
func sameProduct(a, b *Tensor) {
	word := map[gpu.DType]string{gpu.Float32: "float", gpu.Float64: "double", gpu.Int64: "int64_t", gpu.Uint8: "unsigned char", gpu.Bool: "bool"}
	if a.dtype != b.dtype {
		Raise("expected m1 and m2 to have the same dtype, but got: %s != %s", word[a.dtype], word[b.dtype])
	}
	if !IsFloat(a.dtype) {
		RaiseUnsupported("\"addmm_cuda\" not implemented for '%s'", TypeWord(a.dtype))
	}
}

// readable returns x itself, once more, where its rows or its columns lie
// without gaps, and a compact copy otherwise: an expanded gradient, whose
// elements are all one number, is such a case.
func readable(x *Tensor) *Tensor {
	rows, cols := x.shape[0], x.shape[1]
	switch {
	case x.Dense(),
		x.stride[0] == 1 && x.stride[1] >= max(1, rows),
		x.stride[1] == 1 && x.stride[0] >= max(1, cols):
		return x.Retain(Temporary)
	}
	return Compact(x)
}
