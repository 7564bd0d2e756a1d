import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoCompute

struct ModelsConvert: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Convert a model to int8 or another precision.",
        discussion: """
            The source is a Hugging Face folder (model.safetensors, config.json, tokenizer.json), a ggml-*.bin of \
            whisper.cpp or a CTranslate2 folder. A Whisper model becomes a CTranslate2 folder for Steno and \
            faster-whisper, whose model.bin is identical to the output of ct2-transformers-converter. A model of \
            another family becomes a Hugging Face folder; in int8 only Steno reads it. An interrupted conversion \
            leaves nothing behind.

              steno models convert openai/whisper-small ~/models/small-int8
              steno models convert ggml-large-v3-q5_0.bin large-v3 --quantization float16
            """)

    @Argument(help: .init("Model file, folder or name.", valueName: "source")) var source: String
    @Argument(help: .init("New folder.", valueName: "destination")) var destination: String
    @Option(
        help: .init(
            "How weights are stored: int8, float16, bfloat16 or float32. Steno is fastest with int8.", valueName: "type"
        ))
    var quantization = ConversionPrecision.int8
    @Flag(help: "Replace the model in the destination.") var force = false

    func run() async throws {
        try await CommandRun.run { [source, destination, quantization, force] console in
            do {
                let model = try Self.locate(source), folder = LocalFile.url(destination)
                try await Worker.run("steno.convert") { flag in
                    try ModelConversion.convert(
                        model, to: folder, precision: quantization, replacing: force,
                        isCancelled: { flag.isCancelled },
                        onProgress: { progress in console.showProgress(Self.line(progress)) })
                }
                console.print("\(folder.path)\n")
                return 0
            } catch let error where !(error is CancellationError) {
                console.fail("model \(source)", error)
                return error.exitCode
            }
        }
    }

    /// A path, or the name of a model on this machine.
    private static func locate(_ source: String) throws -> URL {
        let path = LocalFile.url(source)
        return FileManager.default.fileExists(atPath: path.path) ? path : try ModelLocator().locate(source).folder
    }

    static func line(_ progress: ConversionProgress) -> String {
        let percent = progress.byteCount > 0 ? min(100, progress.bytes * 100 / progress.byteCount) : 100
        func megabytes(_ bytes: Int) -> String { String(format: "%.0f", Double(bytes) / 1e6) }
        return "tensor \(min(progress.tensors + 1, progress.tensorCount)) of \(progress.tensorCount)  \(percent) %  "
            + "\(megabytes(progress.bytes)) of \(megabytes(progress.byteCount)) MB"
    }
}

extension ConversionPrecision: ExpressibleByArgument {}
