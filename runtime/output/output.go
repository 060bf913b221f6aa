// Package output writes the files that a command line names: pages, pictures,
// snapshots.
//
// A file is written as a whole or not at all. What is there stays until the new
// one is complete: the bytes go to a file beside it, which then takes its name. So
// a program that is ended half way leaves no empty page, and spoils none of
// before.
//
// Work may take long. So [Check] tells before it what could not be written after
// it.
package output

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// File is a file that a flag names.
type File struct {
	// Flag is the name of the flag, without dashes.
	Flag string
	// Name is what follows it.
	Name string
}

// Names checks what was typed: every flag has a name, and no two the same. The
// error is one line.
func Names(files []File) error {
	seen := map[string]string{}
	for _, f := range files {
		if f.Name == "" {
			return fmt.Errorf("-%s is empty: it wants the name of a file", f.Flag)
		}
		place := target(f.Name)
		if other, ok := seen[place]; ok {
			return fmt.Errorf("-%s and -%s name the same file, %s", other, f.Flag, f.Name)
		}
		seen[place] = f.Flag
	}
	return nil
}

// Check makes sure that the files can be written, and leaves nothing behind. The
// error names the flag.
func Check(files []File) error {
	for _, f := range files {
		if err := check(f.Name); err != nil {
			return fmt.Errorf("%s: %w", f.Flag, err)
		}
	}
	return nil
}

func check(name string) error {
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder: name a file in it", name)
	case err == nil:
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if f.Close(); !info.Mode().IsRegular() {
			return nil
		}
	case strings.HasSuffix(name, string(filepath.Separator)):
		return fmt.Errorf("%s is no folder that exists, and no name of a file", name)
	}
	f, err := beside(name, 0o666)
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// Write writes a file: all that the function writes, or, after an error, nothing.
// What is no file of bytes, such as a terminal or /dev/null, is written as it comes.
func Write(name string, write func(io.Writer) error) error {
	mode := os.FileMode(0o666) // less what the user's mask takes
	info, err := os.Stat(name)
	if err == nil {
		mode = info.Mode()
	}
	if err == nil && !mode.IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return named(name, errors.Join(write(f), f.Close()))
	}
	f, err := beside(name, mode)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Close()); err != nil {
		os.Remove(f.Name())
		return named(name, err)
	}
	return os.Rename(f.Name(), target(name))
}

func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", name, err)
}

// beside makes a new file in the folder of another. An error speaks of the other:
// that is the name which the user knows.
func beside(name string, mode os.FileMode) (*os.File, error) {
	place := target(name)
	partial := filepath.Join(filepath.Dir(place), fmt.Sprintf(".%s.%d.part", filepath.Base(place), os.Getpid()))
	f, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	var wrong *os.PathError
	if errors.As(err, &wrong) {
		return nil, &os.PathError{Op: wrong.Op, Path: name, Err: wrong.Err}
	}
	return f, err
}

// target is where a name leads: a link stays a link.
func target(name string) string {
	place, err := filepath.Abs(name)
	if err != nil {
		place = filepath.Clean(name)
	}
	if end, err := filepath.EvalSymlinks(place); err == nil {
		return end
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(place)); err == nil {
		return filepath.Join(folder, filepath.Base(place))
	}
	return place
}
