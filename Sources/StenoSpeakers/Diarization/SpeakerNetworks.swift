import Foundation
import StenoCompute
import StenoCore

/// The loaded networks of ``SpeakerModels``, shared by all recordings.
final class SpeakerNetworks: Sendable {
    let segmentation: SegmentationModel
    let embedding: CAMPlusModel

    private init(_ models: SpeakerModels) throws {
        segmentation = try SegmentationModel.load(models.segmentation)
        embedding = try CAMPlusModel.load(models.embedding)
    }

    /// The networks of a folder, loaded on first use; those of the latest folder are kept.
    static func loaded(from models: SpeakerModels) throws -> SpeakerNetworks { try latest.networks(of: models) }

    private static let latest = Latest()

    /// Unchecked, because the compiler cannot see that `kept` is only accessed while `lock` is held.
    private final class Latest: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: (models: SpeakerModels, networks: SpeakerNetworks)?

        func networks(of models: SpeakerModels) throws -> SpeakerNetworks {
            lock.lock()
            defer { lock.unlock() }
            if let kept, kept.models == models { return kept.networks }
            let networks = try SpeakerNetworks(models)
            kept = (models, networks)
            return networks
        }
    }
}

extension SegmentationState: LocalSpeakerNetwork {}

/// CAM++ on the frames in which a local speaker speaks.
///
/// One voice is too little work for several threads, so each thread computes voices of its own.
final class CAMPlusVoices: LocalVoiceNetwork {
    /// The most threads: each needs memory of its own.
    private static let mostThreads = 4

    private let filters: KaldiFilterBank
    private let pool: WorkerPool
    /// One for each thread.
    private let states: [CAMPlusState]

    /// - Parameter frames: The most frames of the segmentation that a voice uses.
    /// - Throws: ``StenoError`` with code `outOfMemory`.
    init(_ model: CAMPlusModel, frames: Int) throws {
        filters = try KaldiFilterBank()
        pool = model.pool
        let own = WorkerPool(threads: 1)
        let rows = frames * SegmentationModel.frameStep / KaldiFilterBank.hopLength + 1
        states = try (0..<min(pool.threads, Self.mostThreads)).map { _ in try model.makeState(frames: rows, pool: own) }
    }

    func voices(in windows: [LocalSpeech]) -> [[SpeakerEmbedding?]] {
        let features = features(of: windows)
        // The longest first, so that the threads end at about the same time.
        let queue = windows.enumerated().flatMap { window, speech in
            speech.frames.enumerated().map { (window: window, index: $0, length: $1.count(where: \.self)) }
        }
        .sorted { ($1.length, $0.window, $0.index) < ($0.length, $1.window, $1.index) }
        let work = Monitor(Work(windows.map { $0.frames.count }))
        nonisolated(unsafe) let states = states
        pool.run(states.count) { thread in
            while let task = work.update({ $0.take(of: queue.count) }) {
                let (window, index, _) = queue[task]
                let picked = Self.rows(windows[window].frames[index], count: features[window].count)
                let voice = features[window].withUnsafeBufferPointer {
                    states[thread].embedding(of: $0, picking: picked)
                }
                work.update { $0.voices[window][index] = voice }
            }
        }
        return work.current.voices
    }

    /// What the threads share: the first voice that none of them has taken, and the voices found.
    private struct Work {
        private var next = 0
        var voices: [[SpeakerEmbedding?]]

        init(_ counts: [Int]) { voices = counts.map { [SpeakerEmbedding?](repeating: nil, count: $0) } }

        mutating func take(of count: Int) -> Int? {
            guard next < count else { return nil }
            defer { next += 1 }
            return next
        }
    }

    /// The rows of the filter bank of each window.
    private func features(of windows: [LocalSpeech]) -> [[Float]] {
        let features = Monitor([[Float]](repeating: [], count: windows.count))
        pool.run(windows.count) { [filters] window in
            let rows = filters.features(windows[window].samples)
            features.update { $0[window] = rows }
        }
        return features.current
    }

    /// Which rows of a window are in the frames.
    private static func rows(_ frames: [Bool], count: Int) -> [Bool] {
        (0..<count / KaldiFilterBank.bands).map { frames[min(frame(ofRow: $0), frames.count - 1)] }
    }

    /// The frame of the segmentation whose centre is nearest to that of a row.
    private static func frame(ofRow row: Int) -> Int {
        let (step, first) = (SegmentationModel.frameStep, SegmentationModel.firstFrameCentre)
        let centre = KaldiFilterBank.frameLength / 2 + row * KaldiFilterBank.hopLength
        return max(0, centre - first + step / 2) / step
    }
}

/// Says who speaks in each frame of a short window, among up to three local speakers who have no identity beyond it.
///
/// A network has working memory, so one thread uses it at a time.
package protocol LocalSpeakerNetwork: AnyObject {
    /// The log probabilities [windows, frames, 7] of the sets of local speakers (``Powerset``).
    ///
    /// - Parameter windows: Windows of one length, of at least one frame.
    func classes(of windows: [[Float]]) -> [Float]
}

/// Turns the speech of local speakers into embeddings, which say who they are.
package protocol LocalVoiceNetwork: AnyObject {
    /// The voices in each of some windows, of length 1; nil where there is too little audio.
    func voices(in windows: [LocalSpeech]) -> [[SpeakerEmbedding?]]
}

/// The speech in a window whose voices are to be found.
package struct LocalSpeech: Sendable {
    package var samples: [Float]
    /// For each voice, the frames of the window to use.
    package var frames: [[Bool]]
}

/// The two networks on windows of a recording: who speaks in each, and with which voice.
struct WindowNetworks {
    let segmentation: any LocalSpeakerNetwork
    let embedding: any LocalVoiceNetwork
    let settings: OverlapSettings

    typealias Window = (first: Int, samples: [Float])

    /// What the networks say about windows of equal length, in order.
    ///
    /// - Parameters:
    ///   - number: The number of the first window.
    ///   - moments: Receives the moments before the frames that `end` gives for each window.
    func hear(
        _ windows: [Window], numberedFrom number: Int, moments: inout VoiceMoments,
        upTo end: (_ window: Int, LocalActivity) -> Int
    ) -> [(activity: LocalActivity, voices: [LocalVoice])] {
        let classes = segmentation.classes(of: windows.map(\.samples))
        let length = classes.count / max(1, windows.count)
        let activities = windows.enumerated().map { index, window in
            LocalActivity(first: window.first, classes: Array(classes[index * length..<(index + 1) * length]))
        }
        let wanted = activities.enumerated().map { index, activity in
            local(activity) + at(moments.open(before: end(index, activity)), activity)
        }
        let found = embedding.voices(
            in: zip(windows, wanted).map { LocalSpeech(samples: $0.samples, frames: $1.map(\.frames)) })
        return activities.enumerated().map { index, activity in
            var voices: [LocalVoice] = []
            for (speaker, voice) in zip(wanted[index], found[index]) {
                guard let voice, voice.dot(voice).isFinite else { continue }
                switch speaker.kind {
                case .local(let local, let frames):
                    voices.append(LocalVoice(window: number + index, speaker: local, frames: frames, embedding: voice))
                case .moment(let moment): moments.set(moment, voice)
                }
            }
            return (activity, voices)
        }
    }

    /// Whose voice is to be found.
    private struct Speaker {
        enum Kind {
            case local(Int, frames: Int)
            case moment(Int)
        }

        let kind: Kind
        /// The frames to use.
        let frames: [Bool]
    }

    /// The local speakers of a window who speak alone for long enough.
    private func local(_ activity: LocalActivity) -> [Speaker] {
        (0..<Powerset.speakers).compactMap { speaker in
            let count = activity.alone(speaker).count(where: \.self)
            guard count >= settings.leastAlone else { return nil }
            return Speaker(
                kind: .local(speaker, frames: count), frames: activity.alone(speaker, most: settings.mostAlone))
        }
    }

    private func at(_ moments: Range<Int>, _ activity: LocalActivity) -> [Speaker] {
        moments.compactMap { moment in
            activity.single(
                around: moment * settings.momentStep - activity.first, reach: settings.momentReach,
                least: settings.leastInMoment
            ).map { Speaker(kind: .moment(moment), frames: $0) }
        }
    }
}
