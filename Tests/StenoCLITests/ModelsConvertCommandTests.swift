#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoCLI
    @testable import StenoCompute
    @testable import StenoCore

    @Suite struct ModelsConvertCommandTests {
        private let tool = StenoTool()

        @Test func aHuggingFaceFolderBecomesAModel() throws {
            try SmallModel.withHuggingFace { source in
                let result = try tool.run("models", "convert", source.path, "new/model", "--quantization", "float16")
                #expect(result.code == 0)
                #expect(result.errors == "")
                #expect(result.output == tool.url("new/model").path + "\n")
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
                #expect(result.code == 66)
                #expect(result.errors.contains(reason), "\(result.errors)")
            }
            #expect(try tool.run("models", "convert", "a", "b", "--quantization", "int4").code == 64)
            #expect(try tool.names() == ["notes.txt"])
        }

        /// A file size limit makes writes fail like a full disk.
        @Test func aFullDiskLeavesNoFiles() throws {
            let result = try tool.runShell(
                "\(fileSizeLimit(blocks: 100)); exec \"$0\" models convert \"$1\" new", Fixtures.nano.path)
            #expect(result.code == 1)
            #expect(result.errors.contains("cannot be written"), "\(result.errors)")
            #expect(try tool.names() == [])
        }

        @Test func progressHasTensorsAndBytes() {
            let progress = ConversionProgress(tensors: 3, tensorCount: 10, bytes: 2_000_000, byteCount: 8_000_000)
            #expect(ModelsConvert.line(progress) == "tensor 4 of 10  25 %  2 of 8 MB")
        }
    }
#endif
