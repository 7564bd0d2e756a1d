import Foundation
package import StenoCore
import StenoSpeakers

/// Computes the profile of a voice from recordings of one person.
package enum SpeakerEnrollment {
    /// The minimum amount of speech for a profile, in seconds.
    package static let leastSpeech = 5.0

    private static let readLength = 16_384

    /// - Parameters:
    ///   - sources: Open the recordings; called on a thread that may block.
    ///   - leastSpeech: The minimum amount of speech in all recordings together, in seconds.
    ///   - longest: The maximum length read of each recording, in seconds.
    /// - Throws: ``StenoError``: `invalidOption` for an empty name, for too little speech, and when there is more than
    ///   one voice; errors of the audio; `CancellationError`.
    package static func profile(
        _ name: String, from sources: [@Sendable () throws -> any SampleSource], leastSpeech: Double = leastSpeech,
        longest: Double = .infinity
    ) async throws -> SpeakerProfile {
        try check(name)
        return try await Worker.run("steno.enroll") { flag in
            var sum: SpeakerEmbedding?
            var otherSum: SpeakerEmbedding?
            var seconds = 0.0
            for open in sources {
                let heard = try voices(in: try flag.open(open), longest, flag)
                guard let voice = heard.voice else { continue }
                add(voice, to: &sum)
                heard.other.map { add($0, to: &otherSum) }
                seconds += voice.seconds
            }
            guard let sum, seconds >= leastSpeech else {
                throw StenoError(
                    .invalidOption,
                    "There is too little speech to enroll \(name): \((seconds * 10).rounded() / 10) of at least "
                        + "\(Int(leastSpeech.rounded(.up))) seconds. Add recordings.")
            }
            return SpeakerProfile(
                name: name, embedding: sum.normalized.values, other: otherSum?.normalized.values, seconds: seconds)
        }
    }

    private static func add(_ voice: Diarization.Voice, to sum: inout SpeakerEmbedding?) {
        let weighted = voice.embedding * Float(voice.seconds)
        sum = sum.map { $0 + weighted } ?? weighted
    }

    private static func check(_ name: String) throws {
        let isPlain = !name.strippingWhitespace.isEmpty && name.count <= 100
        let isNumbered = name.hasPrefix("Speaker ") && Int(name.dropFirst(8)) != nil
        guard isPlain, !isNumbered, !name.contains(where: \.isNewline) else {
            throw StenoError(
                .invalidOption,
                "“\(name)” cannot be the name of a voice: use one line of at most 100 characters, and not “Speaker 1”.")
        }
    }

    /// The only voice of a recording, nil without speech; and by the downloaded networks, if they are installed.
    private static func voices(
        in source: any SampleSource, _ longest: Double, _ flag: CancellationFlag
    ) throws -> (voice: Diarization.Voice?, other: Diarization.Voice?) {
        let diarizer = try SpeakerDiarizer.bundled()
        let other = try SpeakerModels.find()?.diarizer()
        var samples = [Float](repeating: 0, count: readLength)
        var seconds = 0.0
        while seconds < longest {
            if flag.isCancelled { throw CancellationError() }
            let count = try samples.withUnsafeMutableBufferPointer { buffer in
                let count = try source.read(into: buffer)
                let heard = UnsafeBufferPointer(rebasing: buffer[..<max(0, count)])
                diarizer.append(heard)
                other?.append(heard)
                return count
            }
            guard count > 0 else { break }
            seconds += Double(count) / Double(AudioFile.sampleRate)
        }
        let voices = diarizer.finish().voices
        guard voices.count <= 1 else {
            throw StenoError(
                .invalidOption,
                "There are \(voices.count) voices in a recording. Use recordings of this person only.")
        }
        // There is one person: a second voice would be a mistake.
        return (voices.first, other?.finish(counts: 1...1).voices.first)
    }
}

extension SpeakerModels {
    /// The networks in the models folders (`$STENO_MODELS`, the user's); nil if they are not installed.
    static func find() throws -> SpeakerModels? { try find(in: ModelLocator().modelsFolders) }
}
