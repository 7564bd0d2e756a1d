import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

/// The same weights in every format give the same tensors.
struct FormatAgreementTests {
    /// The vocabulary that GGML implies, in an otherwise small model.
    static let narrow = RandomModel(
        RandomModel.Shape(
            mels: 80, width: 64, heads: 1, encoderLayers: 1, decoderLayers: 2, vocabulary: 51_865, audioContext: 100,
            textContext: 64))

    /// The values of all tensors, checked against what the model says.
    static func expectTensors(
        _ package: any ModelPackage, _ model: RandomModel, _ stored: (GGMLModelFile.Tensor) -> [Float]
    ) throws {
        for expected in model.tensors {
            let tensor = try #require(try package.tensor(expected.name), "\(expected.name)")
            #expect(try tensor.floats().array == stored(expected), "\(expected.name)")
        }
        #expect(try package.tensor("encoder.blocks.0.attn.key.bias") == nil)
        #expect(try package.tensor("encoder.blocks.7.attn.key.weight") == nil)
        #expect(try package.tensor("nothing") == nil)
    }

    @Test(arguments: GGMLType.allCases) func ggmlHasTheSameTensors(type: GGMLType) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("ggml-narrow.bin")
        let file = try Self.narrow.ggml(type)
        try file.serialized().bytes.write(to: url)
        let package = try ModelFormat.openWhisper(at: folder.url)
        #expect(package.source.format == "GGML (whisper.cpp)")
        #expect(package.source.storedPrecision == type.rawValue)
        try Self.expectTensors(package, Self.narrow) { tensor in
            let stored = file.type(of: tensor)
            return stored.decode(stored.encode(tensor.values))
        }
    }

    @Test(arguments: [StoredPrecision.float32, .float16, .bfloat16], [1, 3])
    func huggingFaceHasTheSameTensors(precision: StoredPrecision, parts: Int) throws {
        try SmallModel.withHuggingFace(precision, parts: parts) { folder in
            let package = try ModelFormat.openWhisper(at: folder)
            #expect(package.source.format == "Hugging Face safetensors" + (parts > 1 ? ", 3 files" : ""))
            #expect(package.source.storedPrecision == precision.rawValue)
            try Self.expectTensors(package, SmallModel.model) { tensor in
                switch precision {
                case .float16: GGMLType.float16.decode(GGMLType.float16.encode(tensor.values))
                case .bfloat16: tensor.values.map { Float(bitPattern: UInt32(bfloat16Bits($0)) << 16) }
                case .float32, .int8: tensor.values
                }
            }
        }
    }
}
