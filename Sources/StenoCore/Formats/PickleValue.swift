/// A value in Python's pickle format, of the kinds that PyTorch's files of weights have.
///
/// Nothing else can be expressed: a global is only a name, and calling one has a meaning only for the few that
/// ``PickleReader`` knows.
package enum PickleValue {
    case none
    case flag(Bool)
    case integer(Int)
    case real(Double)
    case text(String)
    /// A tuple, and how deeply tuples are nested in it.
    case tuple([PickleValue], depth: Int)
    case list(PickleContainer)
    case dictionary(PickleContainer)
    /// The name of a class or function.
    case global(module: String, name: String)
    /// Something outside the file, described by a value.
    case persistent([PickleValue])
    /// A tensor: the arguments of the function that would make it.
    case tensor([PickleValue])
}

/// The items of a list, or the keys and values of a dictionary: an object, because it is referred to before it is
/// complete.
package final class PickleContainer {
    package fileprivate(set) var items: [PickleValue] = []

    /// The key of each pair that is text, with its value.
    package var pairs: [(key: String, value: PickleValue)] {
        stride(from: 0, to: items.count - 1, by: 2).compactMap { index in
            if case .text(let key) = items[index] { (key, items[index + 1]) } else { nil }
        }
    }

    func append(_ values: some Sequence<PickleValue>) { items.append(contentsOf: values) }

    /// Releases the items, which may contain this object.
    func clear() { items = [] }
}

extension PickleValue {
    package var text: String? { if case .text(let text) = self { text } else { nil } }

    package var integer: Int? { if case .integer(let number) = self { number } else { nil } }

    /// The items of a tuple.
    package var items: [PickleValue]? { if case .tuple(let items, _) = self { items } else { nil } }

    /// The whole numbers of a tuple; nil if it is something else.
    package var integers: [Int]? {
        guard let items else { return nil }
        let numbers = items.compactMap(\.integer)
        return numbers.count == items.count ? numbers : nil
    }
}
