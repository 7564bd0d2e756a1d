import ArgumentParser

/// The form in which live text is told.
enum LiveFormat: String, CaseIterable, ExpressibleByArgument {
    case text, jsonl, vtt
}

/// How the audio's time passes.
enum LivePace: String, CaseIterable, ExpressibleByArgument {
    case realtime, fast, measured
}
