package gpu

// Virtual is what a driver offers beyond [Memory] when it can give memory to
// addresses piece by piece. Expandable segments need it. Sizes are bytes, in
// multiples of 2 MiB.
type Virtual interface {
	// Reserve takes a range of addresses without memory, as
	// cuMemAddressReserve does.
	Reserve(size int64) (Ptr, error)
	// Release gives back what Reserve returned. Nothing may be mapped in it.
	Release(p Ptr) error
	// Map gives memory to a part of a reserved range, as cuMemCreate and
	// cuMemMap do. It fails with ErrOutOfMemory when the device has no room.
	Map(p Ptr, size int64) error
	// Unmap takes the memory of a part away again.
	Unmap(p Ptr, size int64) error
}
