package misuse_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/misuse"
)

func TestStatus(t *testing.T) {
	wrong := misuse.Newf("no task %q", "x")
	require.EqualError(t, wrong, `no task "x"`)
	require.Equal(t, 2, misuse.Status(wrong))
	require.Equal(t, 2, misuse.Status(fmt.Errorf("list: %w", wrong)))
	require.Equal(t, 1, misuse.Status(errors.New("the disk is full")))
}
