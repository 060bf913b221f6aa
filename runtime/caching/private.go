package caching

import (
	"fmt"
	"slices"
)

// # Private pools
//
// A private pool is a small and a large pool of its own, as
// torch.cuda.MemPool makes it. While it is in use, the requests of one thread go
// there, and nothing is shared with the default pools in either direction: each
// has its own cached blocks, and no block ever moves. A pool that is not used at
// the moment keeps its cache, even from EmptyCache. Only when it is released do
// its segments go back: those that are whole at once, the others as they
// become whole.

// PoolID names a private pool. The zero value stands for the default pools.
type PoolID [2]int

// PoolOption changes how a private pool works.
type PoolOption uint8

// The options of a private pool.
const (
	// UseOnOOM lends cached blocks to requests outside of the pool that the
	// driver has no memory for.
	UseOnOOM PoolOption = iota
	// NoSplit hands out cached blocks whole, so that each segment holds one
	// block.
	NoSplit
)

// Thread tells threads apart: a use of a pool redirects the requests of one.
// The zero value is the program's own thread.
type Thread int

// privatePool is one private pool.
type privatePool struct {
	id    PoolID
	pools pair
	// uses counts the owner and each use that is under way.
	uses int
	// orphan tells that the owner has let go.
	orphan bool
	// segments is how many it has. PyTorch counts calls of the driver instead,
	// which goes wrong where an expandable segment grows in fewer steps than
	// it shrinks: it forgets a pool that still has memory.
	segments int
}

func (p *privatePool) slotHash() uint64 { return uint64(p.id[1]) }

// use is a stretch of a thread in which its requests go to a private pool.
type use struct {
	pool   *privatePool
	thread Thread
}

// privatePools are all private pools of an allocator.
type privatePools struct {
	made int
	byID map[PoolID]*privatePool
	// uses are those under way, the last one begun last.
	uses   []use
	thread Thread
	// lenders have UseOnOOM, released have no use and no owner any more.
	lenders, released slotTable[*privatePool]
}

// inUse reports whether any thread uses a private pool. Then no events are
// polled, the cache is not emptied, and events of freed blocks have to wait:
// the rules are those of a graph that is being captured, where the driver
// allows none of this.
func (p *privatePools) inUse() bool { return len(p.uses) > 0 }

// isUsed reports whether some thread uses this pool.
func (p *privatePools) isUsed(q *privatePool) bool {
	return slices.ContainsFunc(p.uses, func(u use) bool { return u.pool == q })
}

// owned returns a pool that its owner still has.
func (p *privatePools) owned(id PoolID) (*privatePool, error) {
	q := p.byID[id]
	if q == nil || q.orphan {
		return nil, fmt.Errorf("memory pool (%d, %d) does not exist or is released", id[0], id[1])
	}
	return q, nil
}

// drop ends a claim on a pool. The last one releases it.
func (p *privatePools) drop(q *privatePool) {
	if q.uses--; q.uses == 0 {
		p.released.insert(q)
	}
}

// forget drops a released pool that has no memory.
func (p *privatePools) forget(q *privatePool) {
	p.released.remove(q)
	delete(p.byID, q.id)
}

// cachedBytes sums the cached blocks of all private pools.
func (p *privatePools) cachedBytes() (sum int64) {
	for _, q := range p.byID {
		for i := range q.pools {
			sum += q.pools[i].cachedBytes()
		}
	}
	return sum
}

func (p *pool) cachedBytes() (sum int64) {
	for _, sh := range p.shelves {
		for b := range sh.blocks.ascend() {
			sum += b.size
		}
	}
	return sum
}

// id names the private pool that p is a half of.
func (p *pool) id() PoolID {
	if p.owner == nil {
		return PoolID{}
	}
	return p.owner.id
}
