// The layer norm, and its gradients. Its plain form, without a weight, is in
// pointwise.cuh, and the mean and the deviation of each row are in rows.cuh.

// layer_norm_affine has x, mean and rstd in one shape, a weight and a bias.
extern "C" __global__ void layer_norm_affine(SHAPE(s), OPERAND(out), OPERAND(x), OPERAND(mean), OPERAND(rstd), OPERAND(weight), OPERAND(bias)) {
    u64 i = thread();
    if (i >= s_count) return;
    Shape shape = SHAPE_OF(s);
    Operand o[] = {OPERAND_OF(out, s_form, 0), OPERAND_OF(x, s_form, 1), OPERAND_OF(mean, s_form, 2),
                   OPERAND_OF(rstd, s_form, 3), OPERAND_OF(weight, s_form, 4), OPERAND_OF(bias, s_form, 5)};
    locate(shape, i, o);
    store(o[0], (load(o[1]) - load(o[2])) * load(o[3]) * load(o[4]) + load(o[5]));
}

// layer_norm_backward is the gradient of x. Where there is no weight, it is the
// number one.
extern "C" __global__ void layer_norm_backward(SHAPE(s), u64 length, OPERAND(out), u64 out_step, OPERAND(g), u64 g_step,
                                               OPERAND(x), u64 x_step, OPERAND(mean), u64 mean_step,
                                               OPERAND(rstd), u64 rstd_step, OPERAND(weight), u64 weight_step) {
    Shape shape = SHAPE_OF(s);
    Operand o[] = {OPERAND_OF(out, s_form, 0), OPERAND_OF(g, s_form, 1), OPERAND_OF(x, s_form, 2),
                   OPERAND_OF(mean, s_form, 3), OPERAND_OF(rstd, s_form, 4), OPERAND_OF(weight, s_form, 5)};
    u64 i = column();
    if (i < shape.count) locate(shape, i, o);
    else length = 0;
    Row result = row(o[0], out_step), g = row(o[1], g_step), x = row(o[2], x_step);
    Row mean = row(o[3], mean_step), rstd = row(o[4], rstd_step), weight = row(o[5], weight_step);
    double n = (double)length;
    double sum = foldOver(length, 0, [&](u64 k) { return g[k] * weight[k]; }, Add());
    double dot = foldOver(length, 0, [&](u64 k) { return g[k] * weight[k] * (x[k] - mean[k]) * rstd[k]; }, Add());
    eachOf(length, [&](u64 k) {
        double normal = (x[k] - mean[k]) * rstd[k];
        result.set(k, rstd[k] * (g[k] * weight[k] - sum / n - normal * dot / n));
    });
}

// layer_norm_weight adds the gradient of the weight up over the rows. Each
// operand is a table: the step from row to row, and from column to column.
extern "C" __global__ void layer_norm_weight(u64 rows, u64 columns, u64 form, u64 out, u64 out_column,
                                             u64 g, u64 g_row, u64 g_column, u64 x, u64 x_row, u64 x_column,
                                             u64 mean, u64 mean_row, u64 mean_column, u64 rstd, u64 rstd_row, u64 rstd_column) {
    i64 i = (i64)column();
    bool real = i < (i64)columns;
    double sum = foldOver(real ? rows : 0, 0, [&](u64 r) {
        double normal = load(x, TYPE_OF(form, 2), (i64)(r * x_row) + i * (i64)x_column)
            - load(mean, TYPE_OF(form, 3), (i64)(r * mean_row) + i * (i64)mean_column);
        return load(g, TYPE_OF(form, 1), (i64)(r * g_row) + i * (i64)g_column) * normal
            * load(rstd, TYPE_OF(form, 4), (i64)(r * rstd_row) + i * (i64)rstd_column);
    }, Add());
    if (real && lane() == 0) store(out, TYPE_OF(form, 0), i * (i64)out_column, sum);
}
