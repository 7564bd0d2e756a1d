import StenoCore

/// The pieces of a SentencePiece vocabulary, `tokenizer.model`: a message in the format of Protocol Buffers.
///
/// ```
/// ModelProto: repeated SentencePiece pieces = 1, and how it was trained
/// SentencePiece: string piece = 1, float score = 2, Type type = 3
/// Type: 1 normal (if missing), 2 unknown, 3 control, 4 defined by the user, 5 unused, 6 a byte
/// ```
/// Only the pieces are read: decoding needs neither scores nor rules.
struct SentencePieceFile {
    /// The pieces in order of their ids.
    private(set) var pieces: [FastConformerTokenizer.Piece] = []

    private static let mostPieces = 1_000_000
    private static let mostBytes = 64 << 20

    /// Reads a file's bytes.
    ///
    /// - Parameter path: The name of the file in errors.
    /// - Throws: `modelDamaged`.
    init(_ bytes: [UInt8], path: String) throws {
        guard bytes.count <= Self.mostBytes else {
            throw StenoError(
                .modelDamaged, "\(path) has \(bytes.count) bytes, too many for a vocabulary. Download the model again.")
        }
        var message = ProtobufMessage(bytes[...], path: path)
        while let field = try message.next() {
            guard field.number == 1, case .bytes(let piece) = field.value else { continue }
            pieces.append(try Self.piece(piece, path: path))
            guard pieces.count <= Self.mostPieces else { throw message.damaged("it has too many pieces") }
        }
        guard !pieces.isEmpty else { throw message.damaged("it has no pieces") }
    }

    private static func piece(_ bytes: ArraySlice<UInt8>, path: String) throws -> FastConformerTokenizer.Piece {
        var message = ProtobufMessage(bytes, path: path)
        var text = "", type: UInt64 = 1
        while let field = try message.next() {
            switch (field.number, field.value) {
            case (1, .bytes(let piece)): text = String(decoding: piece, as: UTF8.self)
            case (3, .number(let number)): type = number
            default: break
            }
        }
        // What the user defined may be a word or, as `<|pnc|>`, a sign without text; its spelling shows which.
        return FastConformerTokenizer.Piece(text, isSpecial: isSpecial(type: Int(truncatingIfNeeded: type)))
    }

    /// Whether a type of pieces has no text, whatever its spelling.
    static func isSpecial(type: Int) -> Bool { [2, 3, 5].contains(type) }
}

/// Reads the fields of a message in the format of Protocol Buffers.
///
/// ```
/// each field: varint number · 8 + kind · a varint (kind 0), 8 bytes (1), a length and as many bytes (2), or 4 bytes (5)
/// ```
struct ProtobufMessage {
    enum Value {
        case number(UInt64)
        case bytes(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>
    private let path: String

    init(_ bytes: ArraySlice<UInt8>, path: String) {
        rest = bytes
        self.path = path
    }

    /// The next field; nil at the end of the message.
    mutating func next() throws -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        let value: Value =
            switch tag & 7 {
            case 0: .number(try varint())
            case 1: .bytes(try take(8))
            case 2: .bytes(try take(varint()))
            case 5: .bytes(try take(4))
            case let kind: throw damaged("a field has the unknown kind \(kind)")
            }
        return (tag >> 3, value)
    }

    func damaged(_ problem: String) -> StenoError {
        StenoError(.modelDamaged, "\(path) is not a SentencePiece vocabulary: \(problem). Download the model again.")
    }

    private mutating func take(_ count: UInt64) throws -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else { throw damaged("it ends too early") }
        let part = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return part
    }

    /// A number in groups of seven bits, the lowest first; all but the last have their highest bit set.
    private mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw damaged("it ends too early") }
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        throw damaged("it has a number of more than 64 bits")
    }
}
