#if Store
    import Foundation
    import Steno
    import StenoStore

    /// Measures a long transcript: segments of a second with three words each, as live text has them.
    enum Measuring {
        static func run(_ store: TranscriptStore, hours: Double) async throws {
            let id = try await append(Int(hours * 3600), to: store)
            let vocabulary = Vocabulary()
            let clock = ContinuousClock()
            let first = try await clock.milliseconds { _ = try await store.search("first") }
            print(String(format: "first search %.2f ms", first), "memory \(memory()) MB")
            let words = vocabulary.words
            for (name, query) in [
                ("rare words", { words[900 + $0 % 100] }), ("common words", { words[$0 % 20] }),
                ("two words", { words[$0 % 1000] + " " + words[$0 * 7 % 1000].prefix(4) }),
            ] as [(String, (Int) -> String)] {
                var times: [Double] = []
                let start = cpuSeconds()
                for number in 0..<300 {
                    times.append(try await clock.milliseconds { _ = try await store.search(query(number)) })
                }
                print("search for \(name)", times.summary, cpu(since: start, 300))
            }
            let read = try await clock.milliseconds { _ = try await store.transcript(of: id) }
            print(String(format: "whole transcript %.0f ms", read), "memory \(memory()) MB")
            let list = try await clock.milliseconds { _ = try await store.sessions() }
            let deletion = try await clock.milliseconds { try await store.delete([id]) }
            print(String(format: "list %.2f ms, delete %.0f ms", list, deletion))
        }

        private static func append(_ count: Int, to store: TranscriptStore) async throws -> UUID {
            let writer = try await store.begin(title: "Long", source: "test")
            var vocabulary = Vocabulary()
            let clock = ContinuousClock()
            var times: [Double] = []
            let start = cpuSeconds()
            for number in 0..<count {
                let segment = vocabulary.segment(number)
                times.append(try await clock.milliseconds { try await writer.append([segment], partial: " then") })
                if (number + 1) % max(1, count / 5) == 0 {
                    print("after \(number + 1) segments: append", times.suffix(1000).summary, "memory \(memory()) MB")
                }
            }
            try await writer.finish()
            print("append", times.summary, cpu(since: start, count))
            return writer.id
        }

        /// The seconds of processor time of this process: on a busy machine they say more than the clock.
        private static func cpuSeconds() -> Double {
            Double(clock()) / 1_000_000
        }

        private static func cpu(since start: Double, _ count: Int) -> String {
            String(format: "(processor %.2f ms)", (cpuSeconds() - start) / Double(max(1, count)) * 1000)
        }

        /// The resident memory of this process, in MB (proc(5)).
        private static func memory() -> Int {
            let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return (fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 4096 / 1_048_576
        }
    }

    /// A thousand words, whose frequencies are those of speech: the n-th most frequent comes 1/n as often (Zipf).
    struct Vocabulary {
        let words: [String]
        private let sums: [Double]
        private var state: UInt64 = 1

        init() {
            let syllables = ["ba", "ke", "lo", "mi", "nu", "ra", "se", "ti", "vo", "zu"]
            words = (0..<1000).map { syllables[$0 % 10] + syllables[$0 / 10 % 10] + syllables[$0 / 100] }
            var sum = 0.0
            sums = (1...1000).map { rank in
                sum += 1 / Double(rank)
                return sum
            }
        }

        mutating func segment(_ number: Int) -> LiveSegment {
            let start = Double(number)
            let words = (0..<3).map { index in
                let begin = start + Double(index) / 3
                return Word(rawText: " " + next(), start: begin, end: begin + 0.3, probability: 0.9)
            }
            return LiveSegment(
                id: number, start: start, end: start + 1, text: words.map(\.rawText).joined(), isFinal: true,
                words: words,
                utterance: number / 6)
        }

        private mutating func next() -> String {
            // Knuth's MMIX generator; its high bits are random enough.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(state >> 11) / Double(1 << 53) * (sums.last ?? 1)
            return words[sums.firstIndex { $0 >= value } ?? 0]
        }
    }

    extension ContinuousClock {
        func milliseconds(_ body: () async throws -> Void) async rethrows -> Double {
            let start = now
            try await body()
            return (now - start) / .milliseconds(1)
        }
    }

    extension Collection<Double> {
        /// The median, the 95th percentile and the largest, in milliseconds.
        var summary: String {
            let sorted = sorted()
            guard let last = sorted.last else { return "nothing" }
            return String(
                format: "median %.2f, 95 %% %.2f, most %.2f ms", sorted[sorted.count / 2],
                sorted[Int(Double(sorted.count - 1) * 0.95)], last)
        }
    }
#endif
