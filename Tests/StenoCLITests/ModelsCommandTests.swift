import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import StenoCLI
@testable import StenoCompute
@testable import StenoCore

@Suite struct ModelsCommandTests {
    private let tool = StenoTool()

    @Test func theBundledModelIsAlwaysListed() throws {
        let result = try tool.run("models", "list")
        #expect(result.code == 0)
        let lines = result.output.split(separator: "\n").map { $0.split(separator: #/ {2,}/#).map(String.init) }
        #expect(lines.map { $0[0] } == ["base", "moonshine-tiny"])
        #expect(lines.map { $0[1] } == ["bundled", "bundled"])
        #expect(lines[0][3...4] == ["99 languages", "MIT"] && lines[0][5].hasSuffix("whisper-base"))
        #expect(lines[1].last?.hasSuffix("moonshine-tiny") == true)
        // Lists can be JSON.
        #expect(try tool.run("models", "list", "--json").output.contains("\"origin\" : \"bundled\""))
        let available = try tool.run("models", "list", "--available", "--json")
        #expect(available.output.contains("\"repository\" : \"Systran/faster-whisper-small\""))
        // As does the error for an unknown name.
        let unknown = try tool.run("models", "download", "gigantic")
        #expect(unknown.code == 66 && unknown.errors.contains("large-v3-turbo"))
    }

    @Test func installedModelsAreListedFirstAndNotRemoved() throws {
        try tool.folder.write("", to: "mine/talker/model.bin")
        let environment = ["STENO_MODELS": "mine"]
        let own = try tool.run("models", "remove", "talker", environment: environment)
        #expect(own.code == 66 && own.errors.contains("remove it yourself"))
        let list = try tool.run("models", "list", environment: environment)
        #expect(list.output.hasPrefix("talker          installed "))
        let bundled = try tool.run("models", "remove", "base")
        #expect(bundled.code == 66 && bundled.errors.contains("comes with the program"))
    }

    @Test func infoShowsShapeLanguagesPrecisionSizeAndFormat() throws {
        let result = try tool.run("models", "info", Fixtures.nano.path)
        #expect(result.code == 0)
        for part in ["CTranslate2", "encoder", "decoder", "mel bands", "languages", "MB", Fixtures.nano.path] {
            #expect(result.output.contains(part), "\(part)")
        }
        // The best model in real time is measured once.
        let recording = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav").path
        let measured = try tool.run("transcribe", "--model", "auto", recording)
        #expect(measured.code == 0 && measured.output.contains("what you can do for your country"))
        #expect(try tool.folder.names().contains { $0.hasSuffix(".speeds.json") })
    }
}

@Suite struct ModelsConvertCommandTests {
    private let tool = StenoTool()

    @Test func aHuggingFaceFolderBecomesAModel() throws {
        try SmallModel.withHuggingFace { source in
            let result = try tool.run("models", "convert", source.path, "new/model", "--quantization", "float16")
            #expect(result == .printed(tool.url("new/model").path + "\n"))
            let info = try tool.run("models", "info", "new/model")
            #expect(info.output.contains("CTranslate2") && info.output.contains("float16"))
            let again = try tool.run("models", "convert", source.path, "new/model")
            #expect(again.code == 1 && again.errors.contains("--force"))
            #expect(try tool.run("models", "convert", source.path, "new/model", "--force").code == 0)
            #expect(try tool.run("models", "info", "new/model").output.contains("int8"))
        }
    }

    @Test func failedConversionsAreExplained() throws {
        try tool.folder.write("text", to: "notes.txt")
        for (source, reason) in [("notes.txt", "ggml-*.bin"), ("nowhere", "no model"), ("empty", "no model")] {
            let result = try tool.run("models", "convert", source, "new")
            #expect(result.code == 66 && result.errors.contains(reason), "\(result.errors)")
        }
        #expect(try tool.run("models", "convert", "a", "b", "--quantization", "int4").code == 64)
        #expect(try tool.names() == ["notes.txt"])
    }

    /// A file size limit makes writes fail like a full disk.
    @Test func aFullDiskLeavesNoFiles() throws {
        let result = try tool.runShell(
            "\(fileSizeLimit(blocks: 100)); exec \"$0\" models convert \"$1\" new", Fixtures.nano.path)
        #expect(result.code == 1 && result.errors.contains("cannot be written"), "\(result.errors)")
        #expect(try tool.names() == [])
    }

    @Test func progressHasTensorsAndBytes() {
        let progress = ConversionProgress(tensors: 3, tensorCount: 10, bytes: 2_000_000, byteCount: 8_000_000)
        #expect(ModelsConvert.line(progress) == "tensor 4 of 10  25 %  2 of 8 MB")
    }
}
