import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoVoiceActivity

/// The recordings that need no ffmpeg; SileroGoldenTests has the others.
@Suite struct SileroDetectorTests {
    private let detector: SileroDetector
    private let goldens: VoiceActivityGoldens
    private let inaugural: [Float]

    init() throws {
        detector = try SileroDetector(SileroModel.load(file: VoiceActivityGoldens.silero))
        goldens = try VoiceActivityGoldens.shared.get()
        inaugural = try TestAudio.speech()
    }

    private func probabilities(_ samples: [Float], chunks: [Int] = [16_000]) -> [Float] {
        var stream = VoiceActivityStream(detector)
        var found: [Float] = []
        var start = 0, turn = 0
        while start < samples.count {
            let end = min(samples.count, start + chunks[turn % chunks.count])
            found += stream.push(Array(samples[start..<end]))
            #expect(stream.position == found.count * 512 && stream.sampleCount == end)
            start = end
            turn += 1
        }
        return found + stream.finish()
    }

    private func golden(_ name: String) throws -> [Float] {
        let audio = try #require(goldens.recordings.first { $0.audio.hasSuffix(name) })
        return goldens.probabilities(of: audio)
    }

    @Test func speechNoiseAndMusicEqualTheReference() throws {
        let noise = TestAudio.noise(seed: 1, count: 480_000, gain: 0.125)
        for (samples, name) in [
            (inaugural, "inaugural-1961.wav"), (noise, "noise"), (VoiceActivityRecordings.chords(), "chords"),
        ] {
            #expect(try largestDistance(probabilities(samples), golden(name)) < 1e-4, "\(name)")
        }
    }

    @Test(arguments: [0, 1, 511, 512, 513, 60_404]) func recordingsEndAsInTheReference(count: Int) throws {
        let found = probabilities(Array(inaugural.prefix(count)))
        #expect(try largestDistance(found, golden("inaugural-first-\(count)")) < 1e-4)
    }

    /// Each stream also resets the detector that it shares with the one before.
    @Test(arguments: [[1], [511, 513], [512], [160], [7, 4000, 1, 20_000]]) func chunkSizesDoNotMatter(chunks: [Int]) {
        let audio = Array(inaugural.prefix(40_000))
        #expect(probabilities(audio, chunks: chunks) == probabilities(audio))
    }

    @Test func samplesThatAreNotFiniteAreSilence() {
        let audio = Array(inaugural.prefix(20_000))
        var broken = audio, silent = audio
        for index in 5000..<5100 {
            broken[index] = index.isMultiple(of: 2) ? .nan : .infinity
            silent[index] = 0
        }
        #expect(probabilities(broken) == probabilities(silent))
    }

    /// With the wrong context the onset's probability would differ.
    @Test func aWindowHasThePreviousOnesEndAsContext() {
        var audio = Array(inaugural.prefix(8192))
        let first = probabilities(audio)
        audio[511] += 0.25
        let second = probabilities(audio)
        var withoutContext = audio
        withoutContext[447] += 0.25
        withoutContext[511] -= 0.25
        #expect(first[1] != second[1])
        #expect(first.dropFirst() != probabilities(withoutContext).dropFirst())
    }
}

/// Silero on recordings that ffmpeg decodes: together with SileroDetectorTests, twelve minutes of audio of all kinds.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct SileroGoldenTests {
    @Test func probabilitiesEqualTheReference() async throws {
        let goldens = try VoiceActivityGoldens.shared.get()
        let model = try BundledSilero.model()
        #expect(model.version == "6.2.0")
        var seconds = 0.0
        for golden in goldens.recordings {
            guard let samples = try await samples(of: golden) else { continue }
            var stream = VoiceActivityStream(try SileroDetector(model))
            let found = stream.push(samples) + stream.finish()
            let distance = largestDistance(found, goldens.probabilities(of: golden))
            #expect(distance < 1e-4, "\(golden.audio): \(distance)")
            seconds += Double(golden.count) / 16_000
        }
        #expect(seconds > 600)
    }

    /// The network and the rules together, in settings in which the versions of Silero differ.
    @Test func theFilterFindsTheSpeechThatFasterWhisperFinds() async throws {
        let goldens = try VoiceActivityGoldens.shared.get()
        let settings = goldens.settings.map(VoiceActivityOptions.init)
        var count = 0
        for golden in goldens.spans {
            guard let samples = try await samples(of: golden.audio) else { continue }
            #expect(SHA256.fingerprint(of: samples) == golden.sha256, "\(golden.audio) has other samples")
            var stream = VoiceActivityStream(try DetectorKind.silero.makeFilter())
            let probabilities = stream.push(samples) + stream.finish()
            for (options, expected) in zip(settings, golden.spans) {
                let found = SpeechTimestamps.chunks(of: probabilities, sampleCount: samples.count, options: options)
                #expect(found == expected.map { $0[0]..<$0[1] }, "\(golden.audio): \(options)")
                count += found.count
            }
        }
        #expect(count > 500)
    }

    /// The samples of a golden; nil if this version of ffmpeg decodes them differently.
    private func samples(of golden: VoiceActivityGoldens.Audio) async throws -> [Float]? {
        guard let samples = try await samples(of: golden.audio) else { return nil }
        let isTheSame = SHA256.fingerprint(of: samples) == golden.sha256
        #expect(isTheSame || golden.samples == "ffmpeg", "\(golden.audio) has other samples")
        return isTheSame ? samples : nil
    }

    /// The samples of a recording by its name in the goldens; nil for pieces of the bundled sample.
    private func samples(of name: String) async throws -> [Float]? {
        let samples: [Float]
        switch name {
        case "noise": samples = TestAudio.noise(seed: 1, count: 480_000, gain: 0.125)
        case "chords": samples = VoiceActivityRecordings.chords()
        case "gaps": samples = try await VoiceActivityRecordings.gaps(sentences())
        case let name where name.hasPrefix("inaugural"): return nil
        default:
            samples = try await decoded(Fixtures.root.appendingPathComponent(name))
        }
        return samples
    }
}

@Suite struct SileroFileTests {
    private let bytes: [UInt8]
    private let folder: TemporaryFolder

    init() throws {
        bytes = [UInt8](try Data(contentsOf: VoiceActivityGoldens.silero))
        folder = try TemporaryFolder()
    }

    private func load(_ bytes: [UInt8]) throws -> SileroModel {
        let file = folder.url.appendingPathComponent("silero.bin")
        try Data(bytes).write(to: file)
        return try SileroModel.load(file: file)
    }

    private func code(_ bytes: [UInt8]) -> StenoError.Code? {
        #expect(throws: StenoError.self) { try load(bytes) }?.code
    }

    @Test func theBundledNetworkLoads() throws {
        #expect(try load(bytes).version == "6.2.0")
        #expect(try BundledSilero.fasterWhisper().version == "6.0.0")
        // A missing file is reported.
        let nowhere = folder.url.appendingPathComponent("nowhere.bin")
        #expect(throws: StenoError.self) { try SileroModel.load(file: nowhere) }
    }

    @Test(arguments: [1, 3, 4, 8, 17, 30, 80, 100, 113, 114, 130, 99_000, 752_645, 885_097])
    func aTruncatedFileIsDamaged(length: Int) {
        #expect(code(Array(bytes.prefix(length))) == .modelDamaged)
    }

    @Test func otherAndDamagedFilesAreRefused() {
        #expect(code(Array("RIFF".utf8) + bytes.dropFirst(4)) == .modelUnsupported)
        // The window length: 512 becomes 256.
        var other = bytes
        other[31] = 1
        #expect(code(other) == .modelUnsupported)
        var broken = bytes
        // The last float16 of the spectrum's tensor.
        broken.replaceSubrange(bytes.count - 2..<bytes.count, with: [0x00, 0x7e])
        #expect(code(broken) == .modelDamaged)
    }

    /// Whatever a header contains, the loader returns the network or throws an error of its own.
    @Test func brokenHeadersNeverCrash() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<300 {
            var broken = bytes
            // Headers are at the start of the file and between the tensors; the first 114 bytes are all header.
            let place = random.next() % 3 == 0 ? Int(random.next() % 114) : Int(random.next() % UInt64(bytes.count))
            broken[place] = UInt8(truncatingIfNeeded: random.next())
            do {
                _ = try load(broken)
            } catch {
                #expect(error is StenoError)
            }
        }
    }
}
