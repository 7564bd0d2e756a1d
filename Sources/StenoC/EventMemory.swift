import CSteno
import Foundation
import Steno
import StenoCore

/// An event as the structures of `steno.h`, with all that they point to.
final class EventMemory {
    private var allocations: [UnsafeMutableRawPointer] = []
    private(set) var event: UnsafePointer<steno_event>?

    /// - Throws: `StenoError.outOfMemory`.
    init(_ source: TranscriptionJob.Event) throws {
        var event = steno_event()
        (event.duration, event.speech_duration, event.time_left) = (-1, -1, -1)
        switch source {
        case .language(let detection): try set(detection, in: &event)
        case .file(let source): try set(source, in: &event)
        }
        self.event = try array([event])
    }

    deinit { for allocation in allocations { free(allocation) } }

    private func set(_ source: FileEvent, in event: inout steno_event) throws {
        if let detection = source.language {
            try set(detection, in: &event)
        } else if let progress = source.progress {
            event.kind = Int32(STENO_EVENT_PROGRESS)
            event.processed = progress.processed
            event.duration = progress.duration ?? -1
            event.time_left = progress.timeLeft ?? -1
        } else if let segment = source.segment {
            event.kind = Int32(STENO_EVENT_SEGMENT)
            event.segment = try array([self.segment(segment)])
        } else if let transcript = source.transcript {
            event.kind = Int32(STENO_EVENT_FINISHED)
            event.language = try text(transcript.language)
            event.probability = transcript.languageProbability
            event.duration = transcript.duration
            event.speech_duration = transcript.durationAfterVoiceActivity ?? -1
        } else if let duration = source.duration {
            event.kind = Int32(STENO_EVENT_DURATION)
            event.duration = duration
        }
    }

    private func set(_ detection: LanguageDetection, in event: inout steno_event) throws {
        event.kind = Int32(STENO_EVENT_LANGUAGE)
        event.language = try text(detection.language)
        event.probability = detection.probability
        // Equal probabilities keep one order.
        let sorted = detection.probabilities.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        guard !sorted.isEmpty else { return }
        event.languages = try array(sorted.map { steno_probability(language: try text($0.key), probability: $0.value) })
        event.language_count = sorted.count
    }

    private func segment(_ source: Segment) throws -> steno_segment {
        var segment = steno_segment()
        segment.id = Int64(source.id)
        (segment.start, segment.end) = (source.start, source.end)
        segment.text = try text(source.text)
        segment.language = try text(source.language)
        segment.speaker = try text(source.speaker)
        if let words = source.words {
            segment.words = try array(words.map(word))
            segment.word_count = words.count
        }
        if let details = source.whisper { segment.whisper = try array([whisper(details)]) }
        return segment
    }

    private func word(_ word: Word) throws -> steno_word {
        steno_word(
            text: try text(word.rawText), start: word.start, end: word.end, probability: word.probability,
            speaker: try text(word.speaker))
    }

    private func whisper(_ details: WhisperSegmentDetails) throws -> steno_whisper {
        steno_whisper(
            seek: Int64(details.seek), tokens: try array(details.tokens.map { Int32($0) }),
            token_count: details.tokens.count, temperature: details.temperature,
            average_log_probability: details.averageLogProbability, compression_ratio: details.compressionRatio,
            no_speech_probability: details.noSpeechProbability)
    }

    // MARK: Memory

    private func text(_ text: String?) throws -> UnsafePointer<CChar>? {
        guard let text else { return nil }
        return UnsafePointer(try kept(strdup(text)))
    }

    private func array<Element: BitwiseCopyable>(_ elements: [Element]) throws -> UnsafePointer<Element> {
        let memory = try kept(malloc(max(1, elements.count) * MemoryLayout<Element>.stride))
        let copy = memory.bindMemory(to: Element.self, capacity: max(1, elements.count))
        for (index, element) in elements.enumerated() { (copy + index).initialize(to: element) }
        return UnsafePointer(copy)
    }

    private func kept<Pointee>(_ pointer: UnsafeMutablePointer<Pointee>?) throws -> UnsafeMutablePointer<Pointee> {
        UnsafeMutableRawPointer(try kept(pointer.map { UnsafeMutableRawPointer($0) }))
            .assumingMemoryBound(to: Pointee.self)
    }

    private func kept(_ pointer: UnsafeMutableRawPointer?) throws -> UnsafeMutableRawPointer {
        guard let pointer else { throw StenoError(.outOfMemory, "There is no memory for an event. Free some memory.") }
        allocations.append(pointer)
        return pointer
    }
}
