import Foundation
import Steno
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoModelStore

/// Network faults during downloads.
///
/// After each fault the next run must end with a verified model or a clear error,
/// never with a wrong file in place, and at most a twentieth of the bytes may be fetched twice.
@Suite struct FaultTests {
    /// No message may give away the token, or the signature of an address.
    private func expectNoSecrets(_ error: (any Error)?, _ rig: DownloadRig, _ place: SourceLocation = #_sourceLocation)
    {
        let underlying = (error as? StenoError)?.underlying.map { "\($0)" } ?? ""
        let text = "\(String(describing: error)) \(error?.localizedDescription ?? "") \(underlying)"
        for secret in [rig.token, "SECRET", "Signature", "?", "Bearer"] where text.contains(secret) {
            // A question mark may end a sentence.
            if secret == "?", !text.contains("?X-") { continue }
            Issue.record("\(text) gives away \(secret)", sourceLocation: place)
        }
    }

    @Test(arguments: 1...(isLong ? 12 : 4)) func connectionsCutAtAnyByteAreResumed(seed: Int) async throws {
        let rig = try DownloadRig(size: 1_000_000, seed: UInt64(seed))
        var random = SplitMix64(seed: UInt64(seed), name: "cuts")
        rig.server.add((0..<8).map { _ in .cut("/storage/", after: Int.random(in: 0..<150_000, using: &random)) })
        try await rig.download()
        #expect(rig.differences() == [] && rig.server.remainingFaults == 0)
        #expect(rig.server.requests.contains { $0.rangeStart != nil && $0.headers["if-range"] != nil })
        #expect(rig.server.sentBytes <= rig.size + rig.size / 20, "\(rig.server.sentBytes) of \(rig.size)")
    }

    /// Faults that pass, and how long the downloader waits because of them.
    private static let passing: [(faults: [HubFault], waits: [Double])] = {
        let paths = ["/api/", "/resolve/", "/storage/", "/storage/"]
        let busy: [(faults: [HubFault], waits: [Double])] = [429, 500, 502, 503, 504, 408].map { status in
            // Half a second, doubled with each consecutive failure, minus the rig's random jitter.
            (paths.map { HubFault.status(status, $0) }, [0.375, 0.375, 0.75, 1.5])
        }
        return busy + [
            ([HubFault.status(429, "/storage/", headers: ["Retry-After": "17"])], [17]),
            ([HubFault.of(.slowDrip, "/storage/")], []),
        ]
    }()

    @Test(arguments: passing.indices) func passingFaultsAreWaitedFor(index: Int) async throws {
        let (rig, it) = (try DownloadRig(size: 30_000), Self.passing[index])
        rig.server.add(it.faults)
        try await rig.download()
        #expect(rig.differences() == [] && rig.waited == it.waits)
        if !it.waits.isEmpty { #expect(rig.server.sentBytes == rig.size) }
    }

    /// Wrong content is fetched again, and an ignored range puts no byte in the wrong place.
    @Test func faultsOfContentAreRepaired() async throws {
        for faults in [
            [.of(.wrongContent, "/storage/"), .of(.wrongContent, "/resolve/\(HubServer.revision)/config")],
            [
                .cut("/storage/", after: 600_000), .of(.ignoresRange, "/storage/", cutsAfter: 300_000),
                .of(.ignoresRange, "/storage/"),
            ],
        ] as [[HubFault]] {
            let rig = try DownloadRig(size: 1_000_000)
            rig.server.add(faults)
            try await rig.download()
            #expect(rig.differences() == [] && rig.server.remainingFaults == 0)
        }
        // Files of mirrors without a list are requested one by one.
        let rig = try DownloadRig()
        rig.server.add(.status(404, "/api/", isPermanent: true))
        try await rig.download()
        #expect(rig.differences() == [])
        #expect(rig.server.requests.contains { $0.method == "HEAD" && $0.target.contains("/resolve/main/model.bin") })
    }

    private static let gated = [
        "X-Error-Code": "GatedRepo", "WWW-Authenticate": "Bearer realm=\"Authentication required\"",
    ]
    /// Faults that stay, and a part of the message.
    private static let lasting: [(fault: HubFault, part: String)] = [
        (.status(429, "/api/", headers: ["Retry-After": "7200"], isPermanent: true), "120 minutes"),
        (.status(429, "/api/", headers: ["Retry-After": "1e30"], isPermanent: true), "minutes"),
        (.of(.wrongLength, "/storage/", isPermanent: true), "HF_ENDPOINT"),
        (.of(.wrongContent, "/storage/", isPermanent: true), "HF_ENDPOINT"),
        (.status(404, "/storage/", isPermanent: true), "does not exist"),
        (.status(401, "/api/", headers: gated, isPermanent: true), "HF_TOKEN"),
        (.status(403, "/resolve/", headers: gated, isPermanent: true), "HF_TOKEN"),
    ]

    @Test(arguments: lasting.indices) func lastingFaultsAreExplainedAndNothingIsInstalled(index: Int) async throws {
        let (rig, it) = (try DownloadRig(), Self.lasting[index])
        rig.server.add(it.fault)
        let error = await rig.failure()
        #expect(error?.message.contains(it.part) == true)
        if [429, nil].contains(it.fault.status) { #expect(error?.code == .downloadFailed) }
        if [429, 404].contains(it.fault.status) { #expect(rig.waited.isEmpty) }
        expectNoSecrets(error, rig)
        #expect(rig.differences() == nil)
        let again = try DownloadRig(sharing: rig)
        try await again.download()
        #expect(again.differences() == [])
    }

    @Test func persistentlyBusyServersAreReportedAndTheNextRunResumes() async throws {
        let rig = try DownloadRig(size: 1_000_000)
        rig.server.add(.cut("/storage/", after: 400_000), .status(503, "/storage/", isPermanent: true))
        let error = await rig.failure()
        #expect(error?.code == .downloadFailed)
        #expect(error?.message.contains("503") == true && error?.message.contains("resumes there") == true)
        expectNoSecrets(error, rig)
        #expect(rig.differences() == nil)
        let again = try DownloadRig(sharing: rig)
        try await again.download()
        #expect(again.differences() == [])
        #expect(rig.server.sentBytes + again.server.sentBytes <= rig.size + rig.size / 20)
    }

    @Test func unreachableServersAreReportedWithoutTheirAddress() async throws {
        let rig = try DownloadRig()
        let error = await #expect(throws: StenoError.self) {
            try await rig.downloader(hasNetwork: false).download(HubServer.repository)
        }
        #expect(error?.message.hasSuffix("the hub cannot be reached; check the network connection.") == true)
        #expect(rig.waited.count == RetryPolicy().maximumFailures - 1)
        expectNoSecrets(error, rig)
        // A repository that does not exist is an error too.
        let missing = await #expect(throws: StenoError.self) { try await rig.downloader().download("nobody/nothing") }
        #expect(missing?.message.contains("nobody/nothing") == true && rig.store.models.isEmpty)
    }

    /// Every seed is a sequence of all kinds of faults; runs follow until one succeeds.
    @Test(arguments: 1...(isLong ? 200 : 20)) func anySequenceOfFaultsEndsWithTheModelOrAnError(seed: Int) async throws
    {
        var random = SplitMix64(seed: UInt64(seed), name: "faults")
        var rig = try DownloadRig(size: 200_000, seed: UInt64(seed))
        for _ in 0..<10 {
            rig.server.add((0..<Int.random(in: 0...6, using: &random)).map { _ in Self.randomFault(using: &random) })
            do {
                try await rig.download()
                break
            } catch {
                #expect(error is StenoError, "\(error)")
                expectNoSecrets(error, rig)
                #expect(rig.differences() == nil)
            }
            rig = try DownloadRig(sharing: rig)
        }
        if rig.differences() == nil { try await DownloadRig(sharing: rig).download() }
        #expect(rig.differences() == [])
    }

    private static func randomFault(using random: inout SplitMix64) -> HubFault {
        let path = ["/api/", "/resolve/", "/storage/", "config", "tokenizer", ""].randomElement(using: &random) ?? ""
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .status([429, 500, 503, 404, 403].randomElement(using: &random) ?? 500, path)
        case 1: return .of(.wrongLength, "/storage/")
        case 2: return .of(.wrongContent, "/storage/")
        case 3: return .of(.ignoresRange, "/storage/", cutsAfter: Int.random(in: 0..<200_000, using: &random))
        default: return .cut("/storage/", after: Int.random(in: 0..<200_000, using: &random))
        }
    }
}

/// Download processes, killed at random moments or running two at once.
@Suite struct ProcessTests {
    /// Starts `steno-download` for the rig's model.
    private func start(_ rig: DownloadRig) throws -> StartedProgram {
        let tool: URL = try #require(BuiltTool.executable("steno-download"))
        let environment = [
            "STENO_MODELS": rig.root.path, "HF_ENDPOINT": rig.server.endpoint.absoluteString, "HF_TOKEN": rig.token,
        ]
        return try rig.folder.start(tool, [HubServer.repository], environment: environment)
    }

    /// The moment is a number of bytes, so it does not depend on the machine's speed.
    @Test(arguments: 1...(isLong ? 5 : 1)) func downloadsOfKilledProcessesAreResumed(seed: Int) throws {
        let rig = try DownloadRig(size: 12_000_000, seed: UInt64(seed))
        var random = SplitMix64(seed: UInt64(seed), name: "kills")
        var moments = (0..<10).map { _ in Int.random(in: 0..<11_500_000, using: &random) }.sorted()
        var killed = 0
        while let moment = moments.first {
            moments.removeFirst()
            let target = Recorder<pid_t>()
            let isSent = Monitor(false)
            rig.server.observe { bytes in
                guard bytes >= moment else { return }
                // The download may finish before the test has the process id.
                while target.all.isEmpty { sched_yield() }
                let isFirst = isSent.update { isSent in
                    defer { isSent = true }
                    return !isSent
                }
                if isFirst, let process = target.all.first { kill(process, SIGKILL) }
            }
            let process = try start(rig).process
            target.add(process.processIdentifier)
            process.waitUntilExit()
            #expect(rig.differences() == nil || rig.differences() == [])
            // One that ends before its moment leaves nothing for the others.
            if process.terminationReason == .exit { break }
            killed += 1
        }
        #expect(killed == 10)
        rig.server.observe(nil)
        let last = try start(rig).wait()
        #expect(last.code == 0, "\(last.errors)")
        #expect(rig.differences() == [])
        #expect(rig.server.sentBytes <= rig.size + rig.size / 20, "\(rig.server.sentBytes) of \(rig.size)")
    }

    @Test func twoProcessesAtOnceFetchAModelOnce() throws {
        let rig = try DownloadRig(size: 4_000_000)
        let programs = try [start(rig), start(rig)]
        for result in programs.map({ $0.wait() }) { #expect(result.code == 0, "\(result.errors)") }
        #expect(rig.differences() == [] && rig.server.sentBytes == rig.size)
    }
}
