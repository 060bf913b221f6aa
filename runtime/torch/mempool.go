package torch

import (
	"errors"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/tensor"
)

// MemPool is a torch.cuda.MemPool: memory that only the tensors share which are
// made while it is in use.
type MemPool struct {
	cuda *Cuda
	id   caching.PoolID
	// used tells that UseMemPool is running. It holds a reference.
	used bool
	// deletedAt is the place of Del, empty before.
	deletedAt string
}

// MemPoolOption changes how a memory pool works.
type MemPoolOption = caching.PoolOption

// UseOnOOM is the pool's use_on_oom=True: what lies cached in it also serves
// tensors outside of it when the device has no memory for them.
func (*Torch) UseOnOOM() MemPoolOption { return caching.UseOnOOM }

// NoSplit is the pool's no_split=True: each tensor gets a whole segment.
func (*Torch) NoSplit() MemPoolOption { return caching.NoSplit }

// NewMemPool is torch.cuda.MemPool(…).
func (c *Cuda) NewMemPool(options ...MemPoolOption) *MemPool {
	p := &MemPool{cuda: c, id: c.allocator.NewPool(options...)}
	c.pools = append(c.pools, p)
	return p
}

// UseMemPool is with torch.cuda.use_mem_pool(pool): the tensors that the function
// makes lie in the pool. Those of a backward pass do not, because another thread
// makes them. Nothing is given back to the device meanwhile, not even when memory
// runs out.
func (c *Cuda) UseMemPool(pool *MemPool, f func()) {
	pool.mustLive()
	raiseRuntime(c.allocator.UsePool(pool.id))
	pool.used = true
	defer func() {
		pool.used = false
		raiseRuntime(c.allocator.EndUse(pool.id))
		if pool.deletedAt != "" {
			pool.release()
		}
	}()
	f()
}

// ID is pool.id.
func (p *MemPool) ID() caching.PoolID { return p.id }

// UseCount is pool.use_count(): one, and one more while the pool is in use.
func (p *MemPool) UseCount() int {
	p.mustLive()
	return p.cuda.allocator.PoolUseCount(p.id)
}

// Snapshot is pool.snapshot().
func (p *MemPool) Snapshot() []caching.Segment {
	p.mustLive()
	return p.cuda.allocator.SnapshotPool(p.id)
}

// Del is del pool. Its tensors live on; all other memory of the pool goes back
// to the device at once, and theirs when they are gone and the cache is emptied.
// Within UseMemPool the pool lives until that ends. While another pool is in use
// this panics; there PyTorch ends the process.
func (p *MemPool) Del() {
	p.mustLive()
	if !p.used {
		p.release()
	}
	p.deletedAt = site.Here().String()
}

func (p *MemPool) release() {
	raiseRuntime(p.cuda.allocator.ReleasePool(p.id))
	p.cuda.pools = slices.DeleteFunc(p.cuda.pools, func(other *MemPool) bool { return other == p })
}

// mustLive raises where the pool was deleted.
func (p *MemPool) mustLive() {
	if p.deletedAt != "" {
		tensor.Raise("the memory pool was deleted at %s", p.deletedAt)
	}
}

// releasePools ends all pools that nobody deleted.
func (c *Cuda) releasePools() (err error) {
	for _, p := range c.pools {
		err = errors.Join(err, c.allocator.ReleasePool(p.id))
	}
	c.pools = nil
	return err
}

// raiseRuntime panics with a RuntimeError where there is an error.
func raiseRuntime(err error) {
	if err != nil {
		tensor.Raise("%s", err)
	}
}
