internal import CStenoKernels

/// The memory that the system has given to the process.
package enum SystemMemory {
    /// Returns the pages of freed blocks to the system, if the allocator kept them; takes milliseconds.
    package static func giveBack() { steno_release_memory() }
}
