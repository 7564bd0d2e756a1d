/// Observes the queries and cross-attention keys of every decoder layer while a text runs through the decoder.
package protocol CrossAttentionObserver: AnyObject {
    /// - Parameters:
    ///   - queries: [rows, heads · head width].
    ///   - memory: The keys and values that the queries attend to.
    func observe(layer: Int, heads: Int, queries: Rows, memory: AttentionMemory)
}

/// A cross-attention head of a decoder.
package struct AlignmentHead: Sendable, Hashable {
    package var layer: Int
    package var head: Int

    package init(layer: Int, head: Int) {
        self.layer = layer
        self.head = head
    }
}
