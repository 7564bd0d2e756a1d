import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCore

@Suite struct ModelLocatorTests {
    private let folder = TemporaryFolder.ofSuite()
    private let bundled: LocatedModel

    init() throws {
        bundled = LocatedModel(
            name: "base",
            folder: try folder.write("", to: "program/whisper-base/model.bin").deletingLastPathComponent(),
            origin: .bundled)
    }

    /// A locator that sees nothing of the machine the tests run on.
    private func locator(_ environment: [String: String] = [:], bundled: LocatedModel?) -> ModelLocator {
        let data = ["XDG_DATA_HOME": folder.url.appendingPathComponent("data").path]
        return ModelLocator(
            bundled: bundled, environment: data.merging(environment) { $1 },
            home: folder.url.appendingPathComponent("home"))
    }

    /// The error message for a model that the user's own folders do not have.
    private func refusal(_ model: String? = nil) throws -> String {
        try #require(throws: StenoError.self) { try locator(bundled: nil).locate(model) }.message
    }

    private func path(_ below: String) -> String { folder.url.appendingPathComponent(below).path }

    /// The user's models folder, which is elsewhere on Apple platforms.
    private var userModels: String {
        #if canImport(Darwin)
            "home/Library/Application Support/Steno/Models"
        #else
            "data/steno/models"
        #endif
    }

    @Test func aPathIsTakenAsItIsButAFolderHereDoesNotHideAName() throws {
        try folder.write("", to: "home/mine/model.bin")
        for name in [path("home/mine"), "~/mine"] {
            let model = try locator(bundled: nil).locate(name)
            #expect(model.origin == .path && model.folder.path == path("home/mine"))
        }
        try folder.write("", to: "\(userModels)/Tests/model.bin")
        // Tests is a folder of this package, and no model.
        #expect(try locator(bundled: nil).locate("Tests").origin == .installed)
    }

    /// A short name finds every usual folder, and a repository the folder of its last part.
    @Test(arguments: [
        ("base", "base"), ("base", "faster-whisper-base"), ("base", "Systran/faster-whisper-base"),
        ("base", "whisper-base"), ("Systran/faster-whisper-small", "faster-whisper-small"),
    ]) func aNameFindsItsFolder(name: String, folderName: String) throws {
        try folder.write("", to: "\(userModels)/\(folderName)/model.bin")
        let model = try locator(bundled: bundled).locate(name)
        #expect(model.origin == .installed && model.folder.path == path("\(userModels)/\(folderName)"))
    }

    @Test func theVariablesFoldersComeFirstAndInOrder() throws {
        for place in ["one/tiny", "two/tiny", "two/small", "\(userModels)/tiny", "\(userModels)/small"] {
            try folder.write("", to: "\(place)/model.bin")
        }
        let locator = locator(["STENO_MODELS": path("one") + ":" + path("two")], bundled: nil)
        #expect(try locator.locate("tiny").folder.path == path("one/tiny"))
        #expect(try locator.locate("small").folder.path == path("two/small"))
    }

    @Test func theUsersFolderComesBeforeHuggingFacesCache() throws {
        try cache("home/.cache/huggingface/hub", "Systran/faster-whisper-tiny")
        #expect(try locator(bundled: nil).locate("tiny").origin == .huggingFace)
        try folder.write("", to: "\(userModels)/tiny/model.bin")
        #expect(try locator(bundled: nil).locate("tiny").origin == .installed)
    }

    @Test(arguments: [
        ("home/.cache/huggingface/hub", [:]), ("other/hub", ["HF_HOME": "other"]),
        ("hub", ["HF_HUB_CACHE": "hub", "HF_HOME": "other"]), ("caches/huggingface/hub", ["XDG_CACHE_HOME": "caches"]),
    ])
    func theCacheIsWhereHuggingFacesToolsKeepIt(place: String, variables: [String: String]) throws {
        try cache(place, "Systran/faster-distil-whisper-large-v3")
        let model = try locator(variables.mapValues(path), bundled: nil).locate("distil-large-v3")
        #expect(model.origin == .huggingFace && model.folder.path.hasSuffix("snapshots/0123abc"))
    }

    @Test func unfinishedDownloadsAndHostileRevisionsAreNotModels() throws {
        let hub = "home/.cache/huggingface/hub"
        let file = try cache(hub, "Systran/faster-whisper-tiny").appendingPathComponent("model.bin")
        try FileManager.default.removeItem(at: file)
        // The link to a file whose download was not finished leads nowhere.
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "../../blobs/missing")
        try folder.write("", to: hub + "/outside/model.bin")
        try folder.write("../../outside", to: hub + "/models--a--b/refs/main")
        try folder.write("", to: hub + "/models--a--b/snapshots/x/model.bin")
        for name in ["tiny", "a/b"] { #expect(throws: StenoError.self) { try locator(bundled: nil).locate(name) } }
    }

    /// Makes a repository in the layout of Hugging Face's cache, and returns the folder of its files.
    @discardableResult
    private func cache(_ place: String, _ repository: String) throws -> URL {
        let model = place + "/models--" + repository.replacing("/", with: "--")
        try folder.write("0123abc\n", to: model + "/refs/main")
        return try folder.write("", to: model + "/snapshots/0123abc/model.bin").deletingLastPathComponent()
    }

    @Test func theBundledModelHasANameAndIsTheLastChoice() throws {
        #expect(try locator(bundled: bundled).locate() == bundled)
        #expect(try locator(bundled: bundled).locate("base") == bundled)
        #expect(try locator(bundled: bundled).locate("bundled") == bundled)
        try folder.write("", to: "\(userModels)/default/model.bin")
        #expect(try locator(bundled: bundled).locate().origin == .installed)
        try folder.write("", to: "mine/model.bin")
        #expect(try locator(["STENO_MODEL": path("mine")], bundled: bundled).locate().folder.path == path("mine"))
        #expect(try locator(["STENO_MODEL": ""], bundled: bundled).locate().origin == .installed)
    }

    @Test func severalBundledModelsAreFoundByName() throws {
        let file = try folder.write("", to: "program/moonshine-tiny/model.bin")
        let small = LocatedModel(
            name: "moonshine-tiny", folder: file.deletingLastPathComponent(), origin: .bundled)
        let locator = ModelLocator(bundled: [bundled, small], environment: [:], home: folder.url)
        #expect(locator.all() == [bundled, small])
        #expect(try locator.locate("moonshine-tiny") == small)
        #expect(try locator.locate() == bundled && locator.locate("bundled") == bundled)
        // A program may have only the small one.
        let only = ModelLocator(bundled: [small], environment: [:], home: folder.url)
        #expect(try only.locate() == small && ModelChoice.bundled.locate(only) == small)
        expectError(.modelNotFound) { try only.locate("base") }
    }

    @Test func theDefaultMayBeALink() throws {
        let model = try folder.write("", to: "elsewhere/model.bin").deletingLastPathComponent()
        try folder.write("", to: "\(userModels)/other/model.bin")
        try FileManager.default.createSymbolicLink(
            atPath: path("\(userModels)/default"), withDestinationPath: model.path)
        #expect(try locator(bundled: nil).locate().folder.path == path("\(userModels)/default"))
    }

    @Test func theErrorSaysWhereItLookedAndWhatToDo() throws {
        let locator = locator(["STENO_MODELS": path("one")], bundled: bundled)
        expectError(
            .modelNotFound, says: path("one"), path(userModels), path("home/.cache/huggingface/hub"),
            "Systran/faster-whisper-large-v3", "at \(path("one/large-v3"))"
        ) { try locator.locate("large-v3") }
    }

    @Test func missingPathsFoldersWithoutAModelAndKnownNamesAreDistinguished() throws {
        try folder.write("", to: "empty/readme.txt")
        #expect(try refusal(path("nowhere")).contains("does not exist"))
        #expect(try refusal(path("empty")).contains("no model.bin"))
        #expect(try refusal().contains("default"))
        #expect(try refusal("large").contains("steno models download large (about 3.09 GB)"))
        #expect(try refusal("owner/name").contains("steno models download owner/name"))
        let unknown = try refusal("gigantic")
        #expect(!unknown.contains("models download") && unknown.contains("--available"))
    }

    /// For files of other programs, errors say what they are, what is needed, and where to get it.
    @Test(arguments: [
        ("models/ggml-base.en-q5_1.bin", "GGML format (whisper.cpp)", "steno models download ggml-base.en-q5_1.bin"),
        ("large-v3-turbo.pt", "PyTorch checkpoint", "steno models download large-v3-turbo"),
        ("model.safetensors", "safetensors", "CTranslate2"), ("whisper.gguf", "GGUF", "CTranslate2"),
        ("parakeet.nemo", "NVIDIA's NeMo", "convert_nemo_to_hf.py"),
    ]) func aFileOfAnotherProgramIsExplained(name: String, format: String, remedy: String) throws {
        let missing = try refusal(path(name))
        #expect(missing.contains("does not exist") && missing.contains(format))
        try folder.write("PK\u{3}\u{4}.....", to: "real.bin")
        let real = try refusal(path("real.bin"))
        #expect(real.contains("is a PyTorch checkpoint") && real.contains("CTranslate2"))
        try folder.write("anything", to: "real.nemo")
        #expect(try refusal(path("real.nemo")).contains("is a model of NVIDIA's NeMo, which Steno cannot read."))
        #expect(missing.contains(remedy), "\(missing)")
    }

    @Test func theListHasEveryModelInTheOrderOfTheSearch() throws {
        try folder.write("", to: "one/tiny/model.bin")
        try folder.write("", to: "one/Systran/faster-whisper-small/model.bin")
        try folder.write("", to: "one/notes/readme.txt")
        // The store's own file is not a model.
        try folder.write("", to: "one/.steno/partial/a--b/model.bin")
        try folder.write("", to: "\(userModels)/mine/model.bin")
        try cache("home/.cache/huggingface/hub", "Systran/faster-whisper-medium")
        let models = locator(["STENO_MODELS": path("one")], bundled: bundled).all()
        #expect(
            models.map(\.name) == [
                "Systran/faster-whisper-small", "tiny", "mine", "Systran/faster-whisper-medium", "base",
            ])
        #expect(models.map(\.origin) == [.installed, .installed, .installed, .huggingFace, .bundled])
    }
}

/// Models of other programs, models in one file, and environment variables.
extension ModelLocatorTests {
    /// The beginning of whisper.cpp's files: a magic number and the size of the vocabulary.
    private static let ggml = "lmgg\u{1}\u{4a}\u{4a}\u{0}"

    @Test func theOtherProgramsVariableNamesTheDefaultModelOrAFolderOfModels() throws {
        try folder.write("", to: "home/mine/model.bin")
        let locator = locator(["WHISPER_MODEL_PATH": "~/mine"], bundled: bundled)
        #expect(try locator.locate().folder.path == path("home/mine"))
        let both = self.locator(["WHISPER_MODEL_PATH": "~/mine", "STENO_MODEL": "base"], bundled: bundled)
        #expect(try both.locate() == bundled)
        let missing = self.locator(["WHISPER_MODEL_PATH": "~/nothing"], bundled: bundled)
        expectError(says: "nothing does not exist") { try missing.locate() }
        try folder.write("", to: "home/models/whisper-tiny-ct2/model.bin")
        let several = self.locator(["WHISPER_MODEL_PATH": "~/models"], bundled: bundled)
        #expect(try several.locate() == bundled)
        #expect(try several.locate("tiny").folder.path == path("home/models/whisper-tiny-ct2"))
    }

    @Test func modelsOfTheProgramsBundleAreFound() throws {
        for place in ["app/models/small", "app/Resources/models/medium", "app/whisper-tiny", "app/icons"] {
            try folder.write("", to: place + "/model.bin")
        }
        let locator = ModelLocator(
            bundled: nil, environment: [:], home: folder.url.appendingPathComponent("home"),
            resources: folder.url.appendingPathComponent("app"))
        for (name, place) in [
            ("small", "models/small"), ("medium", "Resources/models/medium"), ("tiny", "whisper-tiny"),
        ] {
            let model = try locator.locate(name)
            #expect(model.folder.path == path("app/" + place) && model.origin == .application)
        }
        // Only names like a model's count among a program's resources.
        #expect(throws: StenoError.self) { try locator.locate("icons") }
        #expect(locator.all().map(\.name) == ["small", "medium", "whisper-tiny"])
    }

    @Test func downloadsOfSwiftFasterWhisperAreFound() throws {
        #if canImport(Darwin)
            let support = "home/Library/Application Support"
        #else
            let support = "home/.local/share"
        #endif
        try folder.write("", to: support + "/Talker/whisper-large-v2-ct2/model.bin")
        let locator = ModelLocator(
            bundled: nil, environment: [:], home: folder.url.appendingPathComponent("home"), program: "Talker")
        #expect(try locator.locate("large-v2").folder.path == path(support + "/Talker/whisper-large-v2-ct2"))
        #expect(locator.all().map(\.origin) == [.application])
    }

    @Test(arguments: [
        ("ggml-base.bin", "one", "ggml-base.bin"),
        ("ggerganov/whisper.cpp/ggml-base.bin", "one/ggerganov/whisper.cpp/ggml-base", "ggml-base.bin"),
        ("ggml-base.bin", "one/ggerganov/whisper.cpp/ggml-base", "ggml-base.bin"),
        ("example.com/models/ggml-mine.bin", "one/example.com/models--ggml-mine", "ggml-mine.bin"),
        ("owner/name/small/ggml-mine.bin", "one/owner/name/small--ggml-mine", "ggml-mine.bin"),
    ])
    func aModelInOneFileIsFoundByItsName(name: String, place: String, file: String) throws {
        try folder.write(Self.ggml, to: "\(place)/\(file)")
        let locator = locator(["STENO_MODELS": path("one")], bundled: nil)
        let found = try locator.locate(name)
        // A file that stands alone is the model, and a file in a folder of its own is its folder's.
        #expect(found.origin == .installed && found.folder.path == path(place == "one" ? "one/\(file)" : place))
        let listed = try #require(locator.all().first)
        #expect(try locator.locate(listed.name).folder == listed.folder)
    }

    @Test func modelsBelowAModelAreListedToo() throws {
        try folder.write("", to: "one/owner/name/model.bin")
        try folder.write(Self.ggml, to: "one/owner/name/ggml-base/ggml-base.bin")
        try folder.write(Self.ggml, to: "one/mine/ggml-mine.bin")
        let names = locator(["STENO_MODELS": path("one")], bundled: nil).all().map(\.name)
        #expect(names.sorted() == ["mine", "owner/name", "owner/name/ggml-base"])
    }

    @Test func aFileInHuggingFacesCacheIsFound() throws {
        let model = "home/.cache/huggingface/hub/models--ggerganov--whisper.cpp"
        try folder.write("0123abc", to: model + "/refs/main")
        for name in ["ggml-tiny.bin", "ggml-base.bin"] {
            try folder.write(Self.ggml, to: model + "/snapshots/0123abc/" + name)
        }
        let found = try locator(bundled: nil).locate("ggerganov/whisper.cpp/ggml-base.bin")
        #expect(found.origin == .huggingFace && found.folder.lastPathComponent == "ggml-base.bin")
        #expect(try locator(bundled: nil).locate("ggml-base.bin").folder == found.folder)
        #expect(
            locator(bundled: nil).all().map(\.name)
                == ["ggerganov/whisper.cpp/ggml-base.bin", "ggerganov/whisper.cpp/ggml-tiny.bin"])
    }
}
