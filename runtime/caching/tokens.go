package caching

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// parser walks over the tokens of a settings string. As in PyTorch, a wrong
// separator goes unnoticed and a number may have letters behind it.
type parser struct {
	tokens []string
	next   int
}

// tokenize cuts at commas, colons and brackets, which are tokens themselves,
// and drops white space.
func tokenize(s string) []string {
	var tokens []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			tokens = append(tokens, word.String())
			word.Reset()
		}
	}
	for _, r := range s {
		switch {
		case strings.ContainsRune(",:[]", r):
			flush()
			tokens = append(tokens, string(r))
		case !unicode.IsSpace(r):
			word.WriteRune(r)
		}
	}
	flush()
	return tokens
}

func (p *parser) done() bool { return p.next >= len(p.tokens) }

// take returns the next token. PyTorch reports the end of the string here as
// a failed assertion; a sentence helps more.
func (p *parser) take() (string, error) {
	if p.done() {
		return "", fmt.Errorf("allocator settings end too early: a value is missing after '%s'", strings.Join(p.tokens, ""))
	}
	token := p.tokens[p.next]
	p.next++
	return token, nil
}

func (p *parser) boolean() (bool, error) {
	token, err := p.take()
	if err != nil {
		return false, err
	}
	if token != "True" && token != "False" {
		return false, refuse("Expected 'True' or 'False' at index %d in ConfigTokenizer but got '%s'", p.next-1, token)
	}
	return token == "True", nil
}

func (p *parser) integer() (uint64, error) {
	token, err := p.take()
	if err != nil {
		return 0, err
	}
	return parseInteger(token)
}

// parseInteger reads the digits at the start of a token as C++'s stoull does:
// junk behind them is ignored and a minus wraps around. The error carries only
// the name of that function, because PyTorch's does.
func parseInteger(token string) (uint64, error) {
	digits := strings.TrimLeft(token, "+-")
	if len(token)-len(digits) > 1 {
		digits = ""
	}
	end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		digits = digits[:end]
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, refuse("stoull")
	}
	if token[0] == '-' {
		v = -v
	}
	return v, nil
}

// float reads the longest number at the start of a token, as C++'s stod does.
func (p *parser) float() (float64, error) {
	token, err := p.take()
	if err != nil {
		return 0, err
	}
	for end := len(token); end > 0; end-- {
		v, err := strconv.ParseFloat(token[:end], 64)
		switch {
		case err == nil:
			return v, nil
		case errors.Is(err, strconv.ErrRange):
			return 0, refuse("stod")
		}
	}
	return 0, refuse("stod")
}
