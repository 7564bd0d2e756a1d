/// Options whose fields are listed once: from the list they are read, written and checked.
///
///     extension GuardOptions: Codable, OptionTable {
///         package static var fields: OptionFields<Self> {
///             [.init("silence", \.silence), .init("repeats", \.repeats, in: 2..., or: "A loop needs at least 2 repeats.")]
///         }
///     }
///
/// Missing options keep their defaults; null means nil, so that a default can be turned off.
package protocol OptionTable: Codable {
    init()
    static var fields: OptionFields<Self> { get }
}

extension OptionTable {
    /// Decodes options; missing ones get their defaults.
    public init(from decoder: any Decoder) throws { self = try Self.fields.read(Self(), decoder) }

    /// Encodes the options.
    public func encode(to encoder: any Encoder) throws { try Self.fields.write(self, encoder) }

    /// - Throws: ``StenoError`` of code `invalidOption` that names the first option outside its range.
    package func validate() throws { try Self.fields.check(self) }

    /// The names of the options that do not have their defaults.
    package var changes: [String] { Self.fields.changes(of: self, from: Self()) }
}

/// The fields of an options type, in the order in which they are checked.
package struct OptionFields<Options>: ExpressibleByArrayLiteral {
    package struct Field {
        fileprivate let name: Name
        fileprivate let differ: (Options, Options) -> Bool
        fileprivate let read: (inout Options, KeyedDecodingContainer<Name>) throws -> Void
        fileprivate let write: (Options, inout KeyedEncodingContainer<Name>) throws -> Void
        fileprivate var check: (Options) throws -> Void = { _ in }

        package init<Value: Codable & Equatable>(_ name: Name, _ path: WritableKeyPath<Options, Value>) {
            self.init(name, path, encode: { $0 }, decode: { $0 })
        }

        /// An option with a range, and the sentence for a value outside it.
        package init<Value: Codable, Limits: RangeExpression<Value>>(
            _ name: Name, _ path: WritableKeyPath<Options, Value>, in limits: Limits, or sentence: String
        ) {
            self.init(name, path)
            self = rule(sentence) { limits.contains($0[keyPath: path]) }
        }

        /// An option that may be nil, with the range of its other values.
        package init<Value: Codable, Limits: RangeExpression<Value>>(
            _ name: Name, _ path: WritableKeyPath<Options, Value?>, in limits: Limits, or sentence: String
        ) {
            self.init(name, path)
            self = rule(sentence) { $0[keyPath: path].map(limits.contains) ?? true }
        }

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

        /// The field with another rule that its value must meet, on its own or together with other options.
        package func rule(_ sentence: String, isMet: @escaping (Options) -> Bool) -> Self {
            checking { if !isMet($0) { throw StenoError(.invalidOption, sentence) } }
        }

        /// The field with another check, such as that of options inside the options.
        package func checking(_ other: @escaping (Options) throws -> Void) -> Self {
            var field = self
            field.check = { [check] options in
                try check(options)
                try other(options)
            }
            return field
        }
    }

    package struct Name: CodingKey, ExpressibleByStringLiteral {
        package let stringValue: String

        package init(stringLiteral name: String) { stringValue = name }
        package init(stringValue: String) { self.stringValue = stringValue }
        package init?(intValue: Int) { nil }

        package var intValue: Int? { nil }
    }

    private let fields: [Field]

    package init(arrayLiteral fields: Field...) { self.fields = fields }

    package var names: [String] { fields.map(\.name.stringValue) }

    fileprivate func read(_ defaults: Options, _ decoder: any Decoder) throws -> Options {
        let container = try decoder.container(keyedBy: Name.self)
        var options = defaults
        for field in fields { try field.read(&options, container) }
        return options
    }

    fileprivate func changes(of options: Options, from defaults: Options) -> [String] {
        fields.filter { $0.differ(options, defaults) }.map(\.name.stringValue)
    }

    fileprivate func check(_ options: Options) throws {
        for field in fields { try field.check(options) }
    }

    fileprivate func write(_ options: Options, _ encoder: any Encoder) throws {
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

    /// - Throws: `DecodingError` if the clip ends before it starts.
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
    package static func clips(_ path: WritableKeyPath<Options, [Range<Double>]>) -> Self {
        .init("clips", path, encode: { $0.map(CodedClip.init) }, decode: { try $0.map { try $0.range } })
    }
}
