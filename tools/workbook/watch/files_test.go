package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/require"
)

// cannot is an opener for a folder that cannot be watched.
func cannot(string) (eye, error) { return nil, errors.New("no watch left") }

// lookAt watches a new folder that has the file task.go.
func lookAt(t *testing.T, opener func(string) (eye, error)) (file string, changes <-chan change) {
	t.Helper()
	folder := t.TempDir()
	file = filepath.Join(folder, "task.go")
	write(t, file, "package a // as it was")
	return file, lookWith(t.Context(), folder, opener)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

// wantChange returns the next news.
func wantChange(t *testing.T, changes <-chan change) change {
	t.Helper()
	select {
	case c, open := <-changes:
		require.True(t, open, "the folder is still watched")
		return c
	case <-time.After(5 * time.Second):
		require.FailNow(t, "nothing was told")
		return change{}
	}
}

// wantQuiet fails when there is news.
func wantQuiet(t *testing.T, changes <-chan change) {
	t.Helper()
	select {
	case c := <-changes:
		require.Failf(t, "no news was expected", "%+v", c)
	case <-time.After(4 * quiet):
	}
}

// saves are the ways in which editors write a file.
var saves = map[string]func(t *testing.T, file string){
	"truncate and write": func(t *testing.T, file string) { write(t, file, "package b") },
	"write and rename": func(t *testing.T, file string) {
		beside := file + ".tmp"
		write(t, beside, "package c")
		require.NoError(t, os.Rename(beside, file))
	},
	"keep a copy, write, remove the copy": func(t *testing.T, file string) {
		require.NoError(t, os.Rename(file, file+"~"))
		write(t, file, "package d")
		require.NoError(t, os.Chmod(file, 0o600))
		require.NoError(t, os.Remove(file+"~"))
	},
	"piece by piece": func(t *testing.T, file string) {
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
		require.NoError(t, err)
		for range 5 {
			_, err := f.WriteString("// a piece\n")
			require.NoError(t, err)
			time.Sleep(quiet / 10)
		}
		require.NoError(t, f.Close())
	},
	"several quick saves": func(t *testing.T, file string) {
		for _, text := range []string{"package e", "package ee", "package eee"} {
			write(t, file, text)
			time.Sleep(quiet / 5)
		}
	},
	"touch": func(t *testing.T, file string) {
		later := time.Now().Add(time.Minute)
		require.NoError(t, os.Chtimes(file, later, later))
	},
}

func TestASaveIsToldOnce(t *testing.T) {
	for name, save := range saves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file, changes := lookAt(t, notify)
			for range 2 { // the first must not blind the eye
				begun := time.Now()
				save(t, file)
				// A busy machine may make two saves of one.
				once := time.Since(begun) < quiet
				require.Equal(t, change{saved: true}, wantChange(t, changes))
				require.Less(t, time.Since(begun), time.Second)
				if !once {
					t.Skip("the save took too long")
				}
				wantQuiet(t, changes)
			}
		})
	}
}

func TestNewAndRemovedFilesAreSaves(t *testing.T) {
	file, changes := lookAt(t, notify)
	write(t, filepath.Join(filepath.Dir(file), "helper.go"), "package a")
	require.Equal(t, change{saved: true}, wantChange(t, changes))
	require.NoError(t, os.Remove(file))
	require.Equal(t, change{saved: true}, wantChange(t, changes))
}

func TestWhatGoDoesNotReadIsNoSave(t *testing.T) {
	file, changes := lookAt(t, notify)
	for _, name := range []string{".task.go.swp", ".#task.go", "#task.go#", "4913", "task.go~", "_old.go", "notes.md"} {
		write(t, filepath.Join(filepath.Dir(file), name), "x")
	}
	require.NoError(t, os.Chmod(file, 0o600))
	_, err := os.ReadFile(file)
	require.NoError(t, err)
	wantQuiet(t, changes)
}

func TestAFolderThatCannotBeWatchedIsPolled(t *testing.T) {
	file, changes := lookAt(t, cannot)
	require.EqualError(t, wantChange(t, changes).polling, "no watch left")
	for _, name := range []string{"write and rename", "several quick saves", "touch"} {
		saves[name](t, file)
		require.Equal(t, change{saved: true}, wantChange(t, changes), name)
	}
	wantQuiet(t, changes)
}

func TestAFolderThatIsNotThereYetIsPolled(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "05")
	changes := watchFolder(t.Context(), folder)
	require.ErrorIs(t, wantChange(t, changes).polling, os.ErrNotExist)
	require.NoError(t, os.Mkdir(folder, 0o755))
	write(t, filepath.Join(folder, "task.go"), "package a")
	require.True(t, wantChange(t, changes).saved)
}

func TestAFolderThatIsReplacedIsPolled(t *testing.T) {
	file, changes := lookAt(t, notify)
	folder := filepath.Dir(file)
	require.NoError(t, os.Rename(folder, folder+"-old"))
	require.Equal(t, change{saved: true, polling: errGone}, wantChange(t, changes))
	require.NoError(t, os.Mkdir(folder, 0o755))
	write(t, file, "package other")
	require.True(t, wantChange(t, changes).saved)
}

func TestASystemThatSaysNothingIsNoticed(t *testing.T) {
	deaf := func(folder string) (eye, error) {
		e, err := notify(folder)
		require.NoError(t, err)
		n := e.(*notified)
		require.NoError(t, n.watcher.Remove(folder))
		n.check.Reset(10 * time.Millisecond)
		return n, nil
	}
	file, changes := lookAt(t, deaf)
	wantQuiet(t, changes)
	write(t, file, "package other")
	require.Equal(t, change{saved: true, polling: errSilent}, wantChange(t, changes))
	write(t, file, "package another")
	require.Equal(t, change{saved: true}, wantChange(t, changes))
}

func TestLostEventsAreASave(t *testing.T) {
	folder := t.TempDir()
	e, err := notify(folder)
	require.NoError(t, err)
	defer e.Close()
	n := e.(*notified)
	go func() { n.watcher.Errors <- fsnotify.ErrEventOverflow }()
	require.NoError(t, n.Next(t.Context()))
	go func() { n.watcher.Errors <- errors.New("the drive is gone") }()
	require.ErrorContains(t, n.Next(t.Context()), "the drive is gone")
}

func TestWatchingEndsWithTheContext(t *testing.T) {
	for name, opener := range map[string]func(string) (eye, error){"watched": notify, "polled": cannot} {
		t.Run(name, func(t *testing.T) {
			ctx, end := context.WithCancel(t.Context())
			changes := lookWith(ctx, t.TempDir(), opener)
			end()
			require.Eventually(t, func() bool {
				select {
				case _, open := <-changes:
					return !open
				default:
					return false
				}
			}, time.Second, time.Millisecond)
		})
	}
}
