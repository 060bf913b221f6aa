package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// needless ends the advice on all that only a real GPU needs.
const needless = "nothing has to be done: the simulated GPU needs none"

// smiLimit is how long nvidia-smi may take. With a driver in trouble it takes
// for ever.
const smiLimit = 5 * time.Second

// gpu looks for a GPU of NVIDIA.
func gpu(ctx context.Context, s *surroundings) Finding {
	if s.system == "darwin" {
		return note("no GPU of NVIDIA, as on every Mac", needless)
	}
	nodes := s.glob("/dev/nvidia[0-9]*")
	driver := s.kernelDriver()
	if _, err := s.find("nvidia-smi"); err == nil {
		return s.askSMI(ctx, nodes, driver)
	}
	switch {
	case len(nodes) > 0:
		return ok(fmt.Sprintf("%s%s; nvidia-smi is not on the PATH", strings.Join(nodes, ", "), driver))
	case driver != "":
		return note("a driver of NVIDIA is loaded"+driver+", but no GPU can be reached", "nothing has to be done; a container sees GPUs if it is started with them")
	}
	return note("no GPU of NVIDIA", needless)
}

// askSMI asks nvidia-smi what there is.
func (s *surroundings) askSMI(ctx context.Context, nodes []string, driver string) Finding {
	text, err := s.smi(ctx)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return note(fmt.Sprintf("nvidia-smi does not answer within %v", smiLimit), "nothing has to be done for the simulated GPU; for the real one, look at its driver")
	case err != nil && len(nodes) > 0:
		return note(fmt.Sprintf("%s%s, but nvidia-smi fails: %s", strings.Join(nodes, ", "), driver, firstLine(text, err)), "nothing has to be done for the simulated GPU; for the real one, look at its driver")
	case err != nil || lines[0] == "":
		return note("nvidia-smi is there, but no GPU of NVIDIA", needless)
	case len(lines) > 1:
		return ok(fmt.Sprintf("%s, and %d more", described(lines[0]), len(lines)-1))
	}
	return ok(described(lines[0]))
}

// smi returns what nvidia-smi says of each GPU in a line. It is asked once.
func (s *surroundings) smi(ctx context.Context) (string, error) {
	s.smiOnce.Do(func() {
		hurry, stop := context.WithTimeout(ctx, smiLimit)
		defer stop()
		s.smiText, s.smiErr = s.run(hurry, call{command: "nvidia-smi", args: []string{
			"--query-gpu=name,memory.total,driver_version", "--format=csv,noheader",
		}})
	})
	return s.smiText, s.smiErr
}

// described reads what nvidia-smi says of a GPU: its name, memory and driver.
func described(line string) string {
	at := strings.LastIndex(line, ",")
	if at < 0 {
		return strings.TrimSpace(line)
	}
	return strings.TrimSpace(line[:at]) + ", driver " + strings.TrimSpace(line[at+1:])
}

// firstLine returns what a command said when it failed. nvidia-smi complains on
// its standard output.
func firstLine(text string, err error) string {
	if line, _, _ := strings.Cut(strings.TrimSpace(text), "\n"); line != "" {
		return line
	}
	return err.Error()
}

// kernelDriver returns the version of the driver in Linux's kernel, with a comma
// before it, or nothing.
func (s *surroundings) kernelDriver() string {
	text, err := os.ReadFile(s.path("/proc/driver/nvidia/version"))
	if err != nil {
		return ""
	}
	for _, word := range strings.Fields(string(text)) {
		if isVersion(word) {
			return ", driver " + word
		}
	}
	return ", driver of unknown version"
}

// isVersion reports whether a word is like 570.86.15.
func isVersion(word string) bool {
	return strings.Count(word, ".") >= 1 && strings.Trim(word, "0123456789.") == "" && word[0] != '.'
}
