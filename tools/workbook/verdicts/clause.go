package verdicts

import (
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
)

// packageName is that of every file that a learner completes.
const packageName = "exercise"

var (
	foundPackages = regexp.MustCompile(`found packages (\w+ \(\S+\)) and (\w+ \(\S+\))`)
	packageOf     = regexp.MustCompile(`(\w+) \((\S+)\)`)
)

// strangers returns a problem for each file that belongs to another package, if
// that is what a message of go is about. The message names two files that
// differ, in the order of their names, and not the one that is wrong.
func (f folder) strangers(message string) problems {
	all := problems{}
	for _, named := range packageOf.FindAllStringSubmatch(foundPackages.FindString(message), -1) {
		if file := named[2]; named[1] != packageName {
			all[file] = problem{
				what: "does not compile",
				text: fmt.Sprintf("%s: package %s; the files of a lesson are package %s", f.clause(file), named[1], packageName),
			}
		}
	}
	return all
}

// clause returns the place of a file's package clause.
func (f folder) clause(file string) string {
	short, files := path.Join("exercises", f.lesson, file), token.NewFileSet()
	parsed, err := parser.ParseFile(files, filepath.Join(f.path(), file), nil, parser.PackageClauseOnly)
	if err != nil {
		return short
	}
	at := files.Position(parsed.Name.Pos())
	return fmt.Sprintf("%s:%d:%d", short, at.Line, at.Column)
}
