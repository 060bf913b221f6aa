package history

// Held is the most that the program holds at once, as it asked for it: what no
// allocator can do without.
func (p *Program) Held() int64 {
	sizes := make([]int64, p.Slots)
	var now, most int64
	for _, b := range p.Start.Blocks {
		if !b.Pending {
			sizes[b.Slot] = b.Size
			now += b.Size
		}
	}
	most = now
	for _, op := range p.Ops {
		switch op.Kind {
		case OpAlloc:
			sizes[op.Slot] = op.Size
			now += op.Size
			most = max(most, now)
		case OpFree, OpFreeLater:
			now -= sizes[op.Slot]
		}
	}
	return most
}
