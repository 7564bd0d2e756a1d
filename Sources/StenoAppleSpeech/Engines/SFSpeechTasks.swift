#if canImport(Speech) && canImport(AVFAudio)
    import AVFAudio
    import Dispatch
    import Foundation
    import Speech
    import Steno
    import StenoCore

    /// Tasks of `SFSpeechRecognizer` that never use a server.
    struct SFSpeechTasks: RecognitionTasks {
        let vocabulary: [String]
        let recognizer: @Sendable () throws -> SFSpeechRecognizer

        func start(
            _ report: @escaping @Sendable (RecognitionTaskPolicy.Report) -> Void
        ) throws -> any RunningRecognition {
            let recognizer = try recognizer()
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            recognizer.queue = queue
            let request = SFSpeechAudioBufferRecognitionRequest()
            request.requiresOnDeviceRecognition = true
            request.shouldReportPartialResults = true
            request.taskHint = .dictation
            request.addsPunctuation = true
            request.contextualStrings = Array(vocabulary.prefix(100))
            let task = recognizer.recognitionTask(with: request) { @Sendable result, error in
                for item in RecognitionTaskPolicy.Report.all(result.map(Self.report), error.map(Self.report)) {
                    report(item)
                }
            }
            return SFSpeechRun(recognizer: recognizer, request: request, task: task, report: report)
        }

        private static func report(_ result: SFSpeechRecognitionResult) -> RecognitionTaskPolicy.Report {
            let best = result.bestTranscription
            let words = best.segments.map {
                Word(
                    rawText: " " + $0.substring, start: $0.timestamp, end: $0.timestamp + $0.duration,
                    probability: Double($0.confidence))
            }
            return .text(best.formattedString, words: words, isFinal: result.isFinal)
        }

        private static func report(_ error: any Error) -> RecognitionTaskPolicy.Report {
            let error = error as NSError
            // The system's error for a task without speech.
            if error.domain == "kAFAssistantErrorDomain", error.code == 1110 { return .noSpeech }
            return .failed(error.localizedDescription)
        }
    }

    /// A task of `SFSpeechRecognizer`.
    ///
    /// `@unchecked Sendable`: the constants are classes of the system that are not marked. Only the backend's actor
    /// calls them and changes the variable; the timer calls only the task's `cancel()`, which is safe on any thread.
    private final class SFSpeechRun: RunningRecognition, @unchecked Sendable {
        /// Retained because a task ends when its recogniser is released.
        private let recognizer: SFSpeechRecognizer
        private let request: SFSpeechAudioBufferRecognitionRequest
        private let task: SFSpeechRecognitionTask
        private let report: @Sendable (RecognitionTaskPolicy.Report) -> Void
        private let start = DispatchTime.now()
        /// The number of samples so far.
        private var length = 0

        /// The seconds a task has to report its final text, counted from when the audio would have ended in real time:
        /// a file's audio arrives much faster.
        private static let patience = 10

        init(
            recognizer: SFSpeechRecognizer, request: SFSpeechAudioBufferRecognitionRequest,
            task: SFSpeechRecognitionTask, report: @escaping @Sendable (RecognitionTaskPolicy.Report) -> Void
        ) { (self.recognizer, self.request, self.task, self.report) = (recognizer, request, task, report) }

        func append(_ samples: [Float]) {
            guard let buffer = AudioChunk(position: 0, samples: samples).pcmBuffer() else { return }
            length += samples.count
            request.append(buffer)
        }

        func end() {
            request.endAudio()
            let audioEnd = start + .milliseconds(length * 1000 / AudioFile.sampleRate)
            let deadline = max(.now(), audioEnd) + .seconds(Self.patience)
            // The policy ignores the report if the task has ended in time.
            DispatchQueue.global().asyncAfter(deadline: deadline) { [self] in
                report(.failed("It did not report final text."))
                task.cancel()
            }
        }

        func cancel() { task.cancel() }
    }
#endif
