package grade

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
)

// The marks of a gap. What stands between them is the learner's.
const (
	gapBegins = "// TODO"
	gapEnds   = "// END"
)

// SameOutside compares the syntax of two Go files without their gaps. It
// returns an error that names the first declaration which differs. Comments,
// imports and layout may differ.
func SameOutside(file, original []byte) error {
	got, err := outside(file)
	if err != nil {
		return err
	}
	if whole, err := declarations(file); err == nil && len(whole) != len(got) {
		return errors.New("the gap ends its function, or begins another")
	}
	want, err := outside(original)
	if err != nil {
		return fmt.Errorf("the original: %w", err)
	}
	return compare(got, want)
}

// compare returns an error that names the first declaration which differs.
func compare(got, want []declaration) error {
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			return fmt.Errorf("%s is gone", want[i].name)
		case i >= len(want):
			return fmt.Errorf("%s is new", got[i].name)
		case got[i] != want[i]:
			return fmt.Errorf("%s has changed outside of the gap", want[i].name)
		}
	}
	return nil
}

// declaration is one of a file, in its usual layout.
type declaration struct{ name, text string }

// outside returns the declarations of a file without its gaps.
func outside(file []byte) ([]declaration, error) {
	rest, err := withoutGaps(file)
	if err != nil {
		return nil, err
	}
	all, err := declarations(rest)
	if err != nil {
		return nil, fmt.Errorf("without its gap the file is no Go: %w", err)
	}
	return all, nil
}

// Same compares the syntax of two Go files that have no gaps.
func Same(file, original []byte) error {
	got, err := declarations(file)
	if err != nil {
		return err
	}
	want, err := declarations(original)
	if err != nil {
		return fmt.Errorf("the original: %w", err)
	}
	return compare(got, want)
}

// declarations returns those of a file, but for its imports.
func declarations(file []byte) ([]declaration, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "", file, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	all := []declaration{{"the package clause", parsed.Name.Name}}
	for _, d := range parsed.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		// A file set that knows no positions makes the printer forget
		// how the lines were broken.
		var text bytes.Buffer
		if err := format.Node(&text, token.NewFileSet(), d); err != nil {
			return nil, err
		}
		all = append(all, declaration{nameOf(d), text.String()})
	}
	return all, nil
}

// nameOf returns what a declaration declares.
func nameOf(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return "the function " + d.Name.Name
	case *ast.GenDecl:
		return "a declaration (" + d.Tok.String() + ")"
	}
	return "a declaration"
}

// gapCall stands for a gap, so that a gap of one's own is no way to write
// elsewhere.
const gapCall = "gap()"

// withoutGaps puts gapCall in the place of the lines from each TODO to its END.
func withoutGaps(file []byte) ([]byte, error) {
	var rest []string
	open, gaps := false, 0
	for _, line := range strings.Split(string(file), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case !open && strings.HasPrefix(trimmed, gapBegins):
			open, gaps = true, gaps+1
			rest = append(rest, gapCall)
		case open && trimmed == gapEnds:
			open = false
			continue
		case !open && trimmed == gapEnds:
			return nil, errors.New("a mark // END has no // TODO above it")
		}
		if !open {
			rest = append(rest, line)
		}
	}
	switch {
	case open:
		return nil, errors.New("the mark // END is missing below // TODO")
	case gaps == 0:
		return nil, errors.New("the marks // TODO and // END are missing")
	}
	return []byte(strings.Join(rest, "\n")), nil
}

// Outside adds the check that nothing has changed, except in the gap. The error
// says what has.
func (v *Verdict) Outside(info Info, err error) {
	check := Check{Case: info.File(), Metric: Outside, OK: true, Got: "as it was", Want: "as it was"}
	if err != nil {
		check.OK, check.Got, check.Cause = false, err.Error(), info.cause(Outside)
	}
	v.Checks = append(v.Checks, check)
	v.sum()
}
