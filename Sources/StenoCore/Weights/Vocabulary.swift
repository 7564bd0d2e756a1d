/// The bytes of every token id, as the model's files list them.
///
/// Tokens are bytes, not text: one character of Burmese may be spread over three tokens. All of them lie in one
/// array, because 50,000 small arrays would cost more to allocate than the file to read.
public struct Vocabulary: Sendable, Hashable {
    /// Every token's bytes, one after the other.
    package let storage: [UInt8]
    /// Where each token's bytes end in `storage`; it starts where the token before it ends.
    let ends: [UInt32]

    /// How many ids there are.
    public var count: Int { ends.count }

    /// Creates a vocabulary from raw bytes in the order of the ids, as GGML files hold them.
    public init(tokens: some Sequence<[UInt8]>) {
        var builder = Builder()
        for token in tokens { builder.append(token) }
        self = builder.finish()
    }

    /// Creates a vocabulary from GPT-2's byte-level strings in the order of the ids, such as `Ġthe` for " the".
    public init(byteLevelTokens: some Sequence<String>) {
        var builder = Builder()
        for token in byteLevelTokens { builder.append(byteLevel: token.utf8) }
        self = builder.finish()
    }

    /// The bytes of a token; none for an id outside the vocabulary.
    public func bytes(of id: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(id) else { return [] }
        return storage[range(of: id)]
    }

    /// Where a token's bytes lie in `storage`; the id must be one of the vocabulary's.
    package func range(of id: Int) -> Range<Int> {
        Int(id == 0 ? 0 : ends[id - 1])..<Int(ends[id])
    }

    /// How many of the 256 bytes are not a token by themselves among the ids below `count`.
    package func bytesWithoutToken(below count: Int) -> Int {
        var isToken = [Bool](repeating: false, count: 256)
        for id in 0..<min(count, self.count) {
            let range = range(of: id)
            if range.count == 1 { isToken[Int(storage[range.lowerBound])] = true }
        }
        return isToken.reduce(0) { $0 + ($1 ? 0 : 1) }
    }

    /// A vocabulary that is being read.
    struct Builder {
        private var storage: [UInt8] = []
        private var ends: [UInt32] = []

        /// Makes room for the tokens of a file of this many bytes; Whisper's take about seven each there, or more.
        mutating func reserve(fileSize: Int) {
            storage.reserveCapacity(fileSize / 2)
            ends.reserveCapacity(fileSize / 16)
        }

        mutating func append(_ token: some Collection<UInt8>) {
            storage.append(contentsOf: token)
            ends.append(UInt32(storage.count))
        }

        mutating func append(byteLevel token: some Collection<UInt8>) {
            ByteLevel.append(token, to: &storage)
            ends.append(UInt32(storage.count))
        }

        var count: Int { ends.count }

        func finish() -> Vocabulary { Vocabulary(storage: storage, ends: ends) }
    }

    private init(storage: [UInt8], ends: [UInt32]) {
        self.storage = storage
        self.ends = ends
    }
}
