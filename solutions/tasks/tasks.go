// Package tasks says what each exercise asks for: the inputs, what must come
// out, how much memory it may take, and three hints.
//
// There is one file for each lesson. A task's cases are made by a function of
// sizes and a seed. Its limits are formulas of the sizes, so that a reader can
// see where a budget comes from.
package tasks

import "github.com/torchmem/workbook/runtime/grade"

// task is a grade.Task for functions of any type.
type task interface {
	About() grade.Info
	Asked() []grade.Ask
}

// list has the tasks in the order in which learners meet them.
func list() []task {
	return []task{
		Rounded, Reserved,
		Chain, Rebind, View,
		HandOver, Steady, Recover,
		Inference, HoldOut, Backbone,
		Segments, Dropout, Frozen,
		Outputs, Total, Hidden,
		Accumulate, Hook, Activations,
		Loop, LargeModel, Fits,
	}
}

// All lists the tasks in the order in which learners meet them.
func All() []grade.Info {
	var all []grade.Info
	for _, t := range list() {
		all = append(all, t.About())
	}
	return all
}

// Asked lists what the cases of a task ask for, or nothing for a task that is
// not there.
func Asked(name string) []grade.Ask {
	for _, t := range list() {
		if t.About().Name == name {
			return t.Asked()
		}
	}
	return nil
}

// Sizes of tensors, in bytes.
const (
	float32Bytes = 4
	// blasWorkspace is what the first matrix product of a thread makes the
	// library take, biasWorkspace what a product with a bias adds.
	blasWorkspace = 32 << 20
	biasWorkspace = 1 << 20
)

// matrix returns the bytes that the allocator hands out for a float32 matrix.
func matrix(rows, columns int) int64 {
	return (int64(rows)*int64(columns)*float32Bytes + 511) / 512 * 512
}
