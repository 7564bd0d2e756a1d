import Foundation
import Steno
import Testing

@testable import StenoModelStore

@Suite struct ModelReferenceTests {
    @Test(
        arguments: [
            ("small", "Systran/faster-whisper-small", nil),
            ("turbo", "mobiuslabsgmbh/faster-whisper-large-v3-turbo", nil),
            ("openai/whisper-tiny", "openai/whisper-tiny", nil),
            ("ggml-base-q5_1.bin", "ggerganov/whisper.cpp", "ggml-base-q5_1"),
            ("ggerganov/whisper.cpp/ggml-base.bin", "ggerganov/whisper.cpp", "ggml-base"),
            ("https://huggingface.co/openai/whisper-base", "openai/whisper-base", nil),
            ("https://huggingface.co/openai/whisper-base/tree/main", "openai/whisper-base", nil),
            (
                "https://huggingface.co/ggerganov/whisper.cpp/resolve/main/ggml-tiny.bin?download=true",
                "ggerganov/whisper.cpp", "ggml-tiny"
            ),
        ] as [(String, String, String?)])
    func namesResolveToRepositoriesOrFiles(name: String, repository: String, weights: String?) throws {
        let reference = try ModelReference(name)
        #expect(reference.place == .repository(repository, file: weights.map { $0 + ".bin" }))
        #expect(reference.folder == repository + (weights.map { "/" + $0 } ?? ""))
    }

    @Test func otherAddressesUseAFolderNamedAfterTheirHost() throws {
        let reference = try ModelReference("https://example.com/models/ggml-mine.bin?key=SECRET")
        #expect(reference.folder == "example.com/models--ggml-mine" && !reference.name.contains("SECRET"))
        let mirror = try #require(URL(string: "http://127.0.0.1:4000"))
        let mirrored = try ModelReference("http://127.0.0.1:4000/owner/name", endpoint: mirror)
        #expect(mirrored.place == .repository("owner/name", file: nil), "a mirror's are repositories too")
    }

    @Test func invalidReferencesAreErrors() {
        for name in [
            "gigantic", "", "..", "../..", "a/../b", "/etc/passwd", "a/.hidden", "a//b", "owner/na me",
            "http://example.com/ggml-a.bin", "ftp://example.com/ggml-a.bin", "https:///x.bin",
            "https://example.com/page.html", "a/b/../../c", "~/x/y",
        ] {
            expectError(.modelNotFound, "\(name)") { try ModelReference(name) }
        }
    }

    @Test func otherRevisionsThanMainAreRefusedByName() {
        for (address, revision) in [
            ("resolve/0123abcd/ggml-x.bin", "0123abcd"), ("blob/v1.0/ggml-x.bin", "v1.0"), ("tree/dev", "dev"),
        ] {
            let error = #expect(throws: StenoError.self) {
                try ModelReference("https://huggingface.co/owner/name/" + address)
            }
            #expect(error?.code == .modelNotFound)
            #expect(error?.message.contains("hf download owner/name --revision \(revision)") == true)
        }
    }

    @Test func theCatalogueHasEveryNameOfFasterWhisper() {
        let names = [
            "tiny.en", "tiny", "base.en", "base", "small.en", "small", "medium.en", "medium", "large-v1", "large-v2",
            "large-v3", "large", "distil-large-v2", "distil-medium.en", "distil-small.en", "distil-large-v3",
            "distil-large-v3.5", "large-v3-turbo", "turbo",
        ]
        for name in names {
            let model = KnownModel(name)
            let isEnglish = name.contains("en") || name.contains("distil")
            let isNew = name.contains("v3") || name == "large" || name == "turbo"
            #expect(model?.languageCount == (isEnglish ? 1 : isNew ? 100 : 99), "\(name)")
            #expect(model?.melBands == (isNew ? 128 : 80), "\(name)")
        }
        let whisper = KnownModel.all.filter { $0.family == "whisper" }
        #expect(Set(whisper.flatMap { [$0.name] + $0.aliases }) == Set(names))
    }

    @Test func eachFormatsFilesAreChosen() throws {
        func chosen(_ names: String, _ file: String? = nil) throws -> String {
            let names = names.split(separator: " ").map(String.init)
            return try ModelFiles.chosen(from: names, file: file, repository: "a/b").sorted().joined(separator: " ")
        }
        for (names, expected) in [
            (
                "README.md model.bin config.json vocabulary.json tokenizer.json x.safetensors",
                "config.json model.bin tokenizer.json vocabulary.json"
            ),
            // A repository with code, weights of another format and the files of Moonshine.
            (
                ".gitattributes README.md config.json modeling_moonshine.py model.safetensors x.nemo "
                    + "generation_config.json preprocessor_config.json tokenizer.json",
                "config.json generation_config.json model.safetensors preprocessor_config.json tokenizer.json"
            ),
            // Both forms of the weights: one is enough.
            (
                "config.json model.safetensors model.fp32-00001-of-00002.safetensors pytorch_model.bin vocab.json",
                "config.json model.safetensors vocab.json"
            ),
            (
                "config.json model.safetensors processor_config.json parakeet.nemo",
                "config.json model.safetensors processor_config.json"
            ),
        ] {
            #expect(try chosen(names) == expected)
        }
        let several = "config.json model-1-of-2.safetensors model-2-of-2.safetensors model.safetensors.index.json"
        #expect(try chosen(several) == several)
        #expect(try chosen("ggml-tiny.bin ggml-base.bin", "ggml-base.bin") == "ggml-base.bin")
        expectError(says: "a/b/ggml-tiny.bin") { try chosen("ggml-tiny.bin ggml-base.bin") }
        for other in ["README.md parakeet.nemo", "README.md pytorch_model.bin"] { expectError { try chosen(other) } }
    }
}
