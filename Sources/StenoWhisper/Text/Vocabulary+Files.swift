public import Foundation
import StenoCore

extension Vocabulary {
    /// Reads the vocabulary of a model's folder: CTranslate2's `vocabulary.json`, or the older `vocabulary.txt`, or
    /// Hugging Face's `tokenizer.json`, whichever is there first.
    ///
    /// - Throws: ``StenoError`` with code `modelNotFound` when none can be read, `modelDamaged` when the file does
    ///   not hold a vocabulary.
    public static func load(folder: URL) throws -> Vocabulary {
        let readers: [(name: String, read: ([UInt8]) throws -> Vocabulary)] = [
            ("vocabulary.json", Vocabulary.init(json:)),
            ("vocabulary.txt", Vocabulary.init(lines:)),
            ("tokenizer.json", Vocabulary.init(huggingFace:)),
        ]
        for (name, read) in readers {
            let file = folder.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            return try load(file, with: read)
        }
        throw StenoError(
            .modelNotFound,
            "No vocabulary in \(folder.path): a Whisper model's folder has a vocabulary.json, vocabulary.txt or "
                + "tokenizer.json. Check the path, or copy the missing file from where the model came from.")
    }

    private static func load(_ file: URL, with read: ([UInt8]) throws -> Vocabulary) throws -> Vocabulary {
        let bytes = try contents(of: file)
        do {
            let vocabulary = try read(bytes)
            guard vocabulary.count > 0 else { throw DamagedVocabulary(reason: "it lists no tokens") }
            return vocabulary
        } catch {
            throw StenoError(
                .modelDamaged,
                "\(file.path) is not a vocabulary: \(error). Copy or convert the model again.", underlying: error)
        }
    }

    /// Ten times the largest vocabulary there is; anything beyond is another file under that name.
    private static let maximumFileSize = 64 << 20

    private static func contents(of file: URL) throws -> [UInt8] {
        let mapped = try MappedFile(path: file.path)
        guard mapped.bytes.count <= maximumFileSize else {
            throw StenoError(
                .modelDamaged, "\(file.path) has \(mapped.bytes.count) bytes, which is too much for a vocabulary.")
        }
        return mapped.contents
    }
}

/// Why a file is no vocabulary although its syntax is right.
private struct DamagedVocabulary: Error, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}

extension Vocabulary {
    /// Reads CTranslate2's `vocabulary.json`: an array of byte-level strings.
    init(json bytes: [UInt8]) throws {
        var builder = Builder()
        builder.reserve(fileSize: bytes.count)
        var scanner = JSONScanner(bytes)
        var token: [UInt8] = []
        try scanner.array { scanner in
            token.removeAll(keepingCapacity: true)
            try scanner.string(into: &token)
            builder.append(byteLevel: token)
        }
        try scanner.end()
        self = builder.finish()
    }

    /// Reads CTranslate2's older `vocabulary.txt`: one byte-level string a line.
    ///
    /// A carriage return is part of the line ends only if every line has one; otherwise it belongs to its token.
    init(lines bytes: [UInt8]) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        let hasCarriageReturns = lines.allSatisfy { $0.last == 0x0D }
        var builder = Builder()
        builder.reserve(fileSize: bytes.count)
        for line in lines { builder.append(byteLevel: Array(hasCarriageReturns ? line.dropLast() : line)) }
        self = builder.finish()
    }

    /// Reads Hugging Face's `tokenizer.json`: byte-level strings in `model.vocab`, plain ones in `added_tokens`.
    init(huggingFace bytes: [UInt8]) throws {
        var tokens = HuggingFaceTokens()
        var scanner = JSONScanner(bytes)
        try scanner.object { scanner, key in
            switch String(decoding: key, as: UTF8.self) {
            case "model": try tokens.readModel(&scanner)
            case "added_tokens": try scanner.array { try tokens.readAdded(&$0) }
            default: try scanner.skipValue()
            }
        }
        try scanner.end()
        self = try tokens.vocabulary()
    }
}

/// The tokens of a `tokenizer.json`, which come in any order.
private struct HuggingFaceTokens {
    private var model: [(id: Int, bytes: [UInt8])] = []
    private var added: [(id: Int, bytes: [UInt8])] = []

    mutating func readModel(_ scanner: inout JSONScanner) throws {
        try scanner.object { scanner, key in
            guard key.elementsEqual("vocab".utf8) else { return try scanner.skipValue() }
            try scanner.object { scanner, token in
                var bytes: [UInt8] = []
                ByteLevel.append(token, to: &bytes)
                model.append((try scanner.wholeNumber(), bytes))
            }
        }
    }

    mutating func readAdded(_ scanner: inout JSONScanner) throws {
        var id: Int?
        var content: [UInt8] = []
        try scanner.object { scanner, key in
            switch String(decoding: key, as: UTF8.self) {
            case "id": id = try scanner.wholeNumber()
            case "content": try scanner.string(into: &content)
            default: try scanner.skipValue()
            }
        }
        guard let id else { throw DamagedVocabulary(reason: "an added token has no id") }
        added.append((id, content))
    }

    /// The tokens by id.
    ///
    /// Every id must be taken: a hole would make every later guess about the vocabulary unsafe.
    func vocabulary() throws -> Vocabulary {
        var tokens = [[UInt8]?](repeating: nil, count: model.count + added.count)
        for (id, bytes) in model + added {
            guard id < tokens.count else { throw DamagedVocabulary(reason: "the ids up to \(id) are not all taken") }
            tokens[id] = bytes
        }
        while case .some(.none) = tokens.last { tokens.removeLast() }
        if let hole = tokens.firstIndex(of: nil) { throw DamagedVocabulary(reason: "no token has id \(hole)") }
        return Vocabulary(tokens: tokens.compactMap { $0 })
    }
}
