package env

import "sync"

// crew runs one task on all shards of the rows at once. Shard 0 is the caller's;
// each other shard has a goroutine of its own that lives as long as the crew. With one shard
// there is neither a goroutine nor a channel.
type crew struct {
	task    func(from, to int)
	bounds  []int // shard w has rows bounds[w] … bounds[w+1]−1
	wake    []chan struct{}
	done    sync.WaitGroup
	crashes []any // what a shard's goroutine panicked with, by shard
}

func newCrew(rows, workers int) *crew {
	c := &crew{bounds: make([]int, workers+1), crashes: make([]any, workers)}
	for w := range c.bounds {
		c.bounds[w] = w * rows / workers
	}
	for w := 1; w < workers; w++ {
		wake := make(chan struct{}, 1)
		c.wake = append(c.wake, wake)
		go func() {
			for range wake {
				c.shard(w)
			}
		}()
	}
	return c
}

// run performs the task on every row and returns when all are done.
func (c *crew) run(task func(from, to int)) {
	c.task = task
	c.done.Add(len(c.wake))
	for _, w := range c.wake {
		w <- struct{}{}
	}
	// Also when the caller's own shard panics, the others must be out of the rows
	// before anybody can recover.
	defer c.join()
	task(c.bounds[0], c.bounds[1])
}

func (c *crew) shard(w int) {
	defer c.done.Done()
	// A panic is handed to the caller, who can recover from it; here it would
	// end the process.
	defer func() {
		if p := recover(); p != nil {
			c.crashes[w] = p
		}
	}()
	c.task(c.bounds[w], c.bounds[w+1])
}

func (c *crew) join() {
	if len(c.wake) == 0 {
		return
	}
	c.done.Wait()
	for w, p := range c.crashes {
		if p != nil {
			c.crashes[w] = nil
			panic(p)
		}
	}
}

// dismiss ends the goroutines.
func (c *crew) dismiss() {
	for _, w := range c.wake {
		close(w)
	}
	c.wake = nil
}
