package cuda

// Options choose what [Open] opens. The zero value is the first GPU.
type Options struct {
	// Device is the number of the GPU, as the NVIDIA driver counts those
	// that CUDA_VISIBLE_DEVICES leaves.
	Device int
}
