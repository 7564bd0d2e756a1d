/// Whether a kind of engine can run a request on this machine.
package enum EngineCapability: Sendable, Hashable {
    /// Everything the engine needs is on this machine; loading it may still take seconds.
    case ready
    /// Something has to be downloaded or installed first: a sentence such as “The German model has to be downloaded.”
    case needsAssets(String)
    /// The request cannot be run here; the sentence says why and, where possible, what helps.
    case unavailable(reason: String)
}
