import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

/// An archive that Python's tarfile, PyTorch and sentencepiece wrote (Tools/goldens/make_nemo_goldens.py).
struct NeMoArchiveTests {
    private struct Expected: Decodable {
        var tensors: [String: Numbers]
    }

    /// A tensor's shape, first and last value, and sum.
    private struct Numbers: Decodable {
        var shape: [Int]
        var first, last, sum: Double

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            shape = try container.decode([Int].self)
            (first, last) = (try container.decode(Double.self), try container.decode(Double.self))
            sum = try container.decode(Double.self)
        }
    }

    private static func expected(_ name: String) throws -> Expected {
        let data = try Data(contentsOf: Fixtures.file("nemo/expected.json"))
        return try #require(JSONDecoder().decode([String: Expected].self, from: data)[name])
    }

    private static func archive(_ name: String) throws -> NeMoArchive {
        try NeMoArchive(path: Fixtures.file("nemo/\(name).nemo").path)
    }

    @Test(arguments: ["hybrid", "prompted"])
    func everyTensorIsThatOfPyTorch(name: String) throws {
        let weights = try Self.archive(name).weights(), expected = try Self.expected(name)
        #expect(expected.tensors.count > 40)
        for (name, numbers) in expected.tensors {
            let tensor = try #require(try weights.tensor(name)), values = try tensor.floats().array.map(Double.init)
            #expect(tensor.shape == numbers.shape)
            #expect(values.first == numbers.first)
            #expect(values.last == numbers.last)
            #expect(abs(values.reduce(0, +) - numbers.sum) < 1e-6)
        }
        let others = Set(weights.names).subtracting(expected.tensors.keys)
        #expect(others.allSatisfy { $0.hasSuffix("num_batches_tracked") })
        for name in others { expectError(.modelUnsupported, says: "LongStorage") { try weights.tensor(name) } }
    }

    @Test func theConfigurationIsRead() throws {
        let configuration = try Self.archive("prompted").configuration
        #expect(configuration["encoder", "d_model"]?.integer == 32)
        #expect(configuration["encoder", "att_context_size"]?.items?.map(\.integers) == [[14, 3], [14, 0], [14, 1]])
        #expect(configuration["preprocessor", "window_size"]?.number == 0.025)
        #expect(configuration["train_ds", "manifest_filepath"]?.text?.hasSuffix("that have spaces in them") == true)
        let prompts = configuration["model_defaults", "prompt_dictionary"]
        #expect(prompts?.entries.map(\.key) == ["en-US", "en", "en-GB", "de-DE", "de", "no", "auto"])
        #expect(prompts?["no"]?.integer == 3)
        #expect(configuration["labels"]?.items?.count == 62)
    }

    @Test func filesAreFoundByTheEndOfTheirNames() throws {
        let archive = try Self.archive("hybrid")
        let file = try #require(archive.file(endingIn: "tokenizer.model"))
        #expect(file.name == "0123456789abcdef_tokenizer.model")
        #expect(file.bytes.count > 500)
        #expect(archive.file(endingIn: "tokenizer.json") == nil)
    }

    @Test func aModelIsNamedByItsClass() throws {
        #expect(try Self.archive("hybrid").className == "EncDecHybridRNNTCTCBPEModel")
        let identity = try ModelIdentity(at: Fixtures.file("nemo/prompted.nemo"))
        #expect(identity.family == "encdecrnntbpemodelwithprompt")
        #expect(identity.format == .nemo(file: Fixtures.file("nemo/prompted.nemo")))
    }

    @Test func missingFilesAreNamed() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("model.nemo")
        var archive = TarFile()
        archive.add("other", Data([1]))
        try archive.complete.write(to: url)
        expectError(.modelDamaged, says: "model_config.yaml") { try NeMoArchive(path: url.path) }
        archive.add("./model_config.yaml", Data("target: a.b.Model".utf8))
        try archive.complete.write(to: url)
        #expect(try NeMoArchive(path: url.path).className == "Model")
        expectError(.modelDamaged, says: "model_weights.ckpt") { try NeMoArchive(path: url.path).weights() }
        #expect(try ModelIdentity(at: folder.url).family == "model")
    }
}
