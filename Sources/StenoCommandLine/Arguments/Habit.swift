/// The meaning of a spelling from another program.
enum Habit: Sendable {
    /// Another name of an option of Steno's.
    case option(String)
    /// A spelling without a value; `True` after it is the same, `False` is the second answer.
    case flag(Answer, whenFalse: Answer = .nothing)
    /// A spelling with a value.
    case value(@Sendable (String) -> Answer)

    /// How to handle a spelling.
    enum Answer: Sendable, Equatable {
        /// These arguments stand for it, options as `--name` or `--name=value`.
        case arguments([String])
        /// These arguments stand for it, with a sentence about what they mean.
        case noted([String], String)
        /// Its value is the file to read.
        case file(String)
        /// It has no effect here, for the reason in the sentence.
        case ignored(String)
        /// It is refused; the sentence says what to write instead.
        case refused(String)

        /// It needs no argument, because it is the default.
        static let nothing = Answer.arguments([])
    }

    /// A spelling that stands for these arguments.
    static func arguments(_ arguments: String...) -> Habit { .flag(.arguments(arguments)) }

    /// A spelling that is refused, whatever its value.
    static func refused(_ sentence: String) -> Habit { .flag(.refused(sentence)) }
}
