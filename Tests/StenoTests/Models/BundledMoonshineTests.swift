import Foundation
import StenoBundledMoonshine
import Testing

@testable import StenoCompute

/// The files of the bundled Moonshine tiny.
struct BundledMoonshineTests {
    @Test func theMatricesAreInInt8() throws {
        let weights = try SafetensorsFolder(folder: BundledMoonshine.folder)
        var formats: [StorageFormat: Int] = [:]
        for name in weights.names {
            let tensor = try #require(try weights.tensor(name))
            formats[tensor.format, default: 0] += tensor.count
            let isMatrix = tensor.shape.count == 2
            let isConvolution = ["conv2.weight", "conv3.weight"].contains { name.hasSuffix($0) }
            #expect(tensor.format == (isMatrix ? .int8 : isConvolution ? .float16 : .float32), "\(name)")
        }
        #expect(weights.names.count == 160)
        #expect(formats.values.reduce(0, +) == 27_092_736)
    }

    @Test func itIsAModelOfItsFamilyWithItsLicence() throws {
        let folder = try BundledMoonshine.folder
        #expect(try ModelIdentity(at: folder).family == "moonshine")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == ["LICENSE", "README.md", "config.json", "model.safetensors", "tokenizer.json"])
    }
}
