import ArgumentParser

/// The output format of live text.
enum LiveFormat: String, CaseIterable, ExpressibleByArgument {
    case text, jsonl, vtt
}

/// How fast audio is read, and how decoding time is accounted for.
enum LivePace: String, CaseIterable, ExpressibleByArgument {
    case realtime, fast, measured
}
