#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoStore

    struct HistoryExport: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write sessions as txt, srt, vtt, lrc, json, tsv or rttm, and their audio.",
            discussion: """
                  steno history export last -o meeting.srt
                  steno history export last --output-format json
                  steno history export 3f2a 91b0 --output-dir texts --output-format all
                  steno history export last --audio meeting.wav

                Subtitles are split for easy reading, as with steno live --save. Edited text replaces the recognised \
                text. An interrupted session has the text up to the interruption.
                """)

        @Argument(help: ArgumentHelp("The first characters of the ids of sessions, or last.", valueName: "session"))
        var names: [String]

        @Option(
            name: [.customShort("o"), .customLong("output")],
            help: ArgumentHelp("Write one session to this file; the extension decides the format.", valueName: "file"))
        var output: String?

        @Option(
            name: [.customShort("f"), .long],
            help: ArgumentHelp(
                "txt, srt, vtt, lrc, json, tsv or all, or rttm; a list or repeated (default: txt).",
                valueName: "format,..."))
        var outputFormat: [OutputFormats] = []

        @Option(
            name: .long,
            help: ArgumentHelp("Write a file for each session and format to this folder.", valueName: "folder"))
        var outputDir: String?

        @Option(name: .long, help: ArgumentHelp("Write the audio of one session to a WAV file.", valueName: "file"))
        var audio: String?

        @Flag(name: .long, help: "Replace existing files.") var force = false

        @OptionGroup(title: "History") var history: HistoryArguments

        private var formats: [TranscriptFormat] {
            let wanted = outputFormat.flatMap(\.values)
            guard wanted.isEmpty else { return TranscriptFormat.allCases.filter(wanted.contains) }
            return [output.flatMap { try? TranscriptFormat(file: LocalFile.url($0)) } ?? .txt]
        }

        func validate() throws {
            guard output == nil || outputDir == nil else {
                throw ValidationError("--output is for one file, --output-dir is for several: use one of them.")
            }
            guard outputDir != nil || names.count == 1 && formats.count == 1 else {
                throw ValidationError("To export several sessions or formats, name a folder with --output-dir.")
            }
            guard audio == nil || names.count == 1 else {
                throw ValidationError("--audio exports one session: name only one.")
            }
            if let output, outputFormat.isEmpty {
                do { _ = try TranscriptFormat(file: LocalFile.url(output)) } catch {
                    throw ValidationError(error.sentence)
                }
            }
        }

        func run() async throws {
            try await CommandRun.run { [self] console in
                let store = try await history.open()
                let sessions = try await store.sessions()
                let chosen = try names.map { try SessionName.find($0, in: sessions) }
                var outputs = OutputFiles(
                    overwriting: force, remedy: "Choose another name, or replace it with --force.")
                let files = try chosen.map { session in
                    let files = try self.files(of: session)
                    for file in files { try outputs.check(file.url) }
                    return files
                }
                if let audio { try outputs.check(LocalFile.url(audio)) }
                for (session, files) in zip(chosen, files) {
                    let transcript = try await store.transcript(of: session.id)
                    for (file, format) in files {
                        try AtomicFile.write(
                            format.text(of: transcript, subtitles: .readable), to: file, overwriting: force)
                    }
                    guard files.isEmpty, audio == nil || !outputFormat.isEmpty else { continue }
                    console.print(formats[0].text(of: transcript, subtitles: .readable))
                }
                if let audio, let session = chosen.first {
                    try await store.exportAudio(of: session.id, to: LocalFile.url(audio), overwriting: force)
                }
                return 0
            }
        }

        private func files(of session: StoredSession) throws -> [(url: URL, format: TranscriptFormat)] {
            if let output { return [(LocalFile.url(output), formats[0])] }
            guard let outputDir else { return [] }
            let folder = LocalFile.url(outputDir)
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                throw StenoError(
                    .outputFailed,
                    "The output folder \(folder.path) cannot be created. Choose a folder you may write to.",
                    underlying: error)
            }
            let name = "\(SessionTime.fileName(session.start))-\(SessionName.short(session.id))"
            return formats.map { (folder.appendingPathComponent("\(name).\($0.fileExtension)"), $0) }
        }
    }
#endif
