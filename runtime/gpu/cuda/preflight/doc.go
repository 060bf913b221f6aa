// Package preflight makes the first call to the NVIDIA driver, before the
// package cu can make it.
//
// The package cu starts the driver while the program's packages are being
// initialised, and ends the program in its own words when there is no driver or
// no GPU. Nobody who imports it can come first. But Go initialises packages in
// the order of their paths, as far as their imports allow, and the path of this
// package stands before that of cu. So it starts the driver first and, where
// that fails, says in one line what is missing.
//
// It imports nothing that cu does not import too. Whatever cu waits for, this
// package has waited for no longer, and that is what makes it come first. A test
// holds that.
//
// A driver that is not installed at all is found missing earlier, by the loader
// of the operating system, which names libcuda.so.1.
package preflight
