package predict

// MisuseError is a request that cannot be met: a lesson or a program that is
// not there, or an answer that is no number where nobody can be asked again.
type MisuseError struct{ text string }

func (e *MisuseError) Error() string { return e.text }
