/// The JSON fields of an options type, each listed once for reading and writing.
///
///     extension GuardOptions: Codable {
///         public init(from decoder: any Decoder) throws { self = try Self.fields.read(GuardOptions(), decoder) }
///         public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }
///         private static var fields: OptionFields<Self> { [.init("silence", \.silence), …] }
///     }
///
/// Missing options keep their defaults; null means nil, so that a default can be turned off.
package struct OptionFields<Options>: ExpressibleByArrayLiteral {
    /// One option.
    package struct Field {
        fileprivate let name: Name
        fileprivate let differ: (Options, Options) -> Bool
        fileprivate let read: (inout Options, KeyedDecodingContainer<Name>) throws -> Void
        fileprivate let write: (Options, inout KeyedEncodingContainer<Name>) throws -> Void

        package init<Value: Codable & Equatable>(_ name: Name, _ path: WritableKeyPath<Options, Value>) {
            self.init(name, path, encode: { $0 }, decode: { $0 })
        }

        /// An option that may be nil.
        package init<Value: Codable & Equatable>(_ name: Name, _ path: WritableKeyPath<Options, Value?>) {
            self.name = name
            differ = { $0[keyPath: path] != $1[keyPath: path] }
            read = { options, container in
                guard container.contains(name) else { return }
                options[keyPath: path] = try container.decodeIfPresent(Value.self, forKey: name)
            }
            write = { options, container in try container.encode(options[keyPath: path], forKey: name) }
        }

        /// An option with a different form in JSON; nil is left out.
        package init<Value: Equatable, Coded: Codable>(
            _ name: Name, _ path: WritableKeyPath<Options, Value>, encode: @escaping (Value) -> Coded?,
            decode: @escaping (Coded) throws -> Value
        ) {
            self.name = name
            differ = { $0[keyPath: path] != $1[keyPath: path] }
            read = { options, container in
                guard let coded = try container.decodeIfPresent(Coded.self, forKey: name) else { return }
                options[keyPath: path] = try decode(coded)
            }
            write = { options, container in
                try container.encodeIfPresent(encode(options[keyPath: path]), forKey: name)
            }
        }
    }

    /// The name of an option.
    package struct Name: CodingKey, ExpressibleByStringLiteral {
        package let stringValue: String

        package init(stringLiteral name: String) { stringValue = name }
        package init(stringValue: String) { self.stringValue = stringValue }
        package init?(intValue: Int) { nil }

        package var intValue: Int? { nil }
    }

    private let fields: [Field]

    package init(arrayLiteral fields: Field...) { self.fields = fields }

    /// Reads the options that a decoder has; the others keep their defaults.
    package func read(_ defaults: Options, _ decoder: any Decoder) throws -> Options {
        let container = try decoder.container(keyedBy: Name.self)
        var options = defaults
        for field in fields { try field.read(&options, container) }
        return options
    }

    /// The names of the options that do not have their defaults.
    package func changes(of options: Options, from defaults: Options) -> [String] {
        fields.filter { $0.differ(options, defaults) }.map(\.name.stringValue)
    }

    package func write(_ options: Options, _ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for field in fields { try field.write(options, &container) }
    }
}

/// A clip in JSON: its start and end in seconds, without an end if it extends to the end of the audio.
package struct CodedClip: Codable {
    private var start: Double
    private var end: Double?

    package init(_ range: Range<Double>) {
        start = range.lowerBound
        end = range.upperBound.isFinite ? range.upperBound : nil
    }

    /// The clip in seconds.
    ///
    /// - Throws: `DecodingError` if it ends before it starts.
    package var range: Range<Double> {
        get throws {
            let end = end ?? .infinity
            guard start <= end else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "A clip ends (\(end)) before it starts (\(start))."))
            }
            return start..<end
        }
    }
}

extension OptionFields.Field {
    /// The field for clips.
    package static func clips(_ path: WritableKeyPath<Options, [Range<Double>]>) -> Self {
        .init("clips", path, encode: { $0.map(CodedClip.init) }, decode: { try $0.map { try $0.range } })
    }
}
