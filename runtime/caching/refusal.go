package caching

import "fmt"

// refusal is an error in PyTorch's own words. They begin with capitals and may
// end in a blank or a full stop, and learners meet them elsewhere, so they stay
// as they are.
type refusal string

func (r refusal) Error() string { return string(r) }

func refuse(format string, args ...any) error { return refusal(fmt.Sprintf(format, args...)) }
