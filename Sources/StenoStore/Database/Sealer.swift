#if Store
    import Crypto
    import Foundation
    import Steno

    /// Seals the texts of a history and opens them: with AES-GCM and 256 bits (NIST SP 800-38D), or without encryption.
    ///
    /// Every sealed value is bound to its place (the session, the segment), so that exchanging values within the
    /// database is detected. A value's first byte says how it is stored.
    struct Sealer: Sendable {
        private let key: SymmetricKey?

        var isSealing: Bool { key != nil }

        /// - Parameter derivation: How the key comes from a passphrase.
        init(_ key: StoreKey, _ derivation: KeyDerivation) throws {
            switch key.kind {
            case .none: self.key = nil
            case .bytes(let bytes): self.key = SymmetricKey(data: bytes)
            case .passphrase(let text): self.key = try derivation.key(from: text)
            }
        }

        static func isSealed(_ data: Data) -> Bool { data.first == sealed }

        /// Encodes and seals a value.
        ///
        /// - Parameter place: The context that the value is bound to; ``open(_:as:at:)`` needs the same.
        func seal(_ value: some Encodable, at place: String) throws -> Data {
            try sealBytes(JSONEncoder().encode(value), at: place)
        }

        /// Seals bytes; see ``openBytes(_:at:)``.
        func sealBytes(_ bytes: Data, at place: String) throws -> Data {
            guard let key else { return Data([Self.plain]) + bytes }
            // The random 96-bit nonce is part of the sealed bytes; a key may be used for 2^32 of them (SP 800-38D,
            // 8.3).
            guard let sealed = try AES.GCM.seal(bytes, using: key, authenticating: Data(place.utf8)).combined else {
                throw StenoError(
                    .outputFailed,
                    "The text could not be encrypted, so it was not saved. Update Steno, or report this.")
            }
            return Data([Self.sealed]) + sealed
        }

        /// The number of bytes that sealing adds: the first byte, the nonce and the tag.
        static let overhead = 1 + 12 + 16

        /// - Throws: `StenoError.historyDamaged` if any bit differs from the value sealed at that place.
        func open<Value: Decodable>(_ data: Data, as type: Value.Type, at place: String) throws -> Value {
            let bytes = try openBytes(data, at: place)
            do {
                return try JSONDecoder().decode(Value.self, from: bytes)
            } catch {
                throw Self.damaged(place, error)
            }
        }

        /// - Throws: As ``open(_:as:at:)``.
        func openBytes(_ data: Data, at place: String) throws -> Data {
            switch (data.first, key) {
            case (Self.plain, nil): return data.dropFirst()
            case (Self.sealed, let key?):
                do {
                    let box = try AES.GCM.SealedBox(combined: data.dropFirst())
                    return try AES.GCM.open(box, using: key, authenticating: Data(place.utf8))
                } catch { throw Self.damaged(place, error) }
            default: throw Self.damaged(place, nil)
            }
        }

        private static func damaged(_ place: String, _ error: (any Error)?) -> StenoError {
            StenoError(
                .historyDamaged, "The history was changed or is damaged (\(place)). The rest can still be read.",
                underlying: error)
        }

        private static let plain: UInt8 = 0
        private static let sealed: UInt8 = 1
    }
#endif
