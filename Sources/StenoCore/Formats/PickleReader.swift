/// Reads the part of Python's pickle format that files of PyTorch weights need; nothing is ever executed.
///
/// A pickle is a program for a stack machine, which can call any function of Python. This one knows the instructions
/// of protocols 2 to 4 that build plain values, and three calls: an ordered dictionary, a tensor and a parameter, which
/// stay descriptions. Every other class and function is refused by name.
package struct PickleReader {
    private var reader: LittleEndianReader
    private let bytes: UnsafeRawBufferPointer
    private let path: String
    private var stack: [PickleValue] = []
    /// The heights of the stack at the marks.
    private var marks: [Int] = []
    private var memo: [Int: PickleValue] = [:]
    /// Every container, released at the end: a hostile file may have made cycles of them.
    private var containers: [PickleContainer] = []
    private var instructions = 0

    private static let deepestNesting = 32
    private static let highestStack = 1 << 16
    /// Each makes one value at most; a model of 1.1 billion weights has 50,000.
    private static let mostInstructions = 1 << 20
    /// The state of a model of 1.1 billion weights has 0.3 MB.
    private static let mostBytes = 4 << 20

    /// Reads the value of a pickle, and passes it to `use`, after which it is gone.
    ///
    /// - Parameter path: The name of the pickle in errors.
    /// - Throws: `modelDamaged`, or `modelUnsupported` for classes and functions that are no weights.
    package static func read<Result>(
        _ bytes: UnsafeRawBufferPointer, path: String, use: (PickleValue) throws -> Result
    ) throws -> Result {
        guard bytes.count <= mostBytes else {
            throw StenoError(
                .modelUnsupported,
                "\(path) has \(bytes.count) bytes, which is more than a model's weights need. Save only the model's "
                    + "state_dict.")
        }
        var pickle = PickleReader(bytes, path: path)
        defer { for container in pickle.containers { container.clear() } }
        return try use(pickle.value())
    }

    private init(_ bytes: UnsafeRawBufferPointer, path: String) {
        self.bytes = bytes
        self.path = path
        reader = LittleEndianReader(bytes, file: path)
    }

    private mutating func value() throws -> PickleValue {
        while true {
            let code = try reader.next(UInt8.self)
            guard let instruction = Instruction(rawValue: code) else {
                throw reader.damaged("the instruction \(code) of its pickle is unknown")
            }
            if instruction == .stop { return try pop() }
            try run(instruction)
            instructions += 1
            guard stack.count <= Self.highestStack, instructions <= Self.mostInstructions else {
                throw reader.damaged("its pickle has too many values")
            }
        }
    }
}

// MARK: Instructions

extension PickleReader {
    /// The instructions, by their codes (Python's `pickletools`).
    private enum Instruction: UInt8 {
        case mark = 0x28, stop = 0x2E, pop = 0x30, popMark = 0x31, duplicate = 0x32
        case real = 0x47, integer = 0x4A, byte = 0x4B, short = 0x4D, none = 0x4E, persistent = 0x51, reduce = 0x52
        case string = 0x54, shortString = 0x55, text = 0x58
        case append = 0x61, build = 0x62, global = 0x63, dictionary = 0x64, appends = 0x65
        case get = 0x68, longGet = 0x6A, list = 0x6C, put = 0x71, longPut = 0x72
        case setItem = 0x73, tuple = 0x74, setItems = 0x75
        case emptyTuple = 0x29, emptyList = 0x5D, emptyDictionary = 0x7D
        case `protocol` = 0x80, newObject = 0x81, tuple1 = 0x85, tuple2 = 0x86, tuple3 = 0x87, yes = 0x88, no = 0x89
        case long = 0x8A
        case shortText = 0x8C, stackGlobal = 0x93, memoize = 0x94, frame = 0x95
    }

    private mutating func run(_ instruction: Instruction) throws {
        switch instruction {
        case .stop: break
        case .protocol: try checkProtocol()
        case .frame: _ = try reader.next(UInt64.self)
        case .none, .yes, .no, .real, .integer, .byte, .short, .long, .string, .shortString, .text, .shortText:
            stack.append(try scalar(instruction))
        case .mark: try pushMark()
        case .pop: try popOne()
        case .popMark: _ = try popToMark()
        case .duplicate: stack.append(try top())
        case .get, .longGet: try recall(instruction)
        case .put, .longPut, .memoize: try remember(instruction)
        case .emptyTuple, .tuple, .tuple1, .tuple2, .tuple3: try pushTuple(instruction)
        case .emptyList: pushList([])
        case .list: pushList(try popToMark())
        case .emptyDictionary: pushDictionary([])
        case .dictionary: pushDictionary(try popPairs())
        case .append: try append(toList: popLast(1))
        case .appends: try append(toList: popToMark())
        case .setItem: try append(toDictionary: popLast(2))
        case .setItems: try append(toDictionary: popPairs())
        case .global, .stackGlobal: try pushGlobal(instruction)
        case .persistent: try pushPersistent()
        case .reduce, .newObject: try call(popLast(2))
        case .build: try build()
        }
    }

    private mutating func checkProtocol() throws {
        let number = try reader.next(UInt8.self)
        guard (2...5).contains(number) else { throw reader.damaged("its pickle has protocol \(number)") }
    }

    private mutating func scalar(_ instruction: Instruction) throws -> PickleValue {
        switch instruction {
        case .yes: .flag(true)
        case .no: .flag(false)
        case .real: .real(Double(bitPattern: try reader.next(UInt64.self).byteSwapped))
        case .integer: .integer(Int(try reader.next(Int32.self)))
        case .byte: .integer(Int(try reader.next(UInt8.self)))
        case .short: .integer(Int(try reader.next(UInt16.self)))
        case .long: .integer(try longInteger())
        case .text, .string: .text(try text(Int(reader.next(UInt32.self))))
        case .shortText, .shortString: .text(try text(Int(reader.next(UInt8.self))))
        default: .none
        }
    }

    private mutating func text(_ count: Int) throws -> String { try reader.text(count) }

    /// An integer of any length, in two's complement.
    private mutating func longInteger() throws -> Int {
        let count = Int(try reader.next(UInt8.self))
        let digits = bytes[try reader.skip(count)]
        guard digits.count <= MemoryLayout<Int>.size else {
            throw reader.damaged("a number of its pickle is too large")
        }
        var value = digits.last.map { $0 & 0x80 != 0 } == true ? -1 : 0
        for byte in digits.reversed() { value = value << 8 | Int(byte) }
        return value
    }

    /// A line of text, as the names of globals are.
    private mutating func line() throws -> String {
        let rest = bytes[reader.position...]
        guard let end = rest.firstIndex(of: 0x0A), end - reader.position <= 256 else {
            throw reader.damaged("a name in its pickle does not end")
        }
        let text = try reader.text(end - reader.position)
        _ = try reader.skip(1)
        return text
    }
}

// MARK: The stack

extension PickleReader {
    private var bottom: Int { marks.last ?? 0 }

    private func top() throws -> PickleValue {
        guard stack.count > bottom, let top = stack.last else { throw emptyStack }
        return top
    }

    private mutating func pop() throws -> PickleValue {
        let value = try top()
        stack.removeLast()
        return value
    }

    private mutating func popLast(_ count: Int) throws -> [PickleValue] {
        guard stack.count - bottom >= count else { throw emptyStack }
        defer { stack.removeLast(count) }
        return Array(stack.suffix(count))
    }

    private mutating func pushMark() throws {
        guard marks.count < Self.highestStack else { throw reader.damaged("its pickle is too deeply nested") }
        marks.append(stack.count)
    }

    private mutating func popToMark() throws -> [PickleValue] {
        guard let mark = marks.popLast() else { throw reader.damaged("its pickle has no mark where one should be") }
        defer { stack.removeLast(stack.count - mark) }
        return Array(stack[mark...])
    }

    /// Removes the topmost value or mark.
    private mutating func popOne() throws {
        if marks.last == stack.count { marks.removeLast() } else { _ = try pop() }
    }

    private mutating func recall(_ instruction: Instruction) throws {
        let number = instruction == .get ? Int(try reader.next(UInt8.self)) : Int(try reader.next(UInt32.self))
        guard let value = memo[number] else { throw reader.damaged("its pickle has no value \(number)") }
        stack.append(value)
    }

    private mutating func remember(_ instruction: Instruction) throws {
        let number =
            switch instruction {
            case .put: Int(try reader.next(UInt8.self))
            case .longPut: Int(try reader.next(UInt32.self))
            default: memo.count
            }
        memo[number] = try top()
    }

    private mutating func pushTuple(_ instruction: Instruction) throws {
        let items: [PickleValue] =
            switch instruction {
            case .tuple: try popToMark()
            case .tuple1: try popLast(1)
            case .tuple2: try popLast(2)
            case .tuple3: try popLast(3)
            default: []
            }
        let depth = items.reduce(0) { depth, item in
            if case .tuple(_, let own) = item { max(depth, own) } else { depth }
        }
        guard depth < Self.deepestNesting else { throw reader.damaged("its pickle is too deeply nested") }
        stack.append(.tuple(items, depth: depth + 1))
    }

    private mutating func pushList(_ items: [PickleValue]) { stack.append(.list(container(items))) }

    private mutating func pushDictionary(_ items: [PickleValue]) { stack.append(.dictionary(container(items))) }

    private mutating func container(_ items: [PickleValue]) -> PickleContainer {
        let container = PickleContainer()
        container.append(items)
        containers.append(container)
        return container
    }

    /// Removes keys and values, up to the mark.
    private mutating func popPairs() throws -> [PickleValue] {
        let items = try popToMark()
        guard items.count % 2 == 0 else { throw reader.damaged("a dictionary in its pickle has a key without a value") }
        return items
    }

    private mutating func append(toList items: [PickleValue]) throws {
        guard case .list(let list) = try top() else { throw reader.damaged("its pickle adds items to no list") }
        list.append(items)
    }

    private mutating func append(toDictionary items: [PickleValue]) throws {
        guard case .dictionary(let dictionary) = try top() else {
            throw reader.damaged("its pickle adds items to no dictionary")
        }
        dictionary.append(items)
    }

    private var emptyStack: StenoError { reader.damaged("its pickle takes values that are not there") }
}

// MARK: Classes and functions

extension PickleReader {
    /// The functions that make tensors: from a storage, and from a tensor.
    private static let tensors: Set<String> = ["torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter"]
    private static let dictionary = "collections.OrderedDict"

    private mutating func pushGlobal(_ instruction: Instruction) throws {
        let module: String, name: String
        if instruction == .global {
            (module, name) = (try line(), try line())
        } else {
            let names = try popLast(2).compactMap(\.text)
            guard names.count == 2 else { throw reader.damaged("a class in its pickle has no name") }
            (module, name) = (names[0], names[1])
        }
        let full = module + "." + name
        guard full == Self.dictionary || Self.tensors.contains(full) || Self.isData(module, name) else {
            throw refusal(full)
        }
        stack.append(.global(module: module, name: name))
    }

    /// Whether a name is only compared: the types of numbers, of storages and of devices.
    private static func isData(_ module: String, _ name: String) -> Bool {
        switch module {
        case "torch":
            name.hasSuffix("Storage")
                || ["float32", "float16", "bfloat16", "float64", "int64", "int32", "device", "Size"].contains(name)
        case "torch.storage": name == "UntypedStorage" || name == "TypedStorage"
        default: false
        }
    }

    private mutating func pushPersistent() throws {
        guard let items = try pop().items else { throw reader.damaged("a storage in its pickle is not described") }
        stack.append(.persistent(items))
    }

    /// Applies one of the known functions to its arguments, which makes a description.
    private mutating func call(_ values: [PickleValue]) throws {
        guard case .global(let module, let name) = values[0], let arguments = values[1].items else {
            throw reader.damaged("its pickle calls something that is not a function")
        }
        switch (module + "." + name, arguments.first) {
        case (Self.dictionary, _):
            guard arguments.isEmpty else { throw refusal("\(Self.dictionary) with items in its call") }
            pushDictionary([])
        case ("torch._utils._rebuild_tensor_v2", _): stack.append(.tensor(arguments))
        case ("torch._utils._rebuild_parameter", let tensor?): stack.append(tensor)
        case (let other, _): throw refusal(other)
        }
    }

    /// Skips the state of an ordered dictionary, which only has the versions of its modules.
    private mutating func build() throws {
        _ = try pop()
        guard case .dictionary = try top() else { throw refusal("an object with a state") }
    }

    private func refusal(_ name: String) -> StenoError {
        StenoError(
            .modelUnsupported,
            "\(path) needs \(name.prefix(80)) of Python, which Steno does not run: it reads only tensors. Save the "
                + "model's state_dict, or get the model from its publisher.")
    }
}
