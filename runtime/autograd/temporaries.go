package autograd

// float makes the tensor a temporary. A reference of the holder Temporary is
// there already.
func (t *Tensor) float() *Tensor {
	t.temporary = true
	t.ctx.floated++
	t.slot, t.serial = len(t.ctx.temporaries), t.ctx.floated
	t.ctx.temporaries = append(t.ctx.temporaries, t)
	return t
}

// consume ends the tensor if it is a temporary.
func (t *Tensor) consume() {
	if !t.temporary {
		return
	}
	t.temporary = false
	c := t.ctx
	c.temporaries[t.slot] = nil
	for len(c.temporaries) > 0 && c.temporaries[len(c.temporaries)-1] == nil {
		c.temporaries = c.temporaries[:len(c.temporaries)-1]
	}
	t.raw.Drop()
}

// DropTemporaries ends every temporary, the youngest first, as Python's stack
// does when an exception unwinds it.
func (c *Context) DropTemporaries() { c.dropSince(0) }

// mark returns the serial number of the youngest temporary so far.
func (c *Context) mark() int { return c.floated }

// dropSince ends the temporaries that are younger than the mark.
func (c *Context) dropSince(mark int) {
	for {
		last := len(c.temporaries) - 1
		if last < 0 || c.temporaries[last].serial <= mark {
			return
		}
		c.temporaries[last].consume()
	}
}

// Rescue returns a function that ends the temporaries made since now: what an
// exception leaves behind.
func (c *Context) Rescue() func() {
	mark := c.mark()
	return func() { c.dropSince(mark) }
}
