//go:build cuda

package cuda

import (
	"fmt"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda/kernels"
	_ "github.com/torchmem/workbook/runtime/gpu/cuda/preflight" // cu would exit with words of its own
)

// open does the work of [Open], on the thread. The order matters: the profile
// comes last, because it measures what the steps before it took.
func (d *Driver) open(ordinal int) error {
	for _, step := range []func() error{
		func() error { return d.choose(ordinal) },
		d.isYoungEnough,
		d.makeContext,
		d.loadKernels,
		d.pinRing,
		d.readProfile,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// choose finds the device of that number.
func (d *Driver) choose(ordinal int) error {
	n, err := cu.NumDevices()
	if err != nil {
		return d.check("cuDeviceGetCount", err)
	}
	if ordinal < 0 || ordinal >= n {
		return fmt.Errorf("the NVIDIA driver finds %d, numbered from 0", n)
	}
	d.device, err = cu.GetDevice(ordinal)
	return d.check("cuDeviceGet", err)
}

// isYoungEnough refuses a GPU that the kernels were not made for. The NVIDIA
// driver would refuse them too, and not say which GPU they need.
func (d *Driver) isYoungEnough() error {
	major, minor, err := d.device.ComputeCapability()
	if err != nil {
		return d.check("cuDeviceGetAttribute", err)
	}
	if have, need := 10*major+minor, kernels.Capability; have < need {
		return fmt.Errorf("its compute capability is %d.%d, and the kernels need %d.%d", major, minor, need/10, need%10)
	}
	return nil
}

func (d *Driver) makeContext() (err error) {
	d.context, err = d.device.MakeContext(cu.SchedAuto)
	return d.check("cuCtxCreate", err)
}

// loadKernels hands the kernels to the NVIDIA driver, which translates them for
// this GPU. The first time that takes some seconds; it keeps the result in the
// user's home directory.
func (d *Driver) loadKernels() error {
	module, err := cu.LoadData(kernels.PTX())
	if err != nil {
		return d.check("cuModuleLoadData", err)
	}
	d.functions = map[string]cu.Function{}
	for _, name := range kernels.Functions() {
		f, err := module.Function(name)
		if err != nil {
			return d.check("cuModuleGetFunction "+name, err)
		}
		d.functions[name] = f
	}
	return nil
}

// readProfile asks the device what it is.
func (d *Driver) readProfile() error {
	title, err := d.device.Name()
	if err != nil {
		return d.check("cuDeviceGetName", err)
	}
	facts, err := d.device.Attributes(cu.MultiprocessorCount, cu.MaxThreadsPerMultiprocessor, cu.ComputeCapabilityMajor)
	if err != nil {
		return d.check("cuDeviceGetAttribute", err)
	}
	free, total, err := cu.MemInfo()
	if err != nil {
		return d.check("cuMemGetInfo", err)
	}
	d.profile = gpu.Profile{
		Name: "cuda", Title: title,
		TotalMemory: total, ContextMemory: total - free, ProcessMemory: total - free,
		Multiprocessors: facts[0], ThreadsPerMultiprocessor: facts[1],
		BlasWorkspace: gpu.BlasWorkspaceFor(facts[2]), BlasLtWorkspace: gpu.BlasLtWorkspace,
		Verified: title == gpu.DefaultProfile().Title,
	}
	return nil
}
