import ArgumentParser

/// A command with so many options that its help has a short form: those that are used most, with an example each.
protocol ShortlyExplained: ParsableCommand {
    /// The short help; at most 80 columns wide.
    static var shortHelp: String { get }
}
