package host

import "math"

// uniform returns the draw of that number from the generator with that seed,
// in [0, 1). The generator counts instead of stepping: any draw can be made
// without those before it, which is what a GPU needs and what makes the state
// of the generator two integers that a checkpoint can save and restore.
func uniform(seed, draw uint64) float64 {
	const golden = 0x9e3779b97f4a7c15
	return float64(mix(mix(seed)+draw*golden)>>11) / (1 << 53)
}

// mix spreads the bits of x (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// normal returns a number of the standard normal distribution by the method
// of Box and Muller: the i-th one of a launch uses two draws.
func normal(seed, draw uint64, i int) float64 {
	u := 1 - uniform(seed, draw+2*uint64(i))
	v := uniform(seed, draw+2*uint64(i)+1)
	return math.Sqrt(-2*math.Log(u)) * math.Cos(2*math.Pi*v)
}

// bernoulli draws ones with the probability in the first scalar.
func bernoulli(c call) {
	each(c, func(i int) float64 { return truth(uniform(c.Seed, c.Draw+uint64(i)) < c.Scalars[0]) })
}
