package web

import "github.com/torchmem/workbook/runtime/timeline"

// setEvents says for each moment what the event before it was, and what it was
// about. Moment 0 has none.
func (d *record) setEvents(r *timeline.Recording, t *thinned) {
	count := len(r.Events) + 1
	if t.events != nil {
		count = len(t.events)
	}
	actions := make([]byte, count)
	actions[0] = '-'
	for i := 1; i < count; i++ {
		event := i
		if t.events != nil {
			event = t.events[i]
		}
		actions[i] = letter(r.Events[event-1].Action)
	}
	d.Actions = string(actions)
	d.Subjects = subjects(count, t)
}

// subjects has the band or the piece that each event is about.
func subjects(count int, t *thinned) []int {
	all := make([]int, count)
	for i := range all {
		all[i] = -1
	}
	mark := func(moment, what int) {
		if 0 < moment && moment < count {
			all[moment] = what
		}
	}
	for i, p := range t.pieces {
		mark(p.from, i)
		mark(p.to, i)
	}
	for i, l := range t.lives {
		mark(l.from, i)
		mark(l.asked, i)
		mark(l.to, i)
	}
	return all
}

func (d *record) setBands(t *thinned, stacks []int, spaces spaces, texts *texts) {
	c := bandColumns{
		FromSteps: []int{}, Asked: []int{}, To: []int{}, Size: []int64{}, Block: []int64{}, Space: []int{},
		Offset: []int64{}, Name: []int{}, Stack: []int{}, Pile: []int{}, Held: []int{},
	}
	for i, l := range t.lives {
		space, offset := spaces.place(l.Addr)
		c.FromSteps = append(c.FromSteps, l.from)
		c.Asked = append(c.Asked, l.asked)
		c.To = append(c.To, l.to)
		c.Size = append(c.Size, l.Size)
		c.Block = append(c.Block, l.Block)
		c.Space = append(c.Space, space)
		c.Offset = append(c.Offset, offset)
		c.Name = append(c.Name, texts.text(l.Name))
		c.Stack = append(c.Stack, stacks[i])
		c.Pile = append(c.Pile, l.pile)
		for _, h := range l.Holders {
			c.Held = append(c.Held, i, t.moment(h.From+1), texts.text(h.Name))
		}
	}
	c.FromSteps = steps(c.FromSteps)
	d.Bands = c
}

func (d *record) setPieces(pieces []piece, spaces spaces, texts *texts) {
	c := pieceColumns{
		From: []int{}, To: []int{}, Size: []int64{}, Space: []int{}, Offset: []int64{}, Stream: []int{}, Expandable: []int{},
	}
	for _, p := range pieces {
		space, offset := spaces.place(p.at)
		expandable := 0
		if p.expandable {
			expandable = 1
		}
		c.From = append(c.From, p.from)
		c.To = append(c.To, p.to)
		c.Size = append(c.Size, p.size)
		c.Space = append(c.Space, space)
		c.Offset = append(c.Offset, offset)
		c.Stream = append(c.Stream, texts.text(streamText(p.stream)))
		c.Expandable = append(c.Expandable, expandable)
	}
	d.Pieces = c
}
