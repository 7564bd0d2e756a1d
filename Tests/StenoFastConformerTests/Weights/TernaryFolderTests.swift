import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Folders with `ternary.json`, as Moondream publishes Parakeet Redux.
struct TernaryFolderTests {
    private static let module = "encoder.layers.0.feed_forward1.linear1"

    @Test func informationOfAModel() throws {
        let model = try TernaryGoldens.model(.automatic)
        #expect(model.precision == .int8)
        #expect(model.source.storedPrecision == "ternary")
        // Weights count as those of the matrices that they stand for; the detector of voice activity is not read.
        #expect(try model.parameterCount == TernaryGoldens.model(.float32).parameterCount)
    }

    @Test func float32EqualsTransformers() throws {
        let goldens = try TernaryGoldens.expected(), model = try TernaryGoldens.model(.float32)
        let state = try model.makeState()
        let tokens = try state.decode(features: goldens.mel(goldens.tokens.frames ?? 0))
        #expect(tokens.plain == goldens.tokens.tokens)
        let audio = FastConformerGoldens.audio(seed: goldens.seed, count: goldens.audio.samples ?? 0)
        #expect(try state.transcribe(audio).plain == goldens.audio.tokens)
        let frames = try TernaryGoldens.encode(goldens.mel(goldens.encoder.frames), with: model)
        let kept = stride(from: 0, to: frames.count, by: goldens.encoder.step).map { frames[$0] }
        let largest = Double(goldens.encoder.values.map(abs).max() ?? 0)
        #expect(largestDistance(kept, goldens.encoder.values) < 2e-5 * largest)
    }

    /// The weights are the same; only the inputs of the products are rounded.
    @Test func ternaryProductsAreClose() throws {
        let goldens = try TernaryGoldens.expected(), mel = goldens.mel(200)
        let exact = try TernaryGoldens.encode(mel, with: TernaryGoldens.model(.float32))
        let rounded = try TernaryGoldens.encode(mel, with: TernaryGoldens.model(.int8))
        let likeness = cosine(exact, rounded)
        #expect(likeness > 0.999, "cosine \(likeness)")
        if ProcessInfo.processInfo.environment["STENO_SHOW_DEVIATIONS"] != nil { print("ternary: \(likeness)") }
    }

    /// The matrices take two bits for a weight: they are not expanded to int8.
    @Test func matricesStayTernary() throws {
        let folder = try HuggingFaceFolder(folder: TernaryGoldens.folder)
        let width = folder.configuration.width, hidden = folder.configuration.feedForwardWidth
        let loader = WeightLoader(folder, precision: .int8)
        #expect(try loader.affine(Self.module, shape: [hidden, width]).matrix.byteCount == hidden * width / 4)
        let names = ["k_proj", "v_proj"].map { "encoder.layers.1.self_attn." + $0 }
        #expect(try loader.linear(names, outputs: width, inputs: width).matrix.byteCount == 2 * width * width / 4)
        let convolution = try loader.affine("encoder.layers.1.conv.pointwise_conv1", shape: [2 * width, width, 1])
        #expect(convolution.matrix.byteCount == 2 * width * width / 4)
        #expect(try loader.affine("joint.head", shape: [38, 32]).matrix.byteCount >= 38 * 32)
    }

    /// A factor is part of the scales.
    @Test func aFactorIsExact() throws {
        let folder = try HuggingFaceFolder(folder: TernaryGoldens.folder)
        let shape = [folder.configuration.feedForwardWidth, folder.configuration.width]
        let matrix = try WeightLoader(folder, precision: .int8).affine(Self.module, shape: shape, scale: 0.5).matrix
        let stored = try #require(try folder.tensor(Self.module + ".weight")).floats().array
        for row in [0, 1, shape[0] - 1] {
            let values = try FloatBuffer(count: shape[1]) { matrix.copyRow(row, to: $0) }
            #expect(values.array == stored[row * shape[1]..<(row + 1) * shape[1]].map { 0.5 * $0 })
        }
    }

    /// A digit of a byte is a weight: the definition, apart from the code that reads it.
    @Test func weightsAreDigits() throws {
        let file = TernaryGoldens.folder.appendingPathComponent("model.safetensors")
        let data = try SafetensorsData(Data(contentsOf: file))
        let bytes = try #require(data.tensors[Self.module + ".qweight"])
        let scales = try #require(data.tensors[Self.module + ".scales"]).values.withUnsafeBytes {
            $0.bindMemory(to: UInt16.self).map { bits in
                // Normal numbers of half precision.
                Float(sign: .plus, exponent: Int(bits >> 10) - 15, significand: 1 + Float(bits & 1023) / 1024)
            }
        }
        let folder = try HuggingFaceFolder(folder: TernaryGoldens.folder)
        let tensor = try #require(try folder.tensor(Self.module + ".weight"))
        let values = try tensor.floats().array, rowBytes = bytes.shape[1]
        #expect(tensor.shape == [384, 128] && rowBytes == 26)
        let expected = (0..<384 * 128).map { index -> Float in
            let (row, column) = (index / 128, index % 128)
            var digits = Int(bytes.values[row * rowBytes + column / 5])
            for _ in 0..<column % 5 { digits /= 3 }
            return scales[row] * Float(digits % 3 - 1)
        }
        #expect(zip(values, expected).allSatisfy { $0 == $1 })
    }

    // MARK: Errors

    private static func failure(_ folder: TemporaryFolder, _ precision: Precision = .int8) throws -> StenoError? {
        do {
            _ = try FastConformerModel.open(folder.url, precision: precision, threads: 1)
            return nil
        } catch let error as StenoError {
            return error
        }
    }

    @Test func aCopyLoads() throws { #expect(try Self.failure(TernaryGoldens.copy()) == nil) }

    @Test func otherFormatsAreNamed() throws {
        let changes: [(field: String, change: (inout [String: Any]) -> Void)] = [
            ("thrush-ternary-v3", { $0["format"] = "thrush-ternary-v3" }), ("nemo", { $0["names"] = "nemo" }),
            ("binary", { $0["quant"] = ["mode": "binary", "group_size": 128] }),
            ("64", { $0["quant"] = ["mode": "ternary", "group_size": 64] }),
            ("base 4", { $0["packing"] = ["base": 4, "elements_per_byte": 5, "code_offset": 1] }),
            ("byte: 4", { $0["packing"] = ["base": 3, "elements_per_byte": 4, "code_offset": 1] }),
            ("offset 0", { $0["packing"] = ["base": 3, "elements_per_byte": 5, "code_offset": 0] }),
        ]
        for (field, change) in changes {
            let error = try Self.failure(TernaryGoldens.copy(manifest: change))
            #expect(error?.code == .modelUnsupported)
            #expect(error?.message.contains(field) == true, "\(error?.message ?? "no error")")
        }
    }

    /// Changes the first module that is listed.
    private static func listed(_ change: @escaping (inout [String: Any]) -> Void) -> (inout [String: Any]) -> Void {
        { manifest in
            guard var modules = manifest["quantized_modules"] as? [[String: Any]] else { return }
            change(&modules[0])
            manifest["quantized_modules"] = modules
        }
    }

    @Test func modulesAreChecked() throws {
        let changes: [(StenoError.Code, String, (inout [String: Any]) -> Void)] = [
            (.modelUnsupported, "whole groups", { $0["in_features"] = 100 }),
            (.modelUnsupported, "whole groups", { $0["group_size"] = 32 }),
            (.modelDamaged, "has the shape", { $0["out_features"] = 0 }),
            (.modelDamaged, "has the shape", { $0["in_features"] = Int.max / 2 }),
            (.modelDamaged, "is expected", { $0["out_features"] = 256 }),
            (.modelDamaged, "bias", { $0["has_bias"] = true }),
            (.modelDamaged, "shape", { $0["as_conv1d"] = true }),
            (.modelDamaged, "twice", { $0["name"] = "encoder.layers.1.self_attn.q_proj" }),
        ]
        for (code, part, change) in changes {
            let error = try Self.failure(TernaryGoldens.copy(manifest: Self.listed(change)))
            #expect(error?.code == code, "\(part): \(error?.message ?? "no error")")
            #expect(error?.message.contains(part) == true, "\(error?.message ?? "no error")")
        }
    }

    @Test func theManifestIsNeeded() throws {
        let error = try Self.failure(TernaryGoldens.copy(manifest: { $0 = [:] }))
        #expect(error?.code == .modelDamaged)
        #expect(error?.message.contains("no ternary.json that lists it") == true)
    }

    @Test func packedWeightsAreChecked() throws {
        let bytes = Self.module + ".qweight", scales = Self.module + ".scales"
        let changes: [(part: String, change: (inout SafetensorsData) -> Void)] = [
            ("243 and more", { $0.tensors[bytes]?.values[1000] = 243 }),
            ("is expected", { $0.tensors[bytes]?.shape = [26, 384] }),
            ("is expected", { $0.tensors[bytes]?.type = "I8" }),
            ("no tensor", { $0.tensors[bytes] = nil }),
            ("scale for each group", { $0.tensors[scales] = nil }),
            ("scale for each group", { $0.tensors[scales]?.shape = [1, 384] }),
            ("infinite", { $0.tensors[scales]?.values.replaceSubrange(0..<2, with: [0x00, 0x7C]) }),
            ("not a number", { $0.tensors[scales]?.values.replaceSubrange(600..<602, with: [0x01, 0x7E]) }),
        ]
        for precision in [Precision.int8, .float32] {
            for (part, change) in changes {
                let error = try Self.failure(TernaryGoldens.copy(weights: change), precision)
                #expect(error?.code == .modelDamaged)
                #expect(error?.message.contains(part) == true, "\(error?.message ?? "no error")")
            }
        }
    }
}
