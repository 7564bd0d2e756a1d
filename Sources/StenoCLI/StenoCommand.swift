import ArgumentParser

@main
struct StenoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "steno", abstract: "Speech to text on this device.")
}
