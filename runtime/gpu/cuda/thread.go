//go:build cuda

package cuda

import "runtime"

// thread is one thread of the operating system that runs one function after
// the other. What a CUDA context is belongs to a thread, and a goroutine
// changes its thread whenever it likes, so every call goes through here.
type thread struct {
	jobs  chan func()
	ended bool // only its own goroutine looks
	gone  chan struct{}
}

func startThread() *thread {
	t := &thread{jobs: make(chan func()), gone: make(chan struct{})}
	go t.work()
	return t
}

// work never unlocks the thread: Go ends a thread with the goroutine that has
// locked it, so nothing of CUDA stays behind in a thread that others get.
func (t *thread) work() {
	runtime.LockOSThread()
	defer close(t.gone)
	for !t.ended {
		(<-t.jobs)()
	}
}

// run runs a function on the thread and waits for it. It does nothing when the
// thread has ended.
func (t *thread) run(f func()) {
	done := make(chan struct{})
	job := func() {
		defer close(done)
		f()
	}
	select {
	case t.jobs <- job:
		<-done
	case <-t.gone:
	}
}

// end lets the thread end. It is called by a function that runs on it.
func (t *thread) end() { t.ended = true }
