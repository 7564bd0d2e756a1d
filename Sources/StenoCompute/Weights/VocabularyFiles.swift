package import Foundation
import StenoCore

extension Vocabulary {
    /// Reads the vocabulary in a model folder: the first that exists of CTranslate2's `vocabulary.json`, the older
    /// `vocabulary.txt`, and Hugging Face's `tokenizer.json`, or `vocab.json` with `added_tokens.json`.
    ///
    /// - Throws: ``StenoError`` with code `modelNotFound` if none can be read, `modelDamaged` if the file is not a
    ///   vocabulary; an error thrown by `checkCancellation` ends the reading.
    package static func load(folder: URL, checkCancellation: () throws -> Void = {}) throws -> Vocabulary {
        let readers: [(name: String, read: ([UInt8], () throws -> Void) throws -> Vocabulary)] = [
            ("vocabulary.json", Vocabulary.init(json:checkCancellation:)),
            ("vocabulary.txt", Vocabulary.init(lines:checkCancellation:)),
            ("tokenizer.json", Vocabulary.init(huggingFace:checkCancellation:)),
        ]
        for (name, read) in readers {
            let file = folder.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try checkCancellation()
            return try load(file) { try read($0, checkCancellation) }
        }
        let file = folder.appendingPathComponent("vocab.json"),
            added = folder.appendingPathComponent("added_tokens.json")
        try ensure(
            FileManager.default.fileExists(atPath: file.path), or: .modelNotFound,
            "No vocabulary in \(folder.path): a Whisper model's folder has a vocabulary.json, vocabulary.txt, "
                + "tokenizer.json or vocab.json. Check the path, or copy the missing file from where the model came "
                + "from.")
        let addedTokens = FileManager.default.fileExists(atPath: added.path) ? try contents(of: added) : nil
        return try load(file) { try Vocabulary(vocabJSON: $0, addedTokens: addedTokens, checkCancellation) }
    }

    private static func load(_ file: URL, with read: ([UInt8]) throws -> Vocabulary) throws -> Vocabulary {
        let bytes = try contents(of: file)
        do {
            let vocabulary = try read(bytes)
            guard vocabulary.count > 0 else { throw DamagedVocabulary(reason: "it lists no tokens") }
            return vocabulary
        } catch let error as StenoError {
            throw error
        } catch {
            throw StenoError(
                .modelDamaged,
                "\(file.path) is not a vocabulary: \(error). Copy or convert the model again.", underlying: error)
        }
    }

    /// Ten times the largest known vocabulary; a larger file cannot be one.
    private static let maximumFileSize = 64 << 20

    private static func contents(of file: URL) throws -> [UInt8] {
        let opened = try ModelFile(path: file.path)
        try ensure(
            opened.byteCount <= maximumFileSize, or: .modelDamaged,
            "\(file.path) has \(opened.byteCount) bytes, which is too large for a vocabulary. Download the model again."
        )
        return try opened.contents()
    }
}

/// Why a syntactically valid file is not a vocabulary.
private struct DamagedVocabulary: Error, CustomStringConvertible {
    /// Four times the largest vocabulary of any family; more would only waste memory.
    static let maximumCount = 1_000_000

    let reason: String

    var description: String { reason }

    /// Checks the number of tokens so far, and periodically for cancellation.
    static func check(count: Int, _ checkCancellation: () throws -> Void) throws {
        if count % 4096 == 0 { try checkCancellation() }
        guard count < maximumCount else { throw DamagedVocabulary(reason: "it has more than \(maximumCount) tokens") }
    }
}

extension Vocabulary {
    /// Reads CTranslate2's `vocabulary.json`: an array of byte-level strings.
    init(json bytes: [UInt8], checkCancellation: () throws -> Void = {}) throws {
        var builder = Builder()
        builder.reserve(fileSize: bytes.count)
        var scanner = JSONScanner(bytes)
        var token: [UInt8] = []
        try scanner.array { scanner in
            try DamagedVocabulary.check(count: builder.count, checkCancellation)
            token.removeAll(keepingCapacity: true)
            try scanner.string(into: &token)
            builder.append(byteLevel: token)
        }
        try scanner.end()
        self = builder.finish()
    }

    /// Reads CTranslate2's older `vocabulary.txt`: one byte-level string per line.
    ///
    /// A carriage return is part of the line ending only if every line has one; otherwise it belongs to the token.
    init(lines bytes: [UInt8], checkCancellation: () throws -> Void = {}) throws {
        var hasCarriageReturns = true
        Self.eachLine(of: bytes) { hasCarriageReturns = hasCarriageReturns && $0.last == 0x0D }
        var builder = Builder()
        builder.reserve(fileSize: bytes.count)
        try Self.eachLine(of: bytes) { line in
            try DamagedVocabulary.check(count: builder.count, checkCancellation)
            builder.append(byteLevel: hasCarriageReturns ? line.dropLast() : line)
        }
        self = builder.finish()
    }

    /// Calls `body` with every line; text after the last line ending is a line only if it is not empty.
    private static func eachLine(of bytes: [UInt8], _ body: (ArraySlice<UInt8>) throws -> Void) rethrows {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            try body(bytes[start..<end])
            start = end + 1
        }
    }

    /// Reads Hugging Face's `tokenizer.json`: byte-level strings in `model.vocab`, plain ones in `added_tokens`.
    init(huggingFace bytes: [UInt8], checkCancellation: () throws -> Void = {}) throws {
        var tokens = HuggingFaceTokens()
        var scanner = JSONScanner(bytes)
        try scanner.object { scanner, key in
            switch String(decoding: key, as: UTF8.self) {
            case "model": try tokens.readModel(&scanner, checkCancellation)
            case "added_tokens":
                try scanner.array { scanner in
                    try DamagedVocabulary.check(count: tokens.count, checkCancellation)
                    try tokens.readAdded(&scanner)
                }
            default: try scanner.skipValue()
            }
        }
        try scanner.end()
        self = try tokens.vocabulary()
    }
}

extension Vocabulary {
    /// Reads Hugging Face's older files: byte-level strings with their ids in `vocab.json`, and plain ones in
    /// `added_tokens.json`.
    ///
    /// The merges in `merges.txt` are not needed: a token's id is the rank of its merge.
    init(vocabJSON bytes: [UInt8], addedTokens: [UInt8]?, _ checkCancellation: () throws -> Void = {}) throws {
        var tokens = HuggingFaceTokens()
        var scanner = JSONScanner(bytes)
        try tokens.readVocabulary(&scanner, isAdded: false, checkCancellation)
        try scanner.end()
        if let addedTokens {
            scanner = JSONScanner(addedTokens)
            try tokens.readVocabulary(&scanner, isAdded: true, checkCancellation)
            try scanner.end()
        }
        self = try tokens.vocabulary()
    }
}

/// The tokens of Hugging Face's files, in any order; if two share an id the added one wins, otherwise the last.
private struct HuggingFaceTokens {
    private struct List {
        var ids: [UInt32] = []
        var builder = Vocabulary.Builder()
    }
    private var model = List()
    private var added = List()

    var count: Int { model.ids.count + added.ids.count }

    mutating func readModel(_ scanner: inout JSONScanner, _ checkCancellation: () throws -> Void) throws {
        try scanner.object { scanner, key in
            guard key.elementsEqual("vocab".utf8) else { return try scanner.skipValue() }
            try readVocabulary(&scanner, isAdded: false, checkCancellation)
        }
    }

    mutating func readVocabulary(
        _ scanner: inout JSONScanner, isAdded: Bool, _ checkCancellation: () throws -> Void
    ) throws {
        try scanner.object { scanner, token in
            try DamagedVocabulary.check(count: count, checkCancellation)
            let id = try Self.id(scanner.wholeNumber())
            if isAdded {
                added.ids.append(id)
                added.builder.append(token)
            } else {
                model.ids.append(id)
                model.builder.append(byteLevel: token)
            }
        }
    }

    mutating func readAdded(_ scanner: inout JSONScanner) throws {
        var id: Int?
        var content: [UInt8] = []
        try scanner.object { scanner, key in
            switch String(decoding: key, as: UTF8.self) {
            case "id": id = try scanner.wholeNumber()
            case "content":
                content.removeAll()
                try scanner.string(into: &content)
            default: try scanner.skipValue()
            }
        }
        guard let id else { throw DamagedVocabulary(reason: "an added token has no id") }
        added.ids.append(try Self.id(id))
        added.builder.append(content)
    }

    private static func id(_ number: Int) throws -> UInt32 {
        try ensure(
            number < DamagedVocabulary.maximumCount,
            or: DamagedVocabulary(reason: "the ids up to \(number) are not all taken"))
        return UInt32(number)
    }

    /// The tokens by id.
    ///
    /// Every id must be used: a gap would invalidate everything derived from the vocabulary.
    func vocabulary() throws -> Vocabulary {
        let model = self.model.builder.finish(), added = self.added.builder.finish()
        // The index of each id's token: in the model's list, or after that in the list of added tokens.
        var places = [UInt32](repeating: .max, count: count)
        for (place, id) in (self.model.ids + self.added.ids).enumerated() {
            guard id < places.count else { throw DamagedVocabulary(reason: "the ids up to \(id) are not all taken") }
            places[Int(id)] = UInt32(place)
        }
        while places.last == .max { places.removeLast() }
        if let hole = places.firstIndex(of: .max) { throw DamagedVocabulary(reason: "no token has id \(hole)") }
        var builder = Vocabulary.Builder()
        for place in places.map(Int.init) {
            builder.append(place < model.count ? model.bytes(of: place) : added.bytes(of: place - model.count))
        }
        return builder.finish()
    }
}
