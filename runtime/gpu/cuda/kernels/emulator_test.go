package kernels_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda/kernels"
)

// emulator is a driver whose GPU is a process: the kernels, compiled as C++, run
// there on the CPU. testdata/emulator.cpp is that process.
type emulator struct {
	mu sync.Mutex
	in io.Writer
	io.Reader
}

// openEmulator builds the process from sources in a folder and starts it. It
// passes over the test where there is no C++ compiler.
func openEmulator(t *testing.T, sources string) *emulator {
	t.Helper()
	compiler, err := exec.LookPath("g++")
	if err != nil {
		t.Skip("no g++ to compile the kernels for the CPU with")
	}
	program := filepath.Join(t.TempDir(), "emulator")
	said, err := exec.Command(compiler, "-std=c++17", "-O1", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-o", program,
		filepath.Join(sources, "testdata", "emulator.cpp")).CombinedOutput()
	require.NoError(t, err, "%s", said)
	return startEmulator(t, program)
}

func startEmulator(t *testing.T, program string) *emulator {
	t.Helper()
	process := exec.Command(program)
	var complaints bytes.Buffer
	process.Stderr = &complaints
	in, err := process.StdinPipe()
	require.NoError(t, err)
	out, err := process.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		_ = in.Close()
		require.NoError(t, process.Wait(), "%s", complaints.String())
	})
	return &emulator{in: in, Reader: out}
}

// ask sends words and bytes, and reads an answer.
func (e *emulator) ask(answer []byte, command byte, what ...any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	var request bytes.Buffer
	for _, part := range append([]any{uint64(command)}, what...) {
		if err := binary.Write(&request, binary.NativeEndian, part); err != nil {
			return err
		}
	}
	if _, err := e.in.Write(request.Bytes()); err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	if _, err := io.ReadFull(e, answer); err != nil {
		return fmt.Errorf("emulator: %w", err)
	}
	return nil
}

func (e *emulator) Malloc(size int64) (gpu.Ptr, error) {
	answer := make([]byte, 8)
	err := e.ask(answer, 'm', size)
	return gpu.Ptr(binary.NativeEndian.Uint64(answer)), err
}

func (e *emulator) Free(p gpu.Ptr) error { return e.ask(nil, 'f', uint64(p)) }

func (e *emulator) Upload(dst gpu.Ptr, src gpu.Array, _ gpu.Stream) error {
	return e.ask(nil, 'u', uint64(dst), src.Len(), src.Bytes())
}

func (e *emulator) Download(src gpu.Ptr, size int64, _ gpu.Stream) (gpu.Array, error) {
	answer := make(content, size)
	return answer, e.ask(answer, 'd', uint64(src), size)
}

func (e *emulator) Launch(k gpu.Kernel, _ gpu.Stream) error {
	steps, err := kernels.Plan(k)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := e.launch(s); err != nil {
			return err
		}
	}
	return nil
}

func (e *emulator) launch(s kernels.Step) error {
	var name [32]byte
	copy(name[:], s.Function)
	found := make([]byte, 8)
	err := e.ask(found, 'l', name, uint64(s.Grid[0]), uint64(s.Block[0]), uint64(s.Block[1]), uint64(len(s.Words)), s.Words)
	if err == nil && found[0] == 0 {
		return fmt.Errorf("the emulator has no function %s of %d words", s.Function, len(s.Words))
	}
	return err
}

func (e *emulator) Discard(gpu.Ptr)                      {}
func (e *emulator) MemInfo() (free, total int64)         { return 0, 0 }
func (e *emulator) NewStream() (gpu.Stream, error)       { return 0, nil }
func (e *emulator) Record(gpu.Stream) (gpu.Event, error) { return 0, nil }
func (e *emulator) Done(gpu.Event) (bool, error)         { return true, nil }
func (e *emulator) Wait(gpu.Event) error                 { return nil }
func (e *emulator) Synchronize() error                   { return nil }
func (e *emulator) Profile() gpu.Profile                 { return gpu.DefaultProfile() }

// content is host memory.
type content []byte

func (c content) Len() int64    { return int64(len(c)) }
func (c content) Bytes() []byte { return c }
