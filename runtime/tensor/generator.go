package tensor

// Generator is the state of a random number generator: its seed and how many
// numbers were drawn. Saving and restoring it is copying the struct, which is
// what a checkpoint does to repeat a dropout.
type Generator struct {
	Seed uint64
	Draw uint64
}

// take reserves n draws and returns the state before them.
func (g *Generator) take(n int) Generator {
	before := *g
	g.Draw += uint64(n)
	return before
}
