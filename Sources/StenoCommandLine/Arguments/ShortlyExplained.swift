package import ArgumentParser

/// A command with so many options that `--help` shows only the most used ones, each with an example value.
package protocol ShortlyExplained: ParsableCommand {
    /// The short help; at most 80 columns wide.
    static var shortHelp: String { get }
}
