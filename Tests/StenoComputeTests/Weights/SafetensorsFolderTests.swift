import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

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
