// Declarations of Apple's CryptoKit, as far as this package uses them.

@available(macOS 10.15, iOS 13.0, *)
public struct SHA256Digest: Sequence, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

@available(macOS 10.15, iOS 13.0, *)
public struct SHA256: Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
}

@available(macOS 10.15, iOS 13.0, *)
public enum Insecure: Sendable {
    public struct SHA1Digest: Sequence, Sendable {
        public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    }

    public struct SHA1: Sendable {
        public init() {}
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
        public func finalize() -> SHA1Digest { SHA1Digest() }
    }
}
