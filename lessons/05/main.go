// Lesson 05: a checkpoint keeps a block's input instead of all that the block
// saves, and runs the block again in backward. It matters when activations, not
// parameters, fill the GPU.
package main

import (
	_ "embed"

	"github.com/torchmem/workbook/lessons/lesson"
)

//go:embed lesson.md
var prose string

func main() {
	lesson.Main(lesson.Lesson{Number: "05", Prose: prose, Programs: []lesson.Program{
		{Name: "s32_tutorial", Run: tutorial},
		{Name: "s32_plain", Run: plain},
		{Name: "s32_ckpt_nonreentrant", Run: nonReentrant},
		{Name: "s32_ckpt_reentrant", Run: reentrant},
		{Name: "s32_deep_plain", Run: deepPlain},
		{Name: "s32_deep_nonreentrant_4", Run: deepNonReentrant4},
		{Name: "s32_deep_reentrant_4", Run: deepReentrant4},
		{Name: "s32_deep_nonreentrant_16", Run: deepNonReentrant16},
		{Name: "s32_dropout_rng", Run: dropout},
	}})
}
