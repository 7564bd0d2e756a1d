#if Server
    import ArgumentParser
    import Foundation
    import StenoServer

    /// Which models the server loads, and how much it does at once.
    @available(macOS 14, *)
    struct ServeLimitArguments: ParsableArguments {
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Model path or name, as for steno transcribe, the first being the default; may be repeated "
                    + "(default: the default model of steno transcribe, and every installed model by its name).",
                valueName: "path|name"))
        var model: [String] = []

        @Option(help: .init("Memory for loaded models in GB (default: half of the machine's).", valueName: "GB"))
        var modelMemory: Double?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Unload a model after this long without use: 90s, 10m, 2h, 1d (default: never). The next request "
                    + "for it waits while it loads.",
                valueName: "time"))
        var unloadAfter: IdleTime?

        @Option(
            name: .shortAndLong,
            help: .init(
                "Threads per transcription (default: one per core that the CPU quota allows, at most 4).",
                valueName: "n")
        )
        var threads: Int?

        @Option(
            help: .init("Maximum number of live sessions (default: what the measured speed allows).", valueName: "n"))
        var maxSessions: Int?

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Maximum number of live sessions from one other machine (default: three quarters of --max-sessions).",
                valueName: "number"))
        var maxSessionsPerAddress: Int?

        @Option(name: .long, help: "Maximum number of files that wait for their turn.") var maxWaiting = 64

        @Option(name: .long, help: ArgumentHelp("Largest upload in MiB.", valueName: "MiB"))
        var maxUpload = 1024

        @Option(name: .long, help: "Maximum number of connections.") var maxConnections = 4096

        @Option(
            name: .long,
            help: ArgumentHelp("How long running requests may take after a signal to stop.", valueName: "seconds"))
        var shutdownTime = 600.0

        func validate() throws {
            for (name, value) in [
                ("--threads", threads), ("--max-sessions", maxSessions),
                ("--max-sessions-per-address", maxSessionsPerAddress), ("--max-upload", maxUpload),
                ("--max-connections", maxConnections),
            ] {
                if let value, value < 1 { throw ValidationError("\(name) must be 1 or more.") }
            }
            guard maxWaiting >= 0 else { throw ValidationError("--max-waiting must be 0 or more.") }
            guard maxUpload <= 1_000_000 else { throw ValidationError("--max-upload is at most 1000000 MiB.") }
            guard shutdownTime >= 0, shutdownTime < 1e6 else {
                throw ValidationError("--shutdown-time is a number of seconds, such as 30.")
            }
            if let modelMemory, !(modelMemory > 0 && modelMemory < 1e6) {
                throw ValidationError("--model-memory is a number of gigabytes, such as 8.")
            }
            if model.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
                throw ValidationError("--model is empty: name a model or its folder, or leave it out.")
            }
        }

        func apply(to configuration: inout SpeechServer.Configuration) {
            configuration.models = model
            configuration.modelMemory = modelMemory.map { Int($0 * 1e9) }
            configuration.unloadAfter = unloadAfter?.seconds
            configuration.threads = threads
            configuration.maximumSessions = maxSessions
            configuration.maximumSessionsPerAddress = maxSessionsPerAddress
            configuration.maximumWaitingFiles = maxWaiting
            configuration.maximumUpload = maxUpload << 20
            configuration.maximumConnections = maxConnections
            configuration.timeouts.shutdown = shutdownTime
        }
    }

    /// How long a model may be idle: `90s`, `10m`, `2h`, `1d`, or `never`.
    struct IdleTime: ExpressibleByArgument, Sendable, Hashable {
        /// Nil for never.
        let seconds: Double?

        init?(argument: String) {
            if argument.lowercased() == "never" {
                seconds = nil
                return
            }
            guard let time = TimeSpan.seconds(argument, Self.units) else { return nil }
            seconds = time
        }

        private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    }

    /// Times as people write them: a number and the letter of a unit, such as `90d`.
    enum TimeSpan {
        /// The seconds in a time; nil if it is invalid.
        ///
        /// - Parameter units: The seconds in each allowed unit.
        static func seconds(_ text: String, _ units: [Character: Double]) -> Double? {
            guard let unit = text.lowercased().last, let length = units[unit], text.first?.isNumber == true,
                let count = Double(text.dropLast()), count.isFinite
            else { return nil }
            return count * length
        }
    }
#endif
