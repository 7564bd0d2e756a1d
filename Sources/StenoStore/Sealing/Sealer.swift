import Crypto
import CryptoExtras
import Foundation
import Steno

/// Seals the texts of a history, and opens them again: AES-GCM with 256 bits (NIST SP 800-38D), or nothing at all.
///
/// Every sealed value is bound to its place (the session, the segment), so that values cannot be exchanged within the
/// database without notice. Values begin with a byte that says how they are stored.
struct Sealer: Sendable {
    private let key: SymmetricKey?

    /// Whether values are encrypted.
    var isSealing: Bool { key != nil }

    /// - Parameter salt: The salt of the history, for a key that is derived from a passphrase.
    init(_ key: StoreKey, salt: Data) throws {
        switch key.kind {
        case .none: self.key = nil
        case .bytes(let bytes): self.key = SymmetricKey(data: bytes)
        case .passphrase(let text):
            self.key = try KDF.Scrypt.deriveKey(
                from: Data(text.precomposedStringWithCanonicalMapping.utf8), salt: salt, outputByteCount: 32,
                rounds: 1 << 15, blockSize: 8, parallelism: 1)
        }
    }

    /// Encodes and seals a value.
    ///
    /// - Parameter place: What the value is bound to; ``open(_:as:at:)`` needs the same.
    func seal(_ value: some Encodable, at place: String) throws -> Data {
        try seal(Self.encoder.encode(value), at: place)
    }

    func seal(_ plain: Data, at place: String) throws -> Data {
        guard let key else { return [Self.plain] + plain }
        // The random nonce is part of the sealed bytes; 2^32 values may be sealed with one key.
        guard let sealed = try AES.GCM.seal(plain, using: key, authenticating: Data(place.utf8)).combined else {
            throw StenoError(.outputFailed, "The text could not be encrypted.")
        }
        return [Self.sealed] + sealed
    }

    /// Opens and decodes a value.
    ///
    /// - Throws: `StenoError.historyDamaged` when any bit differs from what was sealed at that place.
    func open<Value: Decodable>(_ data: Data, as type: Value.Type, at place: String) throws -> Value {
        do {
            return try Self.decoder.decode(Value.self, from: open(data, at: place))
        } catch let error as StenoError {
            throw error
        } catch {
            throw Self.damaged(place, error)
        }
    }

    func open(_ data: Data, at place: String) throws -> Data {
        do {
            switch (data.first, key) {
            case (Self.plain, nil): return data.dropFirst()
            case (Self.sealed, let key?):
                return try AES.GCM.open(
                    AES.GCM.SealedBox(combined: data.dropFirst()), using: key, authenticating: Data(place.utf8))
            default: throw Self.damaged(place, nil)
            }
        } catch let error as StenoError {
            throw error
        } catch {
            throw Self.damaged(place, error)
        }
    }

    private static func damaged(_ place: String, _ error: (any Error)?) -> StenoError {
        StenoError(
            .historyDamaged, "A stored text was changed or is damaged (\(place)). The rest of the history can be read.",
            underlying: error)
    }

    private static let plain: UInt8 = 0
    private static let sealed: UInt8 = 1
    private static var encoder: JSONEncoder { JSONEncoder() }
    private static var decoder: JSONDecoder { JSONDecoder() }
}
