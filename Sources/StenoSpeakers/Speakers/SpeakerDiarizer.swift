import Foundation
import StenoCompute
import StenoCore
package import StenoVoiceActivity

/// Finds who speaks when with the networks that come with Steno; of several people who speak at once it finds one.
///
/// Voice activity detection finds regions of speech, which are cut into windows of 1.6 s; an encoder turns each into an
/// embedding, and at the end ``SpeakerClustering`` finds the voices. It keeps the audio of the current region (at most
/// 20 s) and 1 kB for every 0.8 s of speech.
package final class SpeakerDiarizer: RecordingDiarizer {
    /// What counts as speech: a pause of a quarter of a second ends a region.
    private static let activity: VoiceActivityOptions = {
        var options = VoiceActivityOptions()
        options.minSpeechSeconds = 0.096
        options.minSilenceSeconds = 0.25
        options.speechPadSeconds = 0.032
        options.maxSpeechSeconds = 20
        return options
    }()

    private let limits: SpeakerLimits
    private var voice: VoiceActivityStream
    private var timestamps = SpeechTimestamps(activity)
    private var embedder: WindowEmbedder
    private let windowLength: Int
    /// The audio from `bufferStart` on.
    private var buffer: [Float] = []
    private var bufferStart = 0
    /// The regions of speech already cut into windows.
    private var regions: [Range<Int>] = []

    /// The encoder and the detector are for this diarizer only.
    package init(
        encoder: any SpeakerEncoder, detector: any VoiceActivityDetector, limits: SpeakerLimits = SpeakerLimits()
    ) {
        self.limits = limits
        windowLength = encoder.windowLength
        embedder = WindowEmbedder(encoder)
        voice = VoiceActivityStream(detector)
    }

    /// - Throws: ``StenoError``: `resourceMissing`, `modelDamaged`, `outOfMemory`.
    package static func bundled() throws -> SpeakerDiarizer {
        SpeakerDiarizer(
            encoder: try GE2EEncoder(BundledSpeakerEncoder.model(), pool: .shared),
            detector: try SileroDetector(BundledSilero.model()))
    }

    package func append(_ samples: UnsafeBufferPointer<Float>) {
        // In pieces, so that a long block is not buffered as a whole.
        for start in stride(from: 0, to: samples.count, by: 16_384) {
            let piece = UnsafeBufferPointer(rebasing: samples[start..<min(start + 16_384, samples.count)])
            buffer.append(contentsOf: piece)
            timestamps.append(voice.push(piece))
            cutRegions()
            let growing = timestamps.certain
            forget(before: min(growing.growing.first?.lowerBound ?? growing.end, growing.end))
        }
    }

    package func finish(counts: ClosedRange<Int>? = nil) -> Diarization {
        timestamps.append(voice.finish())
        timestamps.finish(sampleCount: voice.sampleCount)
        cutRegions()
        embedder.flush()
        return Diarization(
            regions: regions, windows: embedder.windows, wholeWindow: windowLength, counts: counts, limits: limits)
    }

    private func cutRegions() {
        while regions.count < timestamps.chunks.count {
            let chunk = timestamps.chunks[regions.count]
            let end = min(chunk.upperBound, bufferStart + buffer.count)
            let region = max(chunk.lowerBound, bufferStart)..<max(end, chunk.lowerBound, bufferStart)
            let speech = buffer[region.lowerBound - bufferStart..<region.upperBound - bufferStart]
            embedder.append(speech, from: region.lowerBound, region: regions.count)
            regions.append(region)
        }
    }

    private func forget(before sample: Int) {
        let count = min(sample - bufferStart, buffer.count)
        // Only rarely, because this moves the rest.
        guard count > 160_000 else { return }
        buffer.removeFirst(count)
        bufferStart += count
    }
}

/// Finds who speaks when in a recording that is read once, from start to end.
package protocol RecordingDiarizer: AnyObject {
    /// Takes the next samples: 16 kHz, mono, from −1 to 1.
    func append(_ samples: UnsafeBufferPointer<Float>)

    /// - Parameter counts: The lowest and the highest number of voices; nil finds it.
    func finish(counts: ClosedRange<Int>?) -> Diarization
}
