// Two languages and a detector of speech on one stream, with Apple's SpeechAnalyzer API.
import Foundation
import StenoBundledModel
import StenoSpeech

let english = SpeechTranscriber(locale: Locale(identifier: "en_US"), preset: .timeIndexedProgressiveTranscription)
let spanish = SpeechTranscriber(locale: Locale(identifier: "es_ES"), preset: .transcription)
let detector = SpeechDetector(detectionOptions: .init(sensitivityLevel: .medium), reportResults: true)
let analyzer = SpeechAnalyzer(modules: [english, spanish, detector])
let context = AnalysisContext()
context.contextualStrings[.general] = ["fellow Americans"]
try await analyzer.setContext(context)

// A file in place of a microphone, whose tap would yield its buffers in the same way, in any format.
let (inputSequence, inputBuilder) = AsyncStream<AnalyzerInput>.makeStream()
try await analyzer.start(inputSequence: inputSequence)
let file = try AVAudioFile(forReading: BundledModel.samples.appendingPathComponent("inaugural-1961.wav"))
if let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4_096) {
    repeat {
        try file.read(into: buffer)
        inputBuilder.yield(AnalyzerInput(buffer: buffer))
    } while buffer.frameLength > 0
}
inputBuilder.finish()
try await analyzer.finalizeAndFinishThroughEndOfInput()

for try await result in english.results where result.isFinal {
    for run in result.text.runs {
        print(run.audioTimeRange?.start.seconds ?? 0, String(result.text[run.range].characters))
    }
}
for try await result in detector.results where result.isFinal { print(result.range, result.speechDetected) }
