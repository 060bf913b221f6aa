package cli

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/report/screen"
	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/replay/whatif"
)

// segments is the verb map, a word that Go has taken.
func (a *app) segments() *cobra.Command {
	return &cobra.Command{
		Use:   "map SNAPSHOT [LATER]",
		Short: "Draw the memory of a snapshot, or of two",
		Long: `map draws the segments of a snapshot, as they were when PyTorch wrote it: a
bar for each, and below it the lines that asked for its blocks, where the
snapshot has them. Two snapshots have one scale and, on a wide terminal, lie
side by side.

docs/map.md says how to read it. --json prints an object for each GPU of each
snapshot: file, device, and segments with their blocks.`,
		Example: `  go run ./tools/replay map run.pickle
  go run ./tools/replay map before.pickle after.pickle`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return misuse.Newf("map wants one snapshot or two, %d files are given; map --help explains it", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.draw(c.Context(), args) },
	}
}

// drawing is the memory of one GPU in one snapshot.
type drawing struct {
	File     string            `json:"file"`
	Device   int               `json:"device"`
	Segments []caching.Segment `json:"segments"`
}

// draw shows the files, one GPU after the other.
func (a *app) draw(ctx context.Context, files []string) error {
	found := map[int][]caching.Segment{} // by file and GPU, as place numbers them
	place := func(file, device int) int { return device*len(files) + file }
	last := 0
	for i, file := range files {
		p := a.progress("reading " + file)
		snapshot, err := whatif.Read(ctx, file)
		p.end()
		if err != nil {
			return err
		}
		for _, s := range snapshot.Segments {
			at := place(i, s.Device)
			found[at] = append(found[at], s)
			last = max(last, s.Device)
		}
	}
	for device := range last + 1 {
		var all []drawing
		for i, file := range files {
			all = append(all, drawing{file, device, found[place(i, device)]})
		}
		if err := a.showDrawings(all); err != nil {
			return err
		}
	}
	return nil
}

// showDrawings prints what one GPU had in each of the files. Of a GPU without memory
// nothing is said, unless it is the first.
func (a *app) showDrawings(all []drawing) error {
	empty := !slices.ContainsFunc(all, func(d drawing) bool { return len(d.Segments) > 0 })
	switch {
	case empty && all[0].Device > 0:
		return nil
	case a.json:
		for _, d := range all {
			if err := a.printJSON(d); err != nil {
				return err
			}
		}
		return nil
	}
	style := screen.Style(a.out)
	text := style.Map(all[0].moment())
	if len(all) > 1 {
		text = style.Compare(all[0].moment(), all[1].moment())
	}
	_, err := io.WriteString(a.out, text)
	return err
}

// moment is the drawing with a name for each block: the line that asked for it.
func (d drawing) moment() report.Moment {
	m := report.Moment{Title: filepath.Base(d.File), Segments: d.Segments, Names: map[gpu.Ptr]string{}}
	if d.Device > 0 {
		m.Title += fmt.Sprintf(", GPU %d", d.Device)
	}
	for _, s := range d.Segments {
		for _, b := range s.Blocks {
			if line := whatif.Caller(b.Frames); line.Filename != "" {
				m.Names[b.Address] = fmt.Sprintf("%s:%d", path.Base(line.Filename), line.Line)
			}
		}
	}
	return m
}
