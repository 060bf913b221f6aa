package torch_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMemPoolMatmul multiplies in a private pool: the library's workspace is
// made there too, and outlives the pool.
func TestMemPoolMatmul(t *testing.T) {
	m := newTwin(t, "mempool/tensors/matmul")
	x := m.Let("x", m.Cuda.Full(1, 1000, 1000))
	m.row(`x = torch.ones(1000, 1000, device="cuda")`)
	p := m.Cuda.NewMemPool()
	m.row("p = MemPool()")
	y, z := m.Var("y"), m.Var("z")
	m.Cuda.UseMemPool(p, func() {
		m.row("use(p)")
		y.Set(x.MatMul(x))
		m.row("y = x @ x")
	})
	m.row("end()")
	z.Set(x.MatMul(x))
	m.row("z = x @ x")
	y.Del()
	m.row("del y")
	z.Del()
	m.row("del z")
	x.Sum().Item()
	m.row("x.sum().item()")
	p.Del()
	m.row("del p")
	m.Cuda.ClearCublasWorkspaces()
	m.row("torch._C._cuda_clearCublasWorkspaces()")
	m.Cuda.EmptyCache()
	m.row("empty_cache()")
	m.end()
}

// TestMemPoolBackward runs backward passes while a private pool is in use. The
// gradient of the loss is made by the program's thread, in the pool, and all
// others by the thread of the backward pass, outside of it.
func TestMemPoolBackward(t *testing.T) {
	m := newTwin(t, "mempool/tensors/backward")
	model := m.NN.Linear(1000, 1000).Cuda()
	m.row("model = torch.nn.Linear(1000, 1000).cuda()")
	x := m.Let("x", m.Randn(1000, 1000).Cuda())
	m.row("x = torch.randn(1000, 1000).cuda()")
	p := m.Cuda.NewMemPool()
	m.row("p = MemPool()")
	y, loss := m.Var("y"), m.Var("loss")
	m.Cuda.UseMemPool(p, func() {
		m.row("use(p)")
		y.Set(model.Call(x))
		m.row("y = model(x)")
		loss.Set(y.Relu().Sum())
		m.row("loss = y.relu().sum()")
		loss.Backward()
		m.row("loss.backward()")
	})
	m.row("end()")
	y.Del()
	m.row("del y")
	loss.Del()
	m.row("del loss")
	model.ZeroGrad()
	m.row("model.zero_grad()")
	loss.Set(model.Call(x).Sum())
	m.row("loss = model(x).sum()")
	m.Cuda.UseMemPool(p, func() {
		m.row("use(p)")
		loss.Backward()
		m.row("loss.backward()")
	})
	m.row("end()")
	loss.Del()
	m.row("del loss")
	model.Del()
	m.row("del model")
	x.Del()
	m.row("del x")
	p.Del()
	m.row("del p")
	m.Cuda.EmptyCache()
	m.row("empty_cache()")
	m.end()
}

// TestMemPoolWithin makes mistakes and runs out of memory while private pools
// are in use. A refused use keeps the pool's memory for good, as in PyTorch.
func TestMemPoolWithin(t *testing.T) {
	m := newTwin(t, "mempool/tensors/within")
	raised := func(f func()) { require.Error(t, m.Raises(f)) }
	x := m.Let("x", m.Cuda.EmptyUint8(30_000_000))
	m.row("x = empty(30000000)")
	x.Del()
	m.row("del x")
	p := m.Cuda.NewMemPool(m.UseOnOOM())
	m.row("p = MemPool(use_on_oom=True)")
	y, z, a, b, c, d := m.Var("y"), m.Var("z"), m.Var("a"), m.Var("b"), m.Var("c"), m.Var("d")
	m.Cuda.UseMemPool(p, func() {
		m.row("use(p)")
		y.Set(m.Cuda.EmptyUint8(30_000_000))
		m.row("y = empty(30000000)")
		raised(func() { m.Cuda.UseMemPool(p, func() {}) })
		m.row("use(p)")
		z.Set(m.Cuda.EmptyUint8(4_000_000))
		m.row("z = empty(4000000)")
		p.Del()
		m.row("del p")
	})
	m.row("end()")
	y.Del()
	m.row("del y")
	z.Del()
	m.row("del z")
	q := m.Cuda.NewMemPool(m.NoSplit())
	m.row("q = MemPool(no_split=True)")
	m.Cuda.UseMemPool(q, func() {
		m.row("use(q)")
		a.Set(m.Cuda.EmptyUint8(400))
		m.row("a = empty(400)")
	})
	m.row("end()")
	m.limit(150 << 20)
	m.row("limit(150)")
	m.Cuda.UseMemPool(q, func() {
		m.row("use(q)")
		require.Error(t, m.Try(func() { b.Set(m.Cuda.EmptyUint8(80_000_000)) }))
		m.row("b = empty(80000000)")
		c.Set(m.Cuda.EmptyUint8(20_000_000))
		m.row("c = empty(20000000)")
	})
	m.row("end()")
	c.Del()
	m.row("del c")
	q.Del()
	m.row("del q")
	d.Set(m.Cuda.EmptyUint8(80_000_000))
	m.row("d = empty(80000000)")
	a.Del()
	m.row("del a")
	m.Cuda.EmptyCache()
	m.row("empty_cache()")
	m.end()
}
