package lesson

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/device"
	"github.com/torchmem/workbook/runtime/gpu"
)

// options is what the command line says.
type options struct {
	lesson   Lesson
	programs []Program
	json     bool
	device   string
	profile  gpu.Profile
	settings caching.Config
	files    files
	pictures *pictures // nil unless some are asked for
}

const usage = `Lesson %s of the GPU memory workbook.

Usage: go run ./lessons/%s [flags]

  -json              print one JSON object for each statement instead of the page
  -program NAME      run only this program of the lesson: %s
  -device NAME       sim, a simulated GPU, or cuda, your own NVIDIA GPU, which needs
                     go run -tags cuda; WORKBOOK_DEVICE is the default, else sim
  -profile NAME      which GPU is simulated: %s (the default is %s)
  -alloc-conf TEXT   allocator settings, as PYTORCH_CUDA_ALLOC_CONF holds them;
                     that variable is the default
  -html FILE         also write a page for the browser: who holds how many bytes
                     and when, of all programs
  -svg FILE          also write the same as a still picture
  -recording FILE    also write what these are drawn from, as one JSON object a
                     program
  -snapshot FILE     also write the memory at the end of each program with the
                     history that led there, as torch.cuda.memory._dump_snapshot
                     does: PyTorch's viewer opens it. Several programs have a file
                     each, with the program's name before the ending, .pickle or
                     .pkl. If FILE ends in .json or .jsonl it is one file with one
                     JSON object a program: torch.cuda.memory_snapshot()
`

// parseOptions reads the flags. It returns flag.ErrHelp after it has printed
// the help.
func parseOptions(l Lesson, args []string, stdout io.Writer) (*options, error) {
	o := &options{lesson: l, programs: l.Programs}
	flags := flag.NewFlagSet(l.Number, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&o.json, "json", false, "")
	o.files.register(flags)
	program := flags.String("program", "", "")
	gpuName := flags.String("device", device.Chosen(), "")
	profile := flags.String("profile", "", "")
	conf := flags.String("alloc-conf", os.Getenv("PYTORCH_CUDA_ALLOC_CONF"), "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		printUsage(stdout, l)
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w (see -help)", err)
	}
	if flags.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q: a lesson takes only flags, see -help", flags.Arg(0))
	}
	if err := o.choose(*program, *gpuName, *profile, *conf); err != nil {
		return nil, err
	}
	return o, o.files.check(o.programs)
}

func printUsage(stdout io.Writer, l Lesson) {
	fmt.Fprintf(stdout, usage, l.Number, l.Number, strings.Join(l.names(), ", "),
		strings.Join(gpu.ProfileNames(), ", "), gpu.DefaultProfile().Name)
}

// choose looks up what the flags name.
func (o *options) choose(program, gpuName, profile, conf string) (err error) {
	if o.programs, err = o.lesson.choose(program); err != nil {
		return err
	}
	if err := o.chooseDevice(gpuName, profile); err != nil {
		return err
	}
	o.settings, err = caching.ParseConfig(conf)
	return explain(conf, err)
}

// explain adds to a refusal of settings what PyTorch leaves out: it names the
// function of C++ that found no number.
func explain(conf string, err error) error {
	switch {
	case err == nil:
		return nil
	case err.Error() == "stoull", err.Error() == "stod":
		return fmt.Errorf("allocator settings %q: %w (a number is expected)", conf, err)
	}
	return fmt.Errorf("allocator settings %q: %w", conf, err)
}

// choose returns the program of that name, or all for no name.
func (l Lesson) choose(name string) ([]Program, error) {
	if name == "" {
		return l.Programs, nil
	}
	for _, p := range l.Programs {
		if p.Name == name {
			return []Program{p}, nil
		}
	}
	return nil, fmt.Errorf("no program %q: there are %s", name, strings.Join(l.names(), ", "))
}

func (l Lesson) names() []string {
	names := make([]string, len(l.Programs))
	for i, p := range l.Programs {
		names[i] = p.Name
	}
	return names
}

// page returns where the lesson goes.
func (o *options) page(stdout io.Writer) (page, error) {
	var p page = newJSONPage(stdout)
	if !o.json {
		prose, err := parseProse(o.lesson)
		if err != nil {
			return nil, err
		}
		text := newTextPage(stdout, prose)
		text.warn(o)
		if o.isReal() {
			text.measure(o)
		}
		p = text
	}
	return p, nil
}
