// All kernels of the runtime, as one module. Each of the files below is one
// idea; doc.go says how they hang together.
//
// generate.sh makes kernels.ptx of them.

#include "words.cuh"
#include "trigonometry.cuh"
#include "random.cuh"
#include "pointwise.cuh"
#include "fold.cuh"
#include "reduce.cuh"
#include "rows.cuh"
#include "layernorm.cuh"
#include "loss.cuh"
#include "matmul.cuh"
