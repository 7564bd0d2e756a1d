import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

struct ModelFormatTests {
    static let heads: [(name: String, bytes: [UInt8])] = [
        ("ggml", Array("lmgg".utf8)), ("gguf", Array("GGUF".utf8)), ("pyTorch", Array("PK\u{3}\u{4}".utf8)),
        ("pyTorch", [0x80, 0x02]), ("safetensors", [200, 1, 0, 0, 0, 0, 0, 0, 0x7B]),
    ]

    static func name(_ format: ModelFormat) -> String {
        switch format {
        case .cTranslate2: "cTranslate2"
        case .ggml: "ggml"
        case .gguf: "gguf"
        case .safetensors: "safetensors"
        case .pyTorch: "pyTorch"
        }
    }

    @Test func theContentDecides() throws {
        for (name, head) in Self.heads {
            for file in ["model.bin", "ggml-base.bin", "model.safetensors", "large.pt"] {
                let folder = try TemporaryFolder()
                let url = folder.url.appendingPathComponent(file)
                try Data(head + [1, 2, 3]).write(to: url)
                #expect(Self.name(try .detect(at: url)) == name)
                #expect(Self.name(try .detect(at: folder.url)) == name)
            }
        }
    }

    @Test func anUnrecognisedModelBinIsLeftToCTranslate2() throws {
        let folder = try TemporaryFolder()
        try folder.write("anything", to: "model.bin")
        #expect(try ModelFormat.detect(at: folder.url) == .cTranslate2(folder: folder.url))
    }

    @Test func aMissingModelIsNotFound() throws {
        let folder = try TemporaryFolder()
        for url in [
            folder.url, folder.url.appendingPathComponent("nowhere"), try folder.write("text", to: "notes.txt"),
        ] {
            let error = #expect(throws: StenoError.self) { try ModelFormat.detect(at: url) }
            #expect(error?.code == .modelNotFound)
        }
    }
}
