package gpu

import (
	"fmt"
	"slices"
	"strings"
)

// Profile describes a GPU as far as memory depends on it. All sizes are bytes.
type Profile struct {
	// Name is what a user types to choose the profile.
	Name string
	// Title is the name that the driver reports.
	Title string
	// TotalMemory is the device's memory.
	TotalMemory int64
	// ContextMemory is what is taken before the first allocation: the
	// driver's own share and the context of this process.
	ContextMemory int64
	// ProcessMemory is the part of ContextMemory that the driver counts
	// as this process's.
	ProcessMemory int64
	// Multiprocessors is the number of streaming multiprocessors, and
	// ThreadsPerMultiprocessor how many threads one of them keeps. They
	// decide how much scratch memory a reduction takes.
	Multiprocessors          int
	ThreadsPerMultiprocessor int
	// BlasWorkspace is what the first matrix product of a thread takes on
	// a stream, BlasLtWorkspace what the first product with a bias does.
	BlasWorkspace   int64
	BlasLtWorkspace int64
	// Verified says that the numbers of this profile were compared with
	// PyTorch on such a GPU.
	Verified bool
}

// profiles has the default first, then the others from the newest GPU on.
// The unverified ones use the public data sheets' memory and multiprocessors,
// and PyTorch's workspace rule for their architecture.
var profiles = []Profile{
	{
		Name: "h200", Title: "NVIDIA H200",
		TotalMemory: 150_109_880_320, ContextMemory: 552_402_944, ProcessMemory: 518 << 20,
		Multiprocessors: 132, ThreadsPerMultiprocessor: 2048,
		BlasWorkspace: hopperWorkspace, BlasLtWorkspace: BlasLtWorkspace,
		Verified: true,
	},
	unverified("h100", "NVIDIA H100 80GB HBM3", 80, 132, 2048, hopperWorkspace),
	unverified("a100", "NVIDIA A100-SXM4-80GB", 80, 108, 2048, ampereWorkspace),
	unverified("rtx4090", "NVIDIA GeForce RTX 4090", 24, 128, 1536, ampereWorkspace),
	unverified("t4", "Tesla T4", 16, 40, 1024, ampereWorkspace),
}

// BlasLtWorkspace is what PyTorch takes for cuBLASLt, in bytes, on every GPU.
const BlasLtWorkspace = 1 << 20

// ampereWorkspace is the cuBLAS workspace of every architecture but Hopper:
// two buffers of 4096 KiB and eight of 16 KiB. Hopper has one of its own.
const (
	ampereWorkspace = (2*4096 + 8*16) << 10
	hopperWorkspace = 32 << 20
)

// BlasWorkspaceFor returns the bytes of the cuBLAS workspace that PyTorch takes
// on a GPU whose compute capability has that major number: 9 is Hopper.
func BlasWorkspaceFor(major int) int64 {
	if major == 9 {
		return hopperWorkspace
	}
	return ampereWorkspace
}

func unverified(name, title string, gib int64, sms, threads int, workspace int64) Profile {
	return Profile{
		Name: name, Title: title,
		TotalMemory: gib << 30, ContextMemory: 552_402_944, ProcessMemory: 518 << 20,
		Multiprocessors: sms, ThreadsPerMultiprocessor: threads,
		BlasWorkspace: workspace, BlasLtWorkspace: BlasLtWorkspace,
	}
}

// DefaultProfile is the profile that the recordings were made on.
func DefaultProfile() Profile { return profiles[0] }

// ProfileNames lists the profiles, the default first.
func ProfileNames() []string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.Name
	}
	return names
}

// FindProfile returns the profile of that name. The error lists the names
// that exist.
func FindProfile(name string) (Profile, error) {
	i := slices.IndexFunc(profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, fmt.Errorf("no profile %q: there are %s", name, strings.Join(ProfileNames(), ", "))
	}
	return profiles[i], nil
}
