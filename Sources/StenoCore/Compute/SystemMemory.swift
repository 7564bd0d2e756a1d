internal import CStenoKernels

/// The memory that the process has from the system.
package enum SystemMemory {
    /// Gives the pages of freed blocks back to the system, where its allocator keeps them; takes milliseconds.
    package static func giveBack() { steno_release_memory() }
}
