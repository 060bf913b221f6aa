package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"

	"github.com/torchmem/workbook/runtime/timeline"
)

//go:embed page
var files embed.FS

// scripts are the parts of the page's script, in the order in which they need
// each other.
var scripts = []string{
	"words.js", "data.js", "theme.js", "bands.js", "axes.js", "chart.js", "pointer.js",
	"keys.js", "segments.js", "legend.js", "panels.js", "thumbs.js", "main.js",
}

// Write writes a page that shows the recordings. The title names what they have
// in common. Each recording has a title of its own, by which a reader chooses it.
func Write(w io.Writer, title string, recordings []*timeline.Recording) error {
	return write(w, title, recordings, maxEvents)
}

// write is Write with another limit for the length of a history.
func write(w io.Writer, title string, recordings []*timeline.Recording, limit int) error {
	if len(recordings) == 0 {
		return errors.New("a page needs a recording")
	}
	data, err := encode(title, recordings, limit)
	if err != nil {
		return err
	}
	p, err := newPage(title, data)
	if err != nil {
		return err
	}
	shell, err := template.ParseFS(files, "page/page.html")
	if err != nil {
		return fmt.Errorf("the page: %w", err)
	}
	if err := shell.Execute(w, p); err != nil {
		return fmt.Errorf("the page: %w", err)
	}
	return nil
}

// encode returns the data as JSON that may stand inside a script element: what
// could end the element, and the line ends that only JavaScript knows, are
// escaped.
func encode(title string, recordings []*timeline.Recording, limit int) ([]byte, error) {
	d := data{Title: title}
	for _, r := range recordings {
		d.Recordings = append(d.Recordings, newRecord(r, limit))
	}
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("the page's data: %w", err)
	}
	return text, nil
}

// page is what page.html is filled with. The types say that the text is ours, or
// escaped already.
type page struct {
	Title  string
	Policy string
	Style  template.CSS
	Script template.JS
	Data   template.JS
}

func newPage(title string, data []byte) (*page, error) {
	style, err := files.ReadFile("page/style.css")
	if err != nil {
		return nil, fmt.Errorf("the page's style: %w", err)
	}
	script, err := script()
	if err != nil {
		return nil, err
	}
	return &page{
		Title: title, Policy: policy(style, script),
		Style: template.CSS(style), Script: template.JS(script), Data: template.JS(data),
	}, nil
}

// script joins the parts to one function, so that nothing of it is global.
func script() ([]byte, error) {
	var all bytes.Buffer
	all.WriteString("(() => {\n'use strict';\n")
	for _, name := range scripts {
		part, err := files.ReadFile("page/" + name)
		if err != nil {
			return nil, fmt.Errorf("the page's script: %w", err)
		}
		all.Write(part)
	}
	all.WriteString("})();\n")
	return all.Bytes(), nil
}

// policy allows the one style, the one script, and nothing that is loaded.
func policy(style, script []byte) string {
	return fmt.Sprintf("default-src 'none'; img-src data:; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
		hash(style), hash(script))
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
