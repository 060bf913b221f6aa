//go:build cuda

package preflight_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestComesBeforeCu holds what makes Go initialise this package before cu: its
// path stands before cu's, and it imports nothing that cu does not import.
func TestComesBeforeCu(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command is not here to ask")
	}
	const own, cu = "github.com/torchmem/workbook/runtime/gpu/cuda/preflight", "gorgonia.org/cu"
	require.Less(t, own, cu)
	theirs := dependencies(t, cu)
	for _, one := range dependencies(t, own) {
		if one != own {
			require.Contains(t, theirs, one, "cu may be ready before this package is")
		}
	}
}

func dependencies(t *testing.T, of string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-tags", "cuda", "-deps", of).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}
