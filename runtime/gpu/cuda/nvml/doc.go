// Package nvml asks NVIDIA's management library about a GPU, as nvidia-smi does:
// which processes use it, and how busy its memory is. The CUDA driver knows neither.
//
// The library comes with the driver. It is loaded when somebody asks, so a machine
// without it runs everything else. All of this is behind the tag cuda.
//
// NVIDIA has a binding for Go, go-nvml. It is not used, because a program with it
// must be linked in a way of its own: it names functions that older drivers lack,
// and Debian's and Ubuntu's linkers have all names looked up before main. Five
// functions, whose form NVIDIA has promised to keep, are less than that.
package nvml
