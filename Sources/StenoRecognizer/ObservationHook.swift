public import Observation

#if canImport(Combine)
    public import Combine
#endif

/// Reports reads and changes of an object's properties to Observation, where the system has it.
///
/// Observation and its macro need macOS 14 or iOS 17, so a class that also runs on earlier systems has to check at run
/// time.
struct ObservationHook: Sendable {
    private let registrar: (any Sendable)?

    init() {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
            registrar = ObservationRegistrar()
        } else {
            registrar = nil
        }
    }

    /// Reports that a property is read.
    @MainActor func access<Value>(_ subject: SpeechRecognizer, _ property: KeyPath<SpeechRecognizer, Value>) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *), let registrar = registrar as? ObservationRegistrar {
            registrar.access(subject, keyPath: property)
        }
    }

    /// Reports that a property changes, and changes it.
    @MainActor func change<Value>(
        _ subject: SpeechRecognizer, _ property: KeyPath<SpeechRecognizer, Value>, _ body: () -> Void
    ) {
        #if canImport(Combine)
            subject.objectWillChange.send()
        #endif
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *), let registrar = registrar as? ObservationRegistrar {
            registrar.withMutation(of: subject, keyPath: property, body)
        } else {
            body()
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension SpeechRecognizer: Observable {}

#if canImport(Combine)
    // For views on systems without Observation: `@StateObject`, `@ObservedObject`.
    extension SpeechRecognizer: ObservableObject {}
#endif
