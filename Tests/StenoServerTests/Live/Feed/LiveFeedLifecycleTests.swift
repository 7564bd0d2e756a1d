#if Server
    import Testing

    @testable import StenoServer

    /// Every sequence of events against the tables of the documentation.
    @Suite struct LiveFeedLifecycleTests {
        private enum Event: CaseIterable {
            case attach, connectNewest, connectOlder, detachNewest, detachOlder, finish, end, expireNewest, expireOlder,
                dismiss
        }

        private typealias Lifecycle = LiveFeedLifecycle

        /// What an event does according to the documentation.
        private struct Table {
            var text = Lifecycle.Text.running
            var client = Lifecycle.Client.away

            /// The actions; nil where the caller gets none, not even an empty list.
            mutating func apply(_ event: Event) -> [Lifecycle.Action]? {
                let forgetting: [Lifecycle.Action] = [.stopTimer, .forget]
                switch (event, text) {
                case (.attach, _):
                    client = .catchingUp
                    return [.stopTimer, .replaceConnection]
                case (.connectNewest, _) where client != .catchingUp: return nil
                case (.connectNewest, let before):
                    client = .connected
                    guard before == .ended || before == .over else { return [] }
                    text = .over
                    return before == .ended ? forgetting + [.closeConnection] : [.closeConnection]
                case (.connectOlder, _): return nil
                case (.detachNewest, .over), (.detachOlder, _): return []
                case (.detachNewest, _):
                    client = .away
                    return [.startTimer]
                case (.finish, .running):
                    text = .finishing
                    return [.endAudio]
                case (.finish, _): return []
                case (.end, .running), (.end, .finishing):
                    text = client == .connected ? .over : .ended
                    return client == .connected ? forgetting + [.closeConnection] : []
                case (.end, _): return nil
                case (.expireNewest, .over), (.expireOlder, _), (.dismiss, .over): return []
                case (.expireNewest, _), (.dismiss, _):
                    text = .over
                    return forgetting
                }
            }
        }

        private static func apply(_ event: Event, to lifecycle: inout Lifecycle) -> [Lifecycle.Action]? {
            let newest = lifecycle.number
            return switch event {
            case .attach: lifecycle.attach()
            case .connectNewest: lifecycle.connect(newest)
            case .connectOlder: lifecycle.connect(newest - 1)
            case .detachNewest: lifecycle.detach(newest)
            case .detachOlder: lifecycle.detach(newest - 1)
            case .finish: lifecycle.finish()
            case .end: lifecycle.end()
            case .expireNewest: lifecycle.expire(newest)
            case .expireOlder: lifecycle.expire(newest - 1)
            case .dismiss: lifecycle.dismiss()
            }
        }

        @Test func everySequenceOfEventsFollowsTheDocumentation() {
            var known: Set<Lifecycle> = []
            func check(_ lifecycle: Lifecycle, _ table: Table, depth: Int, path: [Event]) {
                let isConsistent = lifecycle.text == table.text && lifecycle.client == table.client
                #expect(isConsistent, "\(path)")
                // From a state that was reached before, nothing new follows.
                guard depth > 0, isConsistent, known.insert(lifecycle).inserted else { return }
                for event in Event.allCases {
                    var lifecycle = lifecycle, table = table
                    let found = Self.apply(event, to: &lifecycle), expected = table.apply(event)
                    #expect(found == expected, "\(path) \(event)")
                    check(lifecycle, table, depth: depth - 1, path: path + [event])
                }
            }
            check(Lifecycle(), Table(), depth: 8, path: [])
            let combinations = Set(known.map { "\($0.text) \($0.client)" })
            #expect(combinations.count == 11, "all but an ended session whose client is connected")
        }
    }
#endif
