import ArgumentParser

/// The output format of live text.
enum LiveFormat: String, CaseIterable, ExpressibleByArgument {
    case text, jsonl, vtt

    /// The names of the formats, and their names in other programs.
    init?(argument: String) {
        let name = argument.lowercased()
        self.init(rawValue: ["txt": "text", "json": "jsonl", "webvtt": "vtt"][name] ?? name)
    }
}

/// How fast audio is read, and how decoding time is accounted for.
enum LivePace: String, CaseIterable, ExpressibleByArgument {
    case realtime, fast, measured
}
