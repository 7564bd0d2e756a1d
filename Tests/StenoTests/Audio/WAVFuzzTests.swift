import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAudio
@testable import StenoCore

/// Audio files with random damage give a readable error or samples, and never a crash or a hang.
@Suite struct WAVFuzzTests {
    /// `make fuzz` sets the number; the default is quick.
    static let count = ProcessInfo.processInfo.environment["STENO_FUZZ_COUNT"].flatMap(Int.init) ?? 500

    private func seeds() throws -> [[UInt8]] {
        try PCMFormat.Encoding.allCases.flatMap { encoding in
            try WAVBuilder.Form.allCases.flatMap { form in
                try [(16_000, 1), (48_000, 2)].map { rate, channels in
                    let format = try PCMFormat(encoding, sampleRate: rate, channels: channels)
                    let samples = (0..<(60 * channels)).map { sin(Double($0)) }
                    var wav = WAVBuilder(format, form: form, samples: samples)
                    wav.leading = WAVBuilder.chunk("JUNK", [1, 2, 3])
                    wav.middle = WAVBuilder.chunk("fact", [1, 0, 0, 0])
                    return wav.bytes
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(60))) func mutatedFilesAndPipes() async throws {
        let seeds = try seeds()
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("fuzz.wav")
        var random = SplitMix64(seed: 42)
        var read = 0
        for index in 0..<Self.count {
            let bytes = Mutation.apply(to: seeds[index % seeds.count], using: &random)
            try write(bytes, to: file)
            let fromFile = try outcome(index) { try readAll(AudioOpener(ffmpeg: nil).open(file)) }
            let fromPipe = try outcome(index) { try readPipe(bytes) }
            // The lowest rate is 1,000 Hz, so a byte becomes 16 samples at most.
            #expect(max(fromFile?.count ?? 0, fromPipe?.count ?? 0) <= 16 * bytes.count, "mutation \(index)")
            if fromFile != nil { read += 1 }
            if let fromFile, let fromPipe { #expect(fromPipe.count >= fromFile.count, "mutation \(index)") }
        }
        #expect(read > 0 && read < Self.count, "some are read, some are not: \(read) of \(Self.count)")
    }
}

/// `Data.write` waits for the disk, which takes longer than everything else here.
private func write(_ bytes: [UInt8], to file: URL) throws {
    #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
    try FileHandle(forWritingTo: file).write(contentsOf: bytes)
}

/// The samples, or nil for an error that is one of ours; what a library says in it may end in any way.
private func outcome(_ index: Int, isWhole: Bool = true, _ read: () throws -> [Float]) throws -> [Float]? {
    do {
        let samples = try read()
        #expect(samples.allSatisfy { abs($0) <= 1 }, "mutation \(index)")
        return samples
    } catch let error as StenoError {
        #expect(error.message.count > 20 && !(isWhole && error.message.last == " "), "mutation \(index): \(error)")
        return nil
    }
}

/// One to four kinds of damage, most of them near the front where the header is.
enum Mutation: CaseIterable {
    case bit, byte, number, cut, insert, remove, copy

    static let numbers: [UInt32] = [0, 1, 2, 15, 16, 40, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF0, 0xFFFF_FFFF]

    static func apply(to bytes: [UInt8], using random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard bytes.count > 8, let kind = allCases.randomElement(using: &random) else { continue }
            kind.damage(&bytes, using: &random)
        }
        return bytes
    }

    private func damage(_ bytes: inout [UInt8], using random: inout SplitMix64) {
        let reach = Bool.random(using: &random) ? min(128, bytes.count) : bytes.count
        let place = Int.random(in: 0..<reach, using: &random)
        switch self {
        case .bit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .byte: bytes[place] = .random(in: 0...255, using: &random)
        case .number:
            let number = WAVBuilder.le(Self.numbers.randomElement(using: &random) ?? 0)
            for (offset, byte) in number.enumerated() where place + offset < bytes.count {
                bytes[place + offset] = byte
            }
        case .cut: bytes.removeLast(bytes.count - place)
        case .insert: bytes.insert(contentsOf: (0..<8).map { _ in .random(in: 0...255, using: &random) }, at: place)
        case .remove: bytes.removeSubrange(place..<min(bytes.count, place + 4))
        case .copy:
            let span = Array(bytes[place..<min(bytes.count, place + 64)])
            bytes.insert(contentsOf: span, at: Int.random(in: 0..<bytes.count, using: &random))
        }
    }
}

#if os(Linux) || os(macOS)
    /// Compressed recordings with random damage, read with libsndfile.
    @Suite(.needsFFmpeg, .needsSoundFileLibrary) struct SoundFileFuzzTests {
        @Test(.timeLimit(.minutes(60)), arguments: ["flac", "mp3", "ogg", "opus"])
        func damagedFilesGiveSamplesOrAReadableError(_ codec: String) async throws {
            let library = try #require(SoundFileLibrary.installed)
            let folder = try TemporaryFolder()
            let file = try await folder.convert(
                Fixtures.file("speech/en-000.flac"), to: "a.\(codec)", ["-ar", "16000", "-ac", "1"])
            try await onThread {
                let seed = Array(try Data(contentsOf: file).prefix(20_000))
                var random = SplitMix64(seed: 7, name: codec)
                for index in 0..<WAVFuzzTests.count / 4 {
                    let bytes = Mutation.apply(to: seed, using: &random)
                    try write(bytes, to: file)
                    _ = try outcome(index, isWhole: false) {
                        try readAll(AudioOpener(ffmpeg: nil, soundFiles: library).open(file))
                    }
                }
            }
        }
    }
#endif
