package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// tracesIn lists the files that the arguments name. What does not exist stays
// in the list: reading it says so.
func tracesIn(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			files = append(files, arg)
			continue
		}
		found, err := tracesInFolder(arg)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// tracesInFolder lists the files of a folder that look like traces.
func tracesInFolder(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if name := e.Name(); !e.IsDir() && (strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".json.gz")) {
			files = append(files, filepath.Join(folder, name))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no traces in this folder, their names end in .json or .json.gz", folder)
	}
	return files, nil
}
