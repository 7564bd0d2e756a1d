/// The function words that show where phrases begin in a language.
struct PhraseWords {
    /// Words before which a line may end: conjunctions, relative pronouns, prepositions.
    private(set) var beginPhrase: Set<String> = []
    /// Words after which no line should end: those, and articles, pronouns before their verb, auxiliaries.
    private(set) var bindNext: Set<String> = []

    /// Abbreviations, whose full stop does not end a sentence.
    static let abbreviations: Set = [
        "mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "sr", "jr", "hr", "fr", "nr", "z.b", "bzw",
        "mme", "sra", "dra", "sig",
    ]

    /// Chooses the language whose function words are most frequent; none if the text has few of any.
    init(of keys: [String]) {
        var tally = Tally()
        for key in keys { tally.add(key) }
        self = tally.phrases
    }

    private init() {}

    /// Counts the function words of each language in a growing text.
    struct Tally: Sendable {
        private var hits = Array(repeating: 0, count: PhraseWords.languages.count)
        private var count = 0

        mutating func add(_ key: String) {
            count += 1
            for (index, language) in PhraseWords.languages.enumerated() where language.bindNext.contains(key) {
                hits[index] += 1
            }
        }

        var phrases: PhraseWords {
            guard let most = hits.max(), let best = hits.firstIndex(of: most), most * 10 > count else {
                return PhraseWords()
            }
            return PhraseWords.languages[best]
        }
    }

    private init(begin: String, bind: String) {
        beginPhrase = Set(begin.split(separator: " ").map(String.init))
        bindNext = beginPhrase.union(bind.split(separator: " ").map(String.init))
    }

    /// A word as in the lists: in lower case, without punctuation around it.
    static func key(_ text: String) -> String {
        let isMark = { (character: Character) in !character.isLetter && !character.isNumber }
        let rest = text.drop(while: isMark)
        guard let last = rest.lastIndex(where: { !isMark($0) }) else { return "" }
        return rest[...last].lowercased()
    }

    /// English, German, French, Spanish, Italian, Portuguese, Dutch.
    private static let languages = [
        PhraseWords(
            begin: """
                and but or nor so yet because although though while when where who whom whose which that if unless until \
                since than as after before with without in on at by for from of to into onto over under about through \
                between during against among within like
                """,
            bind: """
                a an the this these those my your his her its our their i you he she it we they is are was were be \
                been am do does did have has had will would shall should can could may might must not don't very \
                too every each some any no i'm you're he's she's it's we're they're i've you've we've they've i'll \
                you'll we'll
                """),
        PhraseWords(
            begin: """
                und aber oder denn weil dass ob wenn als während obwohl damit nachdem bevor bis seit mit ohne in im an am \
                auf aus bei von vom zu zum zur nach über unter vor hinter zwischen durch für gegen um wie
                """,
            bind: """
                der die das den dem des ein eine einen einem einer eines mein dein sein ihr unser kein keine diese \
                dieser dieses ich du er sie es wir man ist sind war waren wird werden hat haben kann können muss \
                soll will nicht sehr
                """),
        PhraseWords(
            begin: """
                et mais ou donc or ni car parce que qui dont où quand lorsque puisque comme si à de du des en dans sur \
                sous avec sans pour par chez entre vers depuis pendant contre avant après
                """,
            bind: """
                le la les un une au aux ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos leur \
                leurs je tu il elle on nous vous ils elles ne se me te est sont était a ont avait très plus pas
                """),
        PhraseWords(
            begin: """
                y e o u pero ni sino porque aunque mientras cuando donde que quien cuyo si como a de del en con sin por \
                para sobre entre desde hasta hacia contra según durante antes después
                """,
            bind: """
                el la los las un una unos unas lo al mi tu su mis tus sus nuestro nuestra este esta estos estas ese \
                esa yo tú él ella nosotros ellos me te se nos le les es son era está están ha han había no muy más
                """),
        PhraseWords(
            begin: """
                e ed ma o né però perché mentre quando dove che chi cui se come a ad di da in con su per tra fra del della \
                dei delle nel nella dal dalla sul sulla senza dopo prima durante contro verso
                """,
            bind: """
                il lo la i gli le un uno una al alla mio tuo suo nostro questo questa quel quella io tu lui lei noi \
                voi loro mi ti si ci vi è sono era ha hanno non molto più
                """),
        PhraseWords(
            begin: """
                e mas ou nem porque embora enquanto quando onde que quem cujo se como a de do da dos das em no na nos nas \
                com sem por para pelo pela sobre entre desde até contra durante antes depois
                """,
            bind: """
                o os as um uma uns umas ao à meu minha seu sua nosso este esta esse essa eu tu ele ela nós você \
                eles me te é são era está estão há tem não muito mais
                """),
        PhraseWords(
            begin: """
                en maar of want omdat hoewel terwijl toen wanneer waar die dat wie als dan zodat voordat nadat met zonder \
                in op aan bij van voor naar over onder tussen door tegen om tot uit te
                """,
            bind: """
                de het een dit deze mijn jouw zijn haar ons onze hun ik jij je hij zij ze we wij is was waren ben \
                bent heeft hebben had kan kunnen moet zal wil niet zeer heel
                """),
    ]
}
