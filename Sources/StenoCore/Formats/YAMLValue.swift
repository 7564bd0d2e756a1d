/// A value in a YAML file.
package enum YAMLValue: Sendable, Hashable {
    /// A key of a map and its value.
    package struct Entry: Sendable, Hashable {
        package var key: String
        package var value: YAMLValue
    }

    /// A text, number or flag; what is quoted is always text.
    case scalar(String, isQuoted: Bool)
    case list([YAMLValue])
    case map([Entry])

    /// The value below a path of keys; nil if there is none.
    ///
    /// As in Python, the last of equal keys counts.
    package subscript(_ keys: String...) -> YAMLValue? {
        keys.reduce(Optional(self)) { value, key in value?.entries.last { $0.key == key }?.value }
    }

    /// The keys and values of a map; none for anything else.
    package var entries: [Entry] { if case .map(let entries) = self { entries } else { [] } }

    /// The items of a list; nil for anything else.
    package var items: [YAMLValue]? { if case .list(let items) = self { items } else { nil } }

    /// The text of a scalar; nil for `null`.
    package var text: String? {
        guard case .scalar(let text, let isQuoted) = self else { return nil }
        return !isQuoted && ["", "~", "null", "Null", "NULL"].contains(text) ? nil : text
    }

    package var integer: Int? { plain.flatMap { Int($0) } }

    package var number: Double? { plain.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil } }

    package var flag: Bool? {
        switch plain?.lowercased() {
        case "true", "yes", "on": true
        case "false", "no", "off": false
        default: nil
        }
    }

    /// The whole numbers of a list; nil if it is something else.
    package var integers: [Int]? {
        guard let items else { return nil }
        let numbers = items.compactMap(\.integer)
        return numbers.count == items.count ? numbers : nil
    }

    private var plain: String? { if case .scalar(let text, isQuoted: false) = self { text } else { nil } }
}
