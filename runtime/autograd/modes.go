package autograd

// NoGrad runs the function without recording operators: with torch.no_grad().
func (c *Context) NoGrad(f func()) { c.withModes(false, c.inference, f) }

// EnableGrad runs the function with recording on: with torch.enable_grad().
func (c *Context) EnableGrad(f func()) { c.withModes(true, c.inference, f) }

// InferenceMode runs the function without recording, and marks its tensors as
// unfit for a graph forever: with torch.inference_mode(). EnableGrad inside of
// it has no effect.
func (c *Context) InferenceMode(f func()) { c.withModes(false, true, f) }

// GradEnabled reports whether operators are recorded.
func (c *Context) GradEnabled() bool { return c.gradMode }

func (c *Context) withModes(grad, inference bool, f func()) {
	g, i := c.gradMode, c.inference
	c.gradMode, c.inference = grad, inference
	defer func() { c.gradMode, c.inference = g, i }()
	f()
}
