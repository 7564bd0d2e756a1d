import ArgumentParser
import Steno
import StenoCommandLine

struct ListLanguages: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "languages",
        abstract: "List the languages: code and name.",
        discussion: """
            Codes and names are both accepted by --language. Not every model knows them all: models whose \
            name ends in .en and Moonshine's know only English, and only large-v3 and turbo know Cantonese. "steno \
            models info" lists the languages of a model.
            """)

    func run() throws {
        for language in Languages.all.sorted(by: { $0.name < $1.name }) {
            StandardStream.output.write("\(language.code)\t\(language.name)\n")
        }
    }
}
