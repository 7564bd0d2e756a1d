/// Rewrites a command's arguments for its parser: translates the options of other programs, and joins values to their
/// options, so that values may begin with a dash.
struct ArgumentTranslator {
    struct Translation: Equatable {
        var arguments: [String] = []
        /// Notes about accepted options, such as that they have no effect.
        var notes: [String] = []
    }

    /// The command's name, such as `steno transcribe`.
    let command: String
    let options: OptionList
    let exists: (String) -> Bool

    /// - Throws: `UsageError`, which says what to write instead; `HelpRequest`.
    func translate(_ arguments: [String]) throws -> Translation {
        var rest = arguments[...]
        var result = Translation()
        while let argument = rest.popFirst() {
            if argument == "--" {
                result.arguments += rest.map(path)
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                result.arguments.append(operand(argument))
                continue
            }
            try translate(argument, &rest, &result)
        }
        return result
    }

    private func translate(_ argument: String, _ rest: inout ArraySlice<String>, _ result: inout Translation) throws {
        let (spelling, attached) = split(argument)
        if let help = HelpRequest(spelling) { throw help }
        if let habit = habit(spelling) {
            try apply(habit, spelling, attached, &rest, &result)
        } else if let option = options.option(spelling) {
            try add(option, spelling, attached, &rest, &result)
        } else if exists(argument) {
            result.arguments.append(path(argument))
        } else if let opposite = opposite(spelling) {
            let isOn = try boolean(spelling, attached, &rest) ?? true
            if !isOn { result.arguments.append(opposite.name) }
        } else {
            throw unknown(spelling)
        }
    }

    // MARK: Habits

    /// The meaning of a spelling; the command's own options come first, except `-f`, which depends on its value.
    private func habit(_ spelling: String) -> Habit? {
        let name = OptionList.canonical(spelling)
        guard name == "-f" || options.option(name) == nil else { return nil }
        return Habits.all[name]
    }

    private func apply(
        _ habit: Habit, _ spelling: String, _ attached: String?, _ rest: inout ArraySlice<String>,
        _ result: inout Translation
    ) throws {
        switch habit {
        case .option(let name):
            guard let option = options.option(name) ?? Habits.alternatives[name].flatMap(options.option) else {
                // It may ask for the default.
                if opposite(name) != nil { return try translate(joined(name, attached), &rest, &result) }
                throw unknown(spelling)
            }
            try add(option, spelling, attached, &rest, &result)
        case .flag(let answer, let whenFalse):
            let isOn = try boolean(spelling, attached, &rest) ?? true
            try add(isOn ? answer : whenFalse, spelling, &result)
        case .value(let answer):
            try add(answer(try attached ?? value(of: spelling, &rest)), spelling, &result)
        }
    }

    private func add(_ answer: Habit.Answer, _ spelling: String, _ result: inout Translation) throws {
        switch answer {
        case .arguments(let arguments):
            for argument in arguments {
                let (name, value) = split(argument)
                guard options.option(name) == nil else {
                    result.arguments.append(argument)
                    continue
                }
                guard let other = Habits.alternatives[name], options.option(other) != nil else {
                    throw unknown(spelling)
                }
                result.arguments.append(joined(other, value))
            }
        case .noted(let arguments, let sentence):
            try add(.arguments(arguments), spelling, &result)
            result.notes.append("\(spelling): \(sentence)")
        case .file(let file):
            guard file == "-" || exists(file) || file.contains(where: { "./".contains($0) }) else {
                throw UsageError(
                    "\(spelling): \(file) is neither a format (txt, srt, vtt, lrc, tsv, json) nor a file. "
                        + "Check the spelling.")
            }
            if options.option("--input") != nil {
                result.arguments.append("--input=\(file)")
            } else if options.takesFiles {
                result.arguments.append(path(file))
            } else {
                throw unknown(spelling)
            }
        case .ignored(let sentence): result.notes.append("\(spelling) has no effect. \(sentence)")
        case .refused(let sentence): throw UsageError("\(spelling): \(sentence)")
        }
    }

    // MARK: Options and their values

    private func add(
        _ option: OptionList.Entry, _ spelling: String, _ attached: String?, _ rest: inout ArraySlice<String>,
        _ result: inout Translation
    ) throws {
        guard !option.takesValue else {
            let value = try attached ?? value(of: spelling, &rest)
            // With nothing after the equals sign, the parser would report a missing value.
            result.arguments += value.isEmpty ? [option.name, ""] : ["\(option.name)=\(value)"]
            return
        }
        let isOn = try boolean(spelling, attached, &rest)
        if isOn == nil { try refuseValue(rest.first, after: spelling) }
        if isOn ?? true {
            result.arguments.append(option.name)
        } else if let opposite = opposite(option.name), opposite.name.hasPrefix("--no-") {
            result.arguments.append(opposite.name)
        }
    }

    /// Refuses a number or `auto` after a flag; a command without file arguments would take it for the input.
    private func refuseValue(_ next: String?, after spelling: String) throws {
        guard let next, !options.takesFiles, Int(next) != nil || next == "auto", !exists(next) else { return }
        throw UsageError("\(spelling) takes no value: leave out \(next).")
    }

    /// Takes the value after the option, which must not be an option itself.
    private func value(of spelling: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let next = rest.first else { throw UsageError("\(spelling) needs a value after it.") }
        let name = split(next).spelling
        guard next == "-" || options.option(name) == nil && (Habits.all[OptionList.canonical(name)] == nil) else {
            throw UsageError("\(spelling) needs a value. If the value looks like an option, write \(spelling)=\(next)")
        }
        rest.removeFirst()
        return next
    }

    /// Whether a flag is followed by `True` or `False`, as Python programs require; nil if neither follows.
    private func boolean(_ spelling: String, _ attached: String?, _ rest: inout ArraySlice<String>) throws -> Bool? {
        let words = ["true": true, "false": false]
        if let attached {
            guard let value = words[attached.lowercased()] else {
                throw UsageError("\(spelling) takes no value: leave it out.")
            }
            return value
        }
        guard let next = rest.first, let value = words[next.lowercased()], !exists(next) else { return nil }
        rest.removeFirst()
        return value
    }

    /// The opposite flag: `--no-x` for `--x`, and the reverse.
    ///
    /// Flags are off unless given, so the opposite of one of ours asks for the default.
    private func opposite(_ spelling: String) -> OptionList.Entry? {
        let name = OptionList.canonical(spelling)
        guard name.hasPrefix("--") else { return nil }
        let opposite = name.hasPrefix("--no-") ? "--" + name.dropFirst(5) : "--no-" + name.dropFirst(2)
        return options.option(opposite).flatMap { $0.takesValue ? nil : $0 }
    }

    // MARK: Words

    private func split(_ argument: String) -> (spelling: String, attached: String?) {
        guard let equals = argument.firstIndex(of: "=") else { return (argument, nil) }
        return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
    }

    private func joined(_ name: String, _ attached: String?) -> String { attached.map { "\(name)=\($0)" } ?? name }

    /// A word that is not an option; for a command without file arguments, it is the input.
    private func operand(_ word: String) -> String {
        let isInput = !options.takesFiles && options.option("--input") != nil
        return isInput ? "--input=\(word)" : word
    }

    /// A path that cannot be mistaken for an option.
    private func path(_ file: String) -> String { file.hasPrefix("-") && file != "-" ? "./" + file : file }

    private func unknown(_ spelling: String) -> UsageError {
        let near = Spelling.nearest(OptionList.canonical(spelling), in: options.names)
        let file = spelling.contains(".") ? " A file whose name begins with a dash is written ./\(spelling)" : ""
        let suggestion = near.map { " Did you mean \($0)?" } ?? file
        return UsageError("\(spelling) is not an option of \(command).\(suggestion)")
    }
}
