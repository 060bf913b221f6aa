package gpu

// DType is the type of one element.
type DType uint8

// The element types that kernels know.
const (
	Float32 DType = iota
	Float64
	Int64
	Uint8
	Bool
)

// Size returns the bytes of one element.
func (t DType) Size() int64 {
	switch t {
	case Float64, Int64:
		return 8
	case Uint8, Bool:
		return 1
	default:
		return 4
	}
}

// String returns the name that PyTorch gives the type, without its prefix.
func (t DType) String() string {
	switch t {
	case Float64:
		return "float64"
	case Int64:
		return "int64"
	case Uint8:
		return "uint8"
	case Bool:
		return "bool"
	default:
		return "float32"
	}
}

// Array is a piece of host memory that a driver can copy from or to. Its
// bytes may be computed when they are asked for the first time.
type Array interface {
	// Len returns the length in bytes.
	Len() int64
	// Bytes returns the content. The caller must not change it.
	Bytes() []byte
}

// Operand is what a kernel reads or writes: a strided window on memory that
// starts at Base. Shape and Stride count elements; a stride of zero repeats
// one element, which is how broadcasting reaches a kernel.
type Operand struct {
	Base   Ptr
	Type   DType
	Shape  []int
	Stride []int
	Offset int
	// Number is set where the operand is one element of host memory, which
	// travels with the launch. It is no address then.
	Number Array
}

// Elements returns the number of elements that the window shows.
func (o Operand) Elements() int {
	n := 1
	for _, d := range o.Shape {
		n *= d
	}
	return n
}

// Kernel is one launch: a name that all drivers know, what it writes, what it
// reads, and its scalar arguments. Kernels that draw random numbers take the
// generator's seed and the number of the first draw, so that the same state
// gives the same numbers on every driver.
type Kernel struct {
	Name    string
	Out     Operand
	In      []Operand
	Scalars []float64
	Seed    uint64
	Draw    uint64
}
