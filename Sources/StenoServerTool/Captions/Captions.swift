#if Server
    import ArgumentParser
    import Foundation
    import Logging
    import ServiceLifecycle
    import Steno
    import StenoCommandLine
    import StenoServer
    import StenoStore

    @available(macOS 14, *)
    struct Captions: AsyncParsableCommand, ShortlyExplained {
        static let configuration = CommandConfiguration(
            commandName: "captions", abstract: ServerAbstract.captions,
            discussion: """
                  steno captions                 for the browser on this machine
                  steno captions --lan           for phones and tablets on the local network too
                  steno captions --save-history  keep the text, to search and read it later

                Open the address that it prints, or scan the code. Audio and text stay on this machine and on the \
                devices that connect. After a lost connection or a server restart the page continues by itself. \
                --lan makes a self-signed certificate (browsers warn once) and puts a key in the address. See \
                Documentation/Guides/Captions.md.
                """)
        static let commonOptions = [
            "--lan", "--language", "--speakers", "--save-history", "--save-audio", "--port", "--tls-cert", "--tls-key",
            "--allow-host", "--model", "--threads",
        ]

        @OptionGroup(title: "The page") var captions: CaptionsArguments

        @OptionGroup var server: ServeArguments

        @OptionGroup(title: "History") var history: HistoryArguments

        @Option(name: .long, help: "Lowest level of the log: debug, info, warning, error.")
        var logLevel = LogLevel.warning

        @Option(
            name: .long, help: .init("Write the log as text or as JSON, one entry per line.", valueName: "text|json"))
        var logFormat = LogFormat.text

        func run() async throws {
            let given = try Serve.checkingArguments { try self.serverConfiguration() }
            Serve.raiseFileLimit()
            let state = CaptionsState.standard()
            try await CommandRun.run { console in
                let configuration = try await self.prepared(given, state, console)
                let logger = Logger(logLevel, logFormat)
                let group = Serve.group(SpeechServer(configuration: configuration), logger) { status in
                    self.report(status, configuration, state, console)
                }
                console.endGently { Task { await group.triggerGracefulShutdown() } }
                try await group.run()
                return EXIT_SUCCESS
            }
        }

        // MARK: Configuration

        /// The configuration from all options, before the certificate is made and the history is opened.
        func serverConfiguration(_ state: CaptionsState = .standard()) throws -> SpeechServer.Configuration {
            var configuration = try server.configuration()
            var options = CaptionsOptions()
            if let language = captions.language {
                guard let code = Languages.code(for: language) else {
                    throw StenoError(
                        .unknownLanguage, "There is no language “\(language)”. Run steno languages for a list.")
                }
                options.language = code
            }
            options.speakers = try captions.speakerOptions()
            configuration.captions = options
            if captions.lan { try openToNetwork(&configuration, state) }
            // Wyoming has no keys, so it is checked in every case.
            try server.access.checkReach(configuration)
            return configuration
        }

        /// Lets the local network in, with a key and a certificate.
        private func openToNetwork(_ configuration: inout SpeechServer.Configuration, _ state: CaptionsState) throws {
            switch configuration.host {
            case "127.0.0.1", "localhost": configuration.host = "0.0.0.0"
            case "::1": configuration.host = "::"
            default: break
            }
            configuration.allowedHosts += LocalAddresses.names()
            if configuration.apiKeys.isEmpty, !server.access.allowAnyone {
                configuration.apiKeys = [try state.pageKey()]
            }
            if configuration.certificateFile == nil {
                configuration.certificateFile = state.certificate.file
                configuration.privateKeyFile = state.certificate.privateKeyFile
            }
        }

        /// Makes the certificate and opens the history, if they are wanted.
        private func prepared(
            _ given: SpeechServer.Configuration, _ state: CaptionsState, _ console: Console
        ) async throws -> SpeechServer.Configuration {
            var configuration = given
            if configuration.certificateFile == state.certificate.file {
                try await state.certificate.make(
                    for: PageAddress.certified(PageAddress.hosts(configuration)),
                    searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
            }
            configuration.captions?.fingerprint = try configuration.certificateFile.map(CertificateFingerprint.of)
            guard captions.saveHistory else { return configuration }
            configuration.captions?.archive = StoreArchive(
                store: try await history.open(creating: true), keepsAudio: captions.saveAudio,
                summarizer: ExtractiveSummarizer()
            ) { console.remark($0.sentence) }
            return configuration
        }

        // MARK: Report

        private func report(
            _ status: SpeechServer.Status, _ configuration: SpeechServer.Configuration, _ state: CaptionsState,
            _ console: Console
        ) {
            // Our certificate is valid for every address of the machine; a user's own is for a name.
            let isForeign = ![nil, state.certificate.file].contains(configuration.certificateFile)
            let hosts = PageAddress.printed(configuration, named: isForeign ? server.access.allowHost : [])
            // Keys from the user's own file are not printed.
            let pageKey = server.access.apiKeyFile == nil ? configuration.apiKeys.first : nil
            let addresses = PageAddress.all(status.url, port: status.port, hosts: hosts, key: pageKey)
            for address in addresses { console.remark("captions at \(address)") }
            // Printed to a log, too, because a service has no other way to show the addresses.
            if pageKey != nil, !StandardStream.error.isTerminal {
                console.remark("the addresses contain the key of the page: remove them before you share this log")
            }
            if isForeign, server.access.allowHost.isEmpty {
                console.remark("if the certificate is for another host name, pass that name with --allow-host")
            }
            if let port = status.wyomingPort { console.remark("Wyoming (Home Assistant) at port \(port)") }
            if let fingerprint = configuration.captions?.fingerprint {
                console.remark("SHA-256 of the certificate: \(fingerprint)")
            }
            console.remark(captions.saveHistory ? "the text is saved in the history" : "the text is not saved")
            console.remark("press Ctrl-C to stop")
            let isReached = !["127.0.0.1", "::1", "localhost"].contains(hosts[0])
            if isReached, StandardStream.error.canErase, let address = addresses.first, let code = QRCode(address) {
                StandardStream.error.write(code.terminalText)
            }
        }
    }

    struct CaptionsArguments: ParsableArguments {
        @Flag(
            name: .long,
            help: "Let phones and other devices on the local network in, over HTTPS and with a key in the address.")
        var lan = false

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Initial spoken language of the page (default: detected).", valueName: "code|name"))
        var language: String?

        @Flag(name: .long, help: "Save the text in the history, for everyone who uses the page.")
        var saveHistory = false

        @Flag(name: .long, help: "Save the audio too, so that words can be played again.") var saveAudio = false

        @Flag(
            name: .long,
            help: ArgumentHelp(
                "Label the speakers if their voices differ enough; enrolled voices (steno speakers) get their names."))
        var speakers = false

        /// The options, with the enrolled voices; nil without labels.
        func speakerOptions() throws -> SpeakerOptions? {
            guard speakers else { return nil }
            var options = SpeakerOptions()
            options.profiles = try SpeakerProfileFile.standard().profiles()
            return options
        }

        func validate() throws {
            guard !saveAudio || saveHistory else { throw ValidationError("--save-audio needs --save-history.") }
        }
    }
#endif
