// Measures the word error rate of a transcript against the right text.
import Steno
import StenoBundledModel
import StenoEvaluation

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let reference = """
    And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.
    """

let transcriber = try await Transcriber.load(.bundled)
let transcript = try await transcriber.transcribe(file: audio)

let scorer = try TextScorer(.automatic)
let item = EvaluationItem(name: "inaugural", audio: audio, text: reference, language: "en")
let evaluated = EvaluatedFile(item, hypothesis: transcript.text, language: transcript.language, scorer: scorer)
let result = EvaluationResult(normalization: .automatic, files: [evaluated])
print(result.summary())
