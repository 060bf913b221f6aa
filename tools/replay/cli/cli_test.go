package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTwoDashes(t *testing.T) {
	require.Equal(t,
		[]string{"check", "--json", "--json=true", "--limit", "24GiB", "--alloc-conf", "a:1", "-h", "-5", "-", "--", "-json"},
		twoDashes([]string{"check", "-json", "--json=true", "-limit", "24GiB", "-alloc-conf", "a:1", "-h", "-5", "-", "--", "-json"}))
}
