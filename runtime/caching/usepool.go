package caching

import (
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

const (
	alreadyUsed = refusal("beginAllocateToPool: already recording to mempool_id")
	notUsed     = refusal("endAllocatePool: not currently recording to mempool_id")
)

// NewPool makes a private pool, like torch.cuda.MemPool. It has no memory yet.
func (a *Allocator) NewPool(options ...PoolOption) PoolID {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := &a.private
	all.made++
	p := &privatePool{id: PoolID{0, all.made}, uses: 1}
	p.pools = newPair(p)
	if all.byID == nil {
		all.byID = map[PoolID]*privatePool{}
	}
	all.byID[p.id] = p
	if slices.Contains(options, UseOnOOM) {
		all.lenders.insert(p)
	}
	if slices.Contains(options, NoSplit) {
		p.pools[small].noSplit, p.pools[large].noSplit = true, true
	}
	return p.id
}

// UsePool sends the requests of the present thread to a private pool until
// EndUse, as with torch.cuda.use_mem_pool does. Uses of several pools may nest;
// the last one begun counts. A pool that is used already is refused, and as in
// PyTorch the refused use keeps the pool's memory for good.
func (a *Allocator) UsePool(id PoolID) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	p, err := a.private.owned(id)
	if err != nil {
		return err
	}
	p.uses++
	if a.private.isUsed(p) {
		return alreadyUsed
	}
	a.private.uses = append(a.private.uses, use{p, a.private.thread})
	a.route()
	return nil
}

// EndUse ends what UsePool began.
func (a *Allocator) EndUse(id PoolID) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.private.uses, func(u use) bool { return u.pool.id == id })
	if i < 0 {
		return notUsed
	}
	p := a.private.uses[i].pool
	a.private.uses = slices.Delete(a.private.uses, i, i+1)
	a.route()
	a.private.drop(p)
	return nil
}

// ReleasePool ends the life of a private pool, as the end of a
// torch.cuda.MemPool does. Blocks of it that are allocated stay valid; all other
// memory goes back, now or when EmptyCache finds it whole. A pool in use is
// released by the end of its use. While another one is in use it cannot be
// released: there PyTorch ends the process.
func (a *Allocator) ReleasePool(id PoolID) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	p, err := a.private.owned(id)
	if err != nil {
		return err
	}
	if p.uses == 1 && a.private.inUse() {
		return fmt.Errorf("memory pool (%d, %d) cannot be released while another one is in use", id[0], id[1])
	}
	a.private.lenders.remove(p)
	p.orphan = true
	a.private.drop(p)
	if p.uses > 0 {
		return nil
	}
	if a.history != nil {
		a.history.begin(ContextAll)
	}
	if err := a.completePool(p); err != nil {
		return err
	}
	return a.releasePair(p)
}

// PoolUseCount returns how many claims there are on a private pool: one of its
// owner and one for each use under way. A released pool has none.
func (a *Allocator) PoolUseCount(id PoolID) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p := a.private.byID[id]; p != nil {
		return p.uses
	}
	return 0
}

// OnThread runs the function as another thread: the uses of private pools that
// this one began do not redirect its requests. The allocator cannot see which
// goroutine calls it, so the thread is that of all requests meanwhile: a program
// that uses private pools makes its requests one after the other.
func (a *Allocator) OnThread(t Thread, f func()) {
	before := a.switchThread(t)
	defer a.switchThread(before)
	f()
}

func (a *Allocator) switchThread(t Thread) (before Thread) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before, a.private.thread = a.private.thread, t
	a.route()
	return before
}

// route decides where the requests of the present thread go.
func (a *Allocator) route() {
	a.serving = &a.pools
	for _, u := range a.private.uses {
		if u.thread == a.private.thread {
			a.serving = &u.pool.pools
		}
	}
}

// borrow finds a cached block in a private pool that lends to requests of the
// default pools. It gets no new memory for them. Segments that expand are never
// lent.
func (a *Allocator) borrow(sh *shelf, rounded int64) (*Block, error) {
	if sh.pool.owner != nil {
		return nil, gpu.ErrOutOfMemory
	}
	for _, p := range a.private.lenders.inOrder() {
		if a.private.isUsed(p) {
			p.uses++
			return nil, alreadyUsed
		}
		if a.cfg.ExpandableSegments {
			continue
		}
		if b := a.bestFit(p.pools.of(rounded).shelf(sh.stream), rounded); b != nil {
			return b, nil
		}
	}
	return nil, gpu.ErrOutOfMemory
}

// releasePrivate gives back what released pools have.
func (a *Allocator) releasePrivate() error {
	for _, p := range a.private.released.inOrder() {
		if err := a.releasePair(p); err != nil {
			return err
		}
	}
	return nil
}

// releasePair gives back what one released pool has, and forgets it if that was
// everything.
func (a *Allocator) releasePair(p *privatePool) error {
	for i := range p.pools {
		if err := a.releasePool(&p.pools[i]); err != nil {
			return err
		}
	}
	if p.segments == 0 {
		a.private.forget(p)
	}
	return nil
}
