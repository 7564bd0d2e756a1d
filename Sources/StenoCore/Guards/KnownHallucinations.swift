/// Phrases that models learned from the subtitles they were trained on and write if there is no speech: thanks to
/// viewers, and subtitle credits.
///
/// People do say some of them, so a match alone proves nothing; it only makes the guard require more speech. Collected
/// from user reports on Whisper (openai/whisper, discussions 679 and 928, and issues of programs that use the model).
enum KnownHallucinations {
    static let lines: [String] = [
        // English
        "Thank you for watching", "Thanks for watching", "Thank you so much for watching",
        "Please subscribe to my channel",
        "Like and subscribe", "Don't forget to like and subscribe", "See you in the next video",
        "I'll see you next time",
        "Subtitles by the Amara.org community", "Subtitles by Amara.org", "Transcription by CastingWords",
        "Transcribed by https://otter.ai", "Thank you very much for watching",
        // German
        "Untertitel der Amara.org-Community", "Untertitel von Stephanie Geiges",
        "Untertitelung aufgrund der Amara.org-Community",
        "Untertitel im Auftrag des ZDF", "Untertitelung im Auftrag des ZDF", "Vielen Dank fürs Zuschauen",
        "Vielen Dank fürs Zusehen", "Copyright WDR", "Bis zum nächsten Mal",
        // French
        "Sous-titres réalisés par la communauté d'Amara.org", "Sous-titres réalisés para la communauté d'Amara.org",
        "Sous-titrage Société Radio-Canada", "Sous-titrage ST' 501", "Merci d'avoir regardé cette vidéo",
        "N'oubliez pas de vous abonner",
        // Spanish
        "Subtítulos realizados por la comunidad de Amara.org", "Subtitulado por la comunidad de Amara.org",
        "Gracias por ver el video", "Suscríbete al canal", "No olvides suscribirte",
        // Portuguese
        "Legendas pela comunidade Amara.org", "Transcrição e Legendas por", "Obrigado por assistir",
        "Inscreva-se no canal",
        // Italian
        "Sottotitoli creati dalla comunità Amara.org", "Sottotitoli e revisione a cura di QTSS",
        "Grazie per aver guardato il video",
        // Dutch, Polish, Turkish
        "Ondertitels ingediend door de Amara.org gemeenschap", "Ondertiteling door de Amara.org gemeenschap",
        "Napisy stworzone przez społeczność Amara.org", "Dziękuję za oglądanie", "Altyazı M.K.",
        "Abone olmayı unutmayın", "İzlediğiniz için teşekkür ederim",
        // Russian
        "Субтитры сделал DimaTorzok", "Субтитры создавал DimaTorzok",
        "Редактор субтитров А.Синецкая Корректор А.Егорова",
        "Продолжение следует", "Спасибо за просмотр", "Подписывайтесь на канал",
        // Japanese, Chinese, Korean
        "ご視聴ありがとうございました", "チャンネル登録をお願いします", "次の動画でお会いしましょう", "字幕由Amara.org社区提供",
        "字幕由 Amara.org 社群提供", "请不吝点赞 订阅 转发 打赏支持明镜与点点栏目", "感谢观看", "谢谢观看", "시청해주셔서 감사합니다",
        "구독과 좋아요 부탁드립니다", "MBC 뉴스 이덕영입니다",
    ]

    /// The keys of each phrase, as texts are compared.
    static let keys: [[String]] = lines.map(GuardedText.keys)

    /// The ranges where a whole phrase occurs, longest match first, not overlapping.
    static func find(in keys: [String]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        while start < keys.count {
            let longest = Self.keys.lazy.filter { keys[start...].starts(with: $0) }.map(\.count).max() ?? 0
            if longest > 0 { runs.append(start..<start + longest) }
            start += max(1, longest)
        }
        return runs
    }
}
