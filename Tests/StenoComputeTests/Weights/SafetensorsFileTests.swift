import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct SafetensorsFileTests {
    /// A file with this header, padded to `claimed` bytes, and these values.
    static func file(_ header: String, claimed: UInt64? = nil, _ values: [UInt8]) -> Data {
        withUnsafeBytes(of: (claimed ?? UInt64(header.utf8.count)).littleEndian) { Data($0) } + Data(header.utf8)
            + Data(values)
    }

    static func open<Result>(_ bytes: Data, _ body: (SafetensorsFile) throws -> Result) throws -> Result {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.safetensors")
        try bytes.write(to: url)
        return try body(SafetensorsFile(path: url.path))
    }

    static func read(_ bytes: Data) throws { try open(bytes) { _ = try $0.tensor("w") } }

    @Test func tensorsAreReadInEveryFormat() throws {
        let header = #"""
            {"__metadata__": {"format": "pt"},
             "half": {"dtype": "F16", "shape": [3, 1], "data_offsets": [4, 10]},
             "one": {"dtype": "F32", "shape": [], "data_offsets": [0, 4]},
             "brain": {"shape": [2], "data_offsets": [10, 14], "dtype": "BF16", "more": [1, {"a": null}]},
             "empty": {"dtype": "F32", "shape": [0, 5], "data_offsets": [10, 10]},
             "ids": {"dtype": "I64", "shape": [1], "data_offsets": [14, 22]}}
            """# + "   "
        let values: [UInt8] =
            [0, 0, 0x80, 0x3F, 0, 0x3C, 0, 0x40, 0, 0x42, 0x80, 0x3F, 0x20, 0xC1] + [UInt8](repeating: 1, count: 8)
        try Self.open(Self.file(header, values)) { (file: SafetensorsFile) throws -> Void in
            #expect(try file.tensor("one")?.floats().array == [1])
            #expect(try file.tensor("half")?.floats().array == [1, 2, 3])
            #expect(try file.tensor("half")?.shape == [3, 1])
            #expect(try file.tensor("brain")?.floats().array == [1, -10])
            #expect(try file.tensor("brain")?.format == .bfloat16)
            #expect(try file.tensor("nothing") == nil)
            #expect(file.byteCount == 8 + header.utf8.count + values.count)
            expectError(.modelUnsupported, says: "I64") { try file.tensor("ids") }
        }
    }

    private static func entry(_ name: String, _ shape: String, _ offsets: String, type: String = "F32") -> String {
        #""\#(name)": {"dtype": "\#(type)", "shape": \#(shape), "data_offsets": \#(offsets)}"#
    }

    /// Headers of the tensor `w`, the size of their values, and a part of the message.
    private static let invalidHeaders: [(entries: [String], size: Int, reason: String)] = [
        ([entry("w", "[2]", "[0, 8]")], 7, "truncated"), ([entry("w", "[2]", "[0, 8]")], 9, "last 1 bytes"),
        ([entry("a", "[2]", "[0, 8]"), entry("w", "[2]", "[4, 12]")], 16, "overlaps"),
        ([entry("a", "[2]", "[0, 8]"), entry("w", "[2]", "[0, 8]")], 8, "overlaps"),
        ([entry("a", "[1]", "[0, 4]"), entry("w", "[1]", "[8, 12]")], 16, "no tensor"),
        ([entry("w", "[2]", "[0, 8]"), entry("w", "[2]", "[8, 16]")], 16, "two"),
        ([entry("w", "[2]", "[8, 0]")], 8, "valid"), ([entry("w", "[2]", "[0]")], 8, "valid"),
        ([entry("w", "[2]", "[0, 8, 9]")], 8, "valid"), ([entry("w", "[3]", "[0, 8]")], 8, "8 bytes"),
        ([entry("w", "[2]", "[0, 8]", type: "F16")], 8, "8 bytes"),
        ([entry("w", "[9223372036854775807, 4]", "[0, 8]")], 8, "8 bytes"),
        ([entry("w", "[-2]", "[0, 8]")], 8, "JSON"), ([#""w": {"shape": [2], "data_offsets": [0, 8]}"#], 8, "valid"),
        ([#""w": {"dtype": "F32", "data_offsets": [0, 8]}"#], 8, "valid"),
        ([String(repeating: #""a": {"#, count: 10_000)], 0, "JSON"),
    ]

    @Test(arguments: invalidHeaders.indices) func invalidHeadersAreRejected(index: Int) {
        let (entries, size, reason) = Self.invalidHeaders[index]
        let values = [UInt8](repeating: 0, count: size)
        let file = Self.file("{" + entries.joined(separator: ", ") + "}", values)
        expectError(.modelDamaged, says: reason) { try Self.read(file) }
    }

    @Test(arguments: [UInt64.max, 99_999_999, 4, 0]) func invalidLengthsAreRejected(claimed: UInt64) {
        let header = "{" + Self.entry("w", "[2]", "[0, 8]") + "}"
        let values = [UInt8](repeating: 0, count: 8)
        expectError(.modelDamaged) { try Self.read(Self.file(header, claimed: claimed, values)) }
        expectError(.modelDamaged) { try Self.read(Data([1, 0, 0])) }
    }

    /// Another program copies a model over this one, which shortens the file before it is filled again.
    @Test(arguments: [0, 60, 100_000]) func aFileThatBecomesShorterIsAnError(length: UInt64) throws {
        let header = "{" + Self.entry("w", "[65536]", "[0, 262144]") + "}"
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.safetensors")
        try Self.file(header, [UInt8](repeating: 0, count: 262_144)).write(to: url)
        let tensor = try #require(try SafetensorsFile(path: url.path).tensor("w"))
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: length)
        try handle.close()
        expectError(.modelDamaged, says: "model.safetensors changed while it was read") { try tensor.floats() }
    }

    /// The size is the same, but the values may be those of two models.
    @Test func aFileThatIsOverwrittenIsAnError() throws {
        let header = "{" + Self.entry("w", "[2]", "[0, 8]") + "}"
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.safetensors")
        try Self.file(header, [0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F]).write(to: url)
        // Long ago, so that the next write certainly has another time.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: url.path)
        let tensor = try #require(try SafetensorsFile(path: url.path).tensor("w"))
        #expect(try tensor.floats().array == [1, 1])
        let handle = try FileHandle(forWritingTo: url)
        try handle.seek(toOffset: UInt64(8 + header.utf8.count))
        try handle.write(contentsOf: Data([0, 0, 0x20, 0xC1]))
        try handle.close()
        expectError(.modelDamaged, says: "changed while it was read") { try tensor.floats() }
    }

    /// A sparse file, which takes no disk space.
    @Test func offsetsBeyondTwoGigabytes() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.safetensors")
        let far = 5 << 30
        let header = #"""
            {"hole": {"dtype": "U8", "shape": [\#(far)], "data_offsets": [0, \#(far)]},
             "w": {"dtype": "F32", "shape": [2], "data_offsets": [\#(far), \#(far + 8)]}}
            """#
        try Self.file(header, []).write(to: url)
        let handle = try FileHandle(forWritingTo: url)
        let start = 8 + header.utf8.count
        try handle.truncate(atOffset: UInt64(start + far))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0, 0, 0x80, 0x3F, 0, 0, 0x20, 0xC1]))
        try handle.close()
        let file = try SafetensorsFile(path: url.path)
        #expect(try file.tensor("w")?.floats().array == [1, -10])
        #expect(file.byteCount == start + far + 8)
    }
}

struct SafetensorsFolderTests {
    private let folder = TemporaryFolder.ofSuite()
    private let tensors = (0..<5).map {
        GGMLModelFile.Tensor("encoder.blocks.\($0).attn_ln.weight", [2], [Float($0), 7])
    }

    private func name(_ index: Int) -> String { HuggingFaceModelFiles.name(of: tensors[index].name) }

    private func rewriteIndex(_ change: (inout [String: String]) -> Void) throws {
        let url = folder.url.appendingPathComponent("model.safetensors.index.json")
        var index = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        var map = try #require(index["weight_map"] as? [String: String])
        change(&map)
        index["weight_map"] = map
        try JSONSerialization.data(withJSONObject: index).write(to: url)
    }

    @Test(arguments: [1, 2, 3]) func partsFormOneModel(parts: Int) throws {
        try HuggingFaceModelFiles(tensors).writeWeights(to: folder.url, parts: parts)
        let weights = try SafetensorsFolder(folder: folder.url)
        #expect(weights.fileCount == parts)
        for index in tensors.indices {
            #expect(try weights.tensor(name(index))?.floats().array == [Float(index), 7])
        }
        #expect(try weights.tensor("other") == nil)
        let sizes = try folder.names().filter { $0.hasSuffix(".safetensors") }.map {
            try folder.url.appendingPathComponent($0).resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
        #expect(weights.byteCount == sizes.reduce(0, +))
    }

    @Test func aMissingPartIsNamed() throws {
        try HuggingFaceModelFiles(tensors).writeWeights(to: folder.url, parts: 3)
        let part = "model-00002-of-00003.safetensors"
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(part))
        expectError(.modelNotFound, says: part, "part 2 of the model's 3") { try SafetensorsFolder(folder: folder.url) }
    }

    @Test(arguments: ["../model.safetensors", "/etc/passwd", "", "a/b", "."])
    func filesOutsideOfTheFolderAreRefused(file: String) throws {
        try HuggingFaceModelFiles(tensors).writeWeights(to: folder.url, parts: 2)
        try rewriteIndex { $0["another"] = file }
        expectError(.modelDamaged) { try SafetensorsFolder(folder: folder.url) }
    }

    @Test func anIndexOfAnotherModelIsReported() throws {
        try HuggingFaceModelFiles(tensors).writeWeights(to: folder.url, parts: 2)
        let name = name(0)
        try rewriteIndex { map in map[name] = map.values.first { $0 != map[name] } }
        let weights = try SafetensorsFolder(folder: folder.url)
        expectError(.modelDamaged, says: "different models") { try weights.tensor(name) }
    }

    @Test(arguments: ["", "[]", "{}", #"{"weight_map": {}}"#, #"{"weight_map": {"a": 1}}"#])
    func damagedIndexes(text: String) throws {
        try folder.write(text, to: "model.safetensors.index.json")
        expectError(.modelDamaged) { try SafetensorsFolder(folder: folder.url) }
    }

    /// The scales may be in another part than their matrix.
    @Test(arguments: [
        (#""s": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}"#, "w_scale", nil),
        (#""s": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}"#, "other", "scale for each of its 2 rows"),
        (#""s": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}"#, "w_scale", "scale for each of its 2 rows"),
        (#""s": {"dtype": "F16", "shape": [4], "data_offsets": [0, 8]}"#, "w_scale", "scale for each of its 2 rows"),
    ])
    func int8MatricesNeedTheirScales(entry: String, name: String, refusal: String?) throws {
        let header = "{" + entry.replacingOccurrences(of: "\"s\"", with: "\"\(name)\"") + "}"
        // The float32 numbers 2 and 0.5.
        try SafetensorsFileTests.file(header, [0, 0, 0, 0x40, 0, 0, 0, 0x3F])
            .write(to: folder.url.appendingPathComponent("model-00001-of-00002.safetensors"))
        try SafetensorsFileTests.file(#"{"w": {"dtype": "I8", "shape": [2, 1], "data_offsets": [0, 2]}}"#, [3, 0xFF])
            .write(to: folder.url.appendingPathComponent("model-00002-of-00002.safetensors"))
        let map = [name: "model-00001-of-00002.safetensors", "w": "model-00002-of-00002.safetensors"]
        try JSONSerialization.data(withJSONObject: ["weight_map": map])
            .write(to: folder.url.appendingPathComponent("model.safetensors.index.json"))
        let weights = try SafetensorsFolder(folder: folder.url)
        if let refusal {
            expectError(.modelDamaged, says: "w", refusal) { try weights.tensor("w") }
        } else {
            #expect(weights.names == ["w"])
            #expect(try weights.tensor("w")?.floats().array == [1.5, -2])
        }
    }
}
