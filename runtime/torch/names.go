package torch

import (
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/autograd"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Var is a variable's name. It stands for the tensor that it was set to last
// and has all of the tensor's methods.
type Var struct {
	*Tensor
	torch *Torch
	name  string
	state state
}

// state is what a name stands for.
type state int

const (
	undefined state = iota
	none            // Python's None
	bound           // a tensor
)

// NameError is the panic that answers the use of a name that stands for
// nothing: it was never set, or it was deleted.
type NameError struct {
	Name string
	// DeletedAt is the place of the deletion, empty if there was none.
	DeletedAt string
}

func (e *NameError) Error() string {
	text := fmt.Sprintf("name '%s' is not defined", e.Name)
	if e.DeletedAt != "" {
		text += ": it was deleted at " + e.DeletedAt
	}
	return text
}

// Var returns the program's variable of that name. The first time it stands for
// nothing yet. A program has one scope, as a Python script has: the same name
// is the same variable.
func (t *Torch) Var(name string) *Var {
	if v := t.names[name]; v != nil {
		return v
	}
	v := &Var{torch: t, name: name}
	v.Tensor = autograd.Missing(&NameError{Name: name})
	t.vars = append(t.vars, v)
	t.names[name] = v
	return v
}

// Let is name = x. Where the name stands for a tensor already, it is rebound:
// the new value is there before the old one goes.
func (t *Torch) Let(name string, x Value) *Var {
	v := t.Var(name)
	v.Set(x)
	return v
}

// Set is v = x. The old value is dropped after the new one is there.
func (v *Var) Set(x Value) {
	now := autograd.ValueOf(x).Own(v)
	v.drop()
	v.Tensor, v.state = now, bound
	v.torch.named(now, v.name)
}

// Del is del v. A name that stands for nothing panics with a NameError.
func (v *Var) Del() {
	if v.state == undefined {
		autograd.ValueOf(v)
	}
	v.drop()
	v.Tensor, v.state = autograd.Missing(&NameError{v.name, site.Here().String()}), undefined
}

// None is v = None.
func (v *Var) None() {
	v.drop()
	v.Tensor, v.state = missingNone(v.name), none
}

// missingNone is what stands where Python has None: every use of it panics
// with an AttributeError.
func missingNone(expression string) *Tensor {
	return autograd.Missing(&tensor.Error{
		Kind: "AttributeError",
		Text: fmt.Sprintf("'NoneType' object is no tensor: %s is None", expression),
	})
}

// drop lets go of the value, if there is one.
func (v *Var) drop() {
	if v.state == bound {
		v.state = none
		v.Disown(v)
	}
}

// Names lists the names that the program has declared, oldest first.
func (t *Torch) Names() []*Var { return slices.Clone(t.vars) }

// Name returns the name's spelling.
func (v *Var) Name() string { return v.name }

// Holder names the variable as an owner.
func (v *Var) Holder() string { return "the name " + v.name }

// Del is del a, b, …: the names go in this order.
func (t *Torch) Del(vars ...*Var) {
	for _, v := range vars {
		v.Del()
	}
}

// List is a Python list of tensors. It holds a reference to each.
type List struct {
	torch *Torch
	name  string
	items []*Tensor // nil is None
}

// List is name = []. A list that had the name before lets go of its items, since
// nothing else holds it.
func (t *Torch) List(name string) *List {
	l := &List{torch: t, name: name}
	for i, before := range t.lists {
		if before.name == name {
			t.lists[i] = l
			before.Clear()
			return l
		}
	}
	t.lists = append(t.lists, l)
	return l
}

// Append adds a tensor at the end.
func (l *List) Append(x Value) {
	now := autograd.ValueOf(x).Own(l)
	l.items = append(l.items, now)
	l.torch.named(now, l.name)
}

// Len returns the number of items.
func (l *List) Len() int { return len(l.items) }

// At is l[i], which counts from the end where i is negative. An index outside
// the list panics with an IndexError.
func (l *List) At(i int) *Tensor {
	i = l.index(i)
	if l.items[i] == nil {
		return missingNone(fmt.Sprintf("%s[%d]", l.name, i))
	}
	return l.items[i]
}

func (l *List) index(i int) int {
	if i < 0 {
		i += len(l.items)
	}
	if i < 0 || i >= len(l.items) {
		tensor.RaiseIndex("list index out of range")
	}
	return i
}

// None is l[i] = None.
func (l *List) None(i int) {
	i = l.index(i)
	if x := l.items[i]; x != nil {
		l.items[i] = nil
		x.Disown(l)
	}
}

// Map is l = [f(x) for x in l]: all new items are there before the first old
// one goes. Where f panics the list stays as it was.
func (l *List) Map(f func(x *Tensor) *Tensor) {
	before := l.items
	l.items = l.mapped(f)
	l.disownAfterLoop(before)
}

// disownAfterLoop lets go of the items that a loop went through. The loop's
// variable still stands for the last of them, which therefore goes last.
func (l *List) disownAfterLoop(items []*Tensor) {
	const variable = tensor.Role("a loop's variable")
	if n := len(items); n > 0 {
		items[n-1].Own(variable)
		defer items[n-1].Disown(variable)
	}
	l.disown(items)
}

// mapped returns what the function makes of the items, held by the list.
func (l *List) mapped(f func(x *Tensor) *Tensor) (after []*Tensor) {
	finished := false
	defer func() {
		if !finished {
			l.disown(after)
		}
	}()
	for i := range l.items {
		after = append(after, f(l.At(i)).Own(l))
	}
	finished = true
	return after
}

// Clear is l.clear(). Python drops the last item first.
func (l *List) Clear() {
	before := l.items
	l.items = nil
	l.disown(before)
}

func (l *List) disown(items []*Tensor) {
	for _, x := range slices.Backward(items) {
		if x != nil {
			x.Disown(l)
		}
	}
}

// Holder names the list as an owner.
func (l *List) Holder() string { return "the list " + l.name }
