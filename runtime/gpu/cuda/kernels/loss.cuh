// The loss of a classifier, and its gradient.

// classOf reads a sample's class. One that does not exist stops the kernel, and
// with it everything that this process has on the GPU: a device-side assertion.
__device__ __forceinline__ u64 classOf(double target, u64 classes) {
    if (!(target >= 0 && target < (double)classes)) __trap();
    return (u64)target;
}

// nll_loss writes the mean of what a table of logarithms, one row a sample, says
// of each sample's class, with the sign turned.
extern "C" __global__ void nll_loss(u64 samples, u64 classes, u64 form, u64 out,
                                    u64 x, u64 x_row, u64 x_column, u64 target, u64 target_step) {
    double sum = foldOver(samples, 0, [&](u64 i) {
        u64 c = classOf(load(target, TYPE_OF(form, 2), (i64)(i * target_step)), classes);
        return -load(x, TYPE_OF(form, 1), (i64)(i * x_row + c * x_column));
    }, Add());
    if (lane() == 0) store(out, TYPE_OF(form, 0), 0, sum / (double)samples);
}

// nll_loss_backward takes the gradient of the loss, one element, and the
// classes, one a row.
extern "C" __global__ void nll_loss_backward(u64 samples, u64 classes, u64 form, u64 out, u64 out_row, u64 out_column,
                                             u64 g, u64 target, u64 target_step) {
    u64 i = thread();
    if (i >= samples * classes) return;
    u64 sample = i / classes, c = i % classes;
    bool right = classOf(load(target, TYPE_OF(form, 2), (i64)(sample * target_step)), classes) == c;
    double slope = right ? -load(g, TYPE_OF(form, 1), 0) / (double)samples : 0;
    store(out, TYPE_OF(form, 0), (i64)(sample * out_row + c * out_column), slope);
}
