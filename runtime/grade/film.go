package grade

import "github.com/torchmem/workbook/runtime/timeline"

// Film runs the function on every case once more and records what it does to
// memory, for pictures. A function that fails is recorded up to there.
func (t Task[F]) Film(f F) []*timeline.Recording {
	var films []*timeline.Recording
	for _, c := range t.Cases {
		if film := c.film(f); film != nil {
			films = append(films, film)
		}
	}
	return films
}

// film records one case. It is nil where there is no device to run on.
func (c Case[F]) film(f F) (film *timeline.Recording) {
	run := c.Run
	c.MemoryOnly = true // nobody looks at the values
	c.Run = func(r *Run, f F) {
		recorder := r.Torch.Record(c.Name)
		film = recorder.Recording()
		defer recorder.Stop()
		run(r, f)
	}
	_, _ = attempt(c, f, 0) // what went wrong is in the verdict
	return film
}
