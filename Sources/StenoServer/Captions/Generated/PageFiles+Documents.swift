// Generated from Captions/Page by Tools/ci/embed_captions.py.
// swift-format-ignore-file
#if Server
    extension PageFiles {
        static let documents: [String: String] = [
            "icon.svg": #"""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
                  <rect width="32" height="32" rx="8" fill="#0c1a1c"/>
                  <path d="M7 12h11M7 18h18M7 24h9" stroke="#7fe3d4" stroke-width="3" stroke-linecap="round"/>
                  <circle cx="24" cy="11" r="2.5" fill="#ffd166"/>
                </svg>

                """#,
            "icons.svg": #"""
                <svg xmlns="http://www.w3.org/2000/svg">
                  <symbol id="logo" viewBox="0 0 24 24">
                    <path d="M3 7h10M3 12h18M3 17h8"/>
                    <circle cx="18" cy="6.5" r="1.5"/>
                  </symbol>
                  <symbol id="help" viewBox="0 0 24 24">
                    <circle cx="12" cy="12" r="9"/>
                    <path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8v.1"/>
                  </symbol>
                  <symbol id="settings" viewBox="0 0 24 24">
                    <path d="M4 7h9M17 7h3M4 17h3M11 17h9M4 12h1M9 12h11"/>
                    <circle cx="15" cy="7" r="2"/>
                    <circle cx="7" cy="12" r="2"/>
                    <circle cx="9" cy="17" r="2"/>
                  </symbol>
                  <symbol id="close" viewBox="0 0 24 24">
                    <path d="M6 6l12 12M18 6L6 18"/>
                  </symbol>
                  <symbol id="microphone" viewBox="0 0 24 24">
                    <rect x="9" y="3" width="6" height="11" rx="3"/>
                    <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3"/>
                  </symbol>
                  <symbol id="stop" viewBox="0 0 24 24">
                    <rect x="6.5" y="6.5" width="11" height="11" rx="1.5"/>
                  </symbol>
                  <symbol id="pause" viewBox="0 0 24 24">
                    <path d="M9 6v12M15 6v12"/>
                  </symbol>
                  <symbol id="play" viewBox="0 0 24 24">
                    <path d="M8 5.5v13l10-6.500z"/>
                  </symbol>
                  <symbol id="copy" viewBox="0 0 24 24">
                    <rect x="9" y="9" width="11" height="11" rx="2"/>
                    <path d="M5 15V6a2 2 0 0 1 2-2h8"/>
                  </symbol>
                  <symbol id="save" viewBox="0 0 24 24">
                    <path d="M12 4v11M7.500 11l4.500 4.500 4.500-4.500M5 20h14"/>
                  </symbol>
                  <symbol id="clear" viewBox="0 0 24 24">
                    <path d="M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13"/>
                  </symbol>
                  <symbol id="full" viewBox="0 0 24 24">
                    <path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"/>
                  </symbol>
                  <symbol id="down" viewBox="0 0 24 24">
                    <path d="M12 5v13M6.500 12.500L12 18l5.500-5.500"/>
                  </symbol>
                  <symbol id="say" viewBox="0 0 24 24">
                    <path d="M4 10v4h3l5 4V6l-5 4zM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11"/>
                  </symbol>
                  <symbol id="turn" viewBox="0 0 24 24">
                    <path d="M5 12a7 7 0 0 1 12-5l2 2M19 12a7 7 0 0 1-12 5l-2-2M19 4.500V9h-4.500M5 19.500V15h4.500"/>
                  </symbol>
                  <symbol id="star" viewBox="0 0 24 24">
                    <path d="M12 4l2.400 5.100 5.600.700-4.100 3.900 1 5.500L12 16.500l-4.900 2.700 1-5.500L4 9.800l5.600-.700z"/>
                  </symbol>
                  <symbol id="record" viewBox="0 0 24 24">
                    <circle cx="12" cy="12" r="6.500"/>
                  </symbol>
                  <symbol id="file" viewBox="0 0 24 24">
                    <path d="M6 3.500h8l4 4v13H6zM14 3.500v4h4"/>
                  </symbol>
                  <symbol id="waves" viewBox="0 0 24 24">
                    <path d="M4 10v4M8 7v10M12 4v16M16 8v8M20 10.500v3"/>
                  </symbol>
                  <symbol id="bell" viewBox="0 0 24 24">
                    <path d="M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15zM10 20.500h4"/>
                  </symbol>
                  <symbol id="edit" viewBox="0 0 24 24">
                    <path d="M5 19l1-4L16 5l3 3L9 18z"/>
                  </symbol>
                  <symbol id="back" viewBox="0 0 24 24">
                    <path d="M19 12H5M11 6l-6 6 6 6"/>
                  </symbol>
                </svg>

                """#,
            "index.html": #"""
                <!doctype html>
                <html lang="en" dir="ltr" data-theme="auto">
                  <head>
                    <meta charset="utf-8">
                    <title>Steno</title>
                    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
                    <meta name="color-scheme" content="dark light">
                    <link rel="icon" href="captions/icon.svg" type="image/svg+xml">
                    <link rel="stylesheet" href="captions/css/theme.css">
                    <link rel="stylesheet" href="captions/css/layout.css">
                    <link rel="stylesheet" href="captions/css/views.css">
                    <script type="module" src="captions/js/main.js"></script>
                  </head>
                  <body>
                    <a class="skip" href="#transcript" data-t="skip"></a>
                    <header class="bar">
                      <h1 class="brand"><svg aria-hidden="true"><use href="captions/icons.svg#logo"></use></svg><span>Steno</span></h1>
                      <div class="tabs" role="tablist" data-t-label="views">
                        <button role="tab" id="tab-captions" aria-controls="view-captions" aria-selected="true" data-t="tab.captions">
                        </button>
                        <button role="tab" id="tab-write" aria-controls="view-write" aria-selected="false" tabindex="-1"
                          data-t="tab.write"></button>
                        <button role="tab" id="tab-face" aria-controls="view-face" aria-selected="false" tabindex="-1"
                          data-t="tab.face"></button>
                        <button role="tab" id="tab-record" aria-controls="view-record" aria-selected="false" tabindex="-1"
                          data-t="tab.record"></button>
                        <button role="tab" id="tab-history" aria-controls="view-history" aria-selected="false" tabindex="-1" hidden
                          data-t="tab.history"></button>
                      </div>
                      <div class="actions">
                        <button class="icon" id="help-open" data-t-label="help">
                          <svg aria-hidden="true"><use href="captions/icons.svg#help"></use></svg></button>
                        <button class="icon" id="settings-open" data-t-label="settings" aria-haspopup="dialog">
                          <svg aria-hidden="true"><use href="captions/icons.svg#settings"></use></svg></button>
                      </div>
                    </header>

                    <main>
                      <section class="view" role="tabpanel" id="view-captions" aria-labelledby="tab-captions">
                        <div class="status">
                          <span class="lamp" id="lamp" data-state="idle" aria-hidden="true"></span>
                          <span id="state" class="state"></span>
                          <span class="meter" id="meter" role="img" data-t-label="level"><span id="meter-fill"></span></span>
                          <span class="kept" id="kept"></span>
                          <span class="languages">
                            <span class="quick" role="group" data-t-label="language.quick">
                              <button id="quick-0" aria-pressed="false"></button>
                              <button id="quick-1" aria-pressed="false"></button>
                            </span>
                            <select id="language" data-t-label="language"></select>
                          </span>
                        </div>
                        <div class="banner noise" id="banner-noise" hidden>
                          <svg aria-hidden="true"><use href="captions/icons.svg#waves"></use></svg><span data-t="banner.noise"></span>
                        </div>
                        <div class="banner name" id="banner-name" hidden>
                          <svg aria-hidden="true"><use href="captions/icons.svg#bell"></use></svg><span id="banner-name-text"></span>
                        </div>
                        <div class="banner trouble" id="banner-trouble" role="alert" hidden>
                          <span id="banner-trouble-text"></span>
                          <button class="icon small" id="banner-trouble-close" data-t-label="close">
                            <svg aria-hidden="true"><use href="captions/icons.svg#close"></use></svg></button>
                        </div>
                        <div class="paper">
                          <div class="transcript" id="transcript" tabindex="0" role="region" data-t-label="transcript">
                            <div class="welcome" id="welcome">
                              <p class="welcome-title" data-t="welcome.title"></p>
                              <p data-t="welcome.text"></p>
                              <p class="fine" data-t="welcome.private"></p>
                              <p class="fine" data-t="welcome.caution"></p>
                            </div>
                            <button id="earlier" class="plain" hidden data-t="earlier"></button>
                            <div id="lines"></div>
                          </div>
                          <button id="to-live" class="to-live" hidden>
                            <svg aria-hidden="true"><use href="captions/icons.svg#down"></use></svg><span data-t="live"></span></button>
                        </div>
                        <div class="controls">
                          <button id="start" class="main">
                            <svg aria-hidden="true"><use id="start-icon" href="captions/icons.svg#microphone"></use></svg>
                            <span id="start-text"></span></button>
                          <button id="pause" disabled>
                            <svg aria-hidden="true"><use id="pause-icon" href="captions/icons.svg#pause"></use></svg>
                            <span id="pause-text"></span></button>
                          <span class="group" role="group" data-t-label="size">
                            <button id="smaller" class="icon" data-t-label="size.smaller"><span aria-hidden="true" class="a">A−</span>
                            </button>
                            <button id="larger" class="icon" data-t-label="size.larger"><span aria-hidden="true" class="a big">A+</span>
                            </button>
                          </span>
                          <span class="group" role="group" data-t-label="text">
                            <button id="copy" class="icon" data-t-label="copy">
                              <svg aria-hidden="true"><use href="captions/icons.svg#copy"></use></svg></button>
                            <button id="save" class="icon" data-t-label="save" aria-haspopup="dialog">
                              <svg aria-hidden="true"><use href="captions/icons.svg#save"></use></svg></button>
                            <button id="clear" class="icon" data-t-label="clear">
                              <svg aria-hidden="true"><use href="captions/icons.svg#clear"></use></svg></button>
                            <button id="full" class="icon" data-t-label="full">
                              <svg aria-hidden="true"><use href="captions/icons.svg#full"></use></svg></button>
                          </span>
                        </div>
                      </section>

                      <section class="view" role="tabpanel" id="view-write" aria-labelledby="tab-write" hidden>
                        <div class="write">
                          <div class="show" id="show"><p id="show-text" class="show-text" dir="auto"></p></div>
                          <label class="field"><span data-t="write.label"></span>
                            <textarea id="write-text" rows="2" dir="auto" data-t-placeholder="write.placeholder"></textarea></label>
                          <div class="controls">
                            <button id="write-full" class="main">
                              <svg aria-hidden="true"><use href="captions/icons.svg#full"></use></svg><span data-t="write.full"></span>
                            </button>
                            <button id="write-say">
                              <svg aria-hidden="true"><use href="captions/icons.svg#say"></use></svg><span data-t="write.say"></span>
                            </button>
                            <button id="write-turn" aria-pressed="false">
                              <svg aria-hidden="true"><use href="captions/icons.svg#turn"></use></svg><span data-t="write.turn"></span>
                            </button>
                            <button id="write-keep">
                              <svg aria-hidden="true"><use href="captions/icons.svg#star"></use></svg><span data-t="write.keep"></span>
                            </button>
                            <button id="write-clear">
                              <svg aria-hidden="true"><use href="captions/icons.svg#clear"></use></svg><span data-t="clear"></span>
                            </button>
                          </div>
                          <h2 data-t="phrases"></h2>
                          <ul class="phrases" id="phrases"></ul>
                        </div>
                      </section>

                      <section class="view" role="tabpanel" id="view-face" aria-labelledby="tab-face" hidden>
                        <div class="face">
                          <div class="half turned" id="face-other" data-t-label="face.other" role="region">
                            <p class="show-text" id="face-other-text" dir="auto"></p></div>
                          <div class="half" id="face-mine" tabindex="0" role="region" data-t-label="transcript">
                            <div id="face-lines"></div></div>
                        </div>
                        <div class="controls">
                          <span class="state" id="face-state"></span>
                          <button id="face-start" class="main">
                            <svg aria-hidden="true"><use id="face-start-icon" href="captions/icons.svg#microphone"></use></svg>
                            <span id="face-start-text"></span></button>
                          <label class="field inline"><span class="visually-hidden" data-t="write.label"></span>
                            <input id="face-write" type="text" dir="auto" autocomplete="off"
                              data-t-placeholder="face.placeholder"></label>
                          <button id="face-say" class="icon" data-t-label="write.say">
                            <svg aria-hidden="true"><use href="captions/icons.svg#say"></use></svg></button>
                          <button id="face-full" class="icon" data-t-label="full">
                            <svg aria-hidden="true"><use href="captions/icons.svg#full"></use></svg></button>
                        </div>
                      </section>

                      <section class="view" role="tabpanel" id="view-record" aria-labelledby="tab-record" hidden>
                        <div class="record">
                          <p class="lead" data-t="record.lead"></p>
                          <div class="controls">
                            <button id="record-start" class="main">
                              <svg aria-hidden="true"><use id="record-icon" href="captions/icons.svg#record"></use></svg>
                              <span id="record-text"></span></button>
                            <label class="button" for="record-file">
                              <svg aria-hidden="true"><use href="captions/icons.svg#file"></use></svg><span data-t="record.file"></span>
                            </label>
                            <input id="record-file" class="visually-hidden" type="file" accept="audio/*,video/*">
                            <button id="record-again" hidden data-t="record.again"></button>
                            <button id="record-keep" hidden data-t="record.keep"></button>
                            <span class="state" id="record-time" role="timer" hidden></span>
                            <span class="meter" id="record-meter" role="img" data-t-label="level" hidden><span
                              id="record-meter-fill"></span></span>
                            <span class="state" id="record-state" role="status"></span>
                          </div>
                          <div id="record-player"></div>
                        </div>
                      </section>

                      <section class="view" role="tabpanel" id="view-history" aria-labelledby="tab-history" hidden>
                        <div class="history">
                          <div class="list">
                            <label class="field"><span data-t="history.search"></span>
                              <input type="search" id="history-search" dir="auto" autocomplete="off"></label>
                            <p id="history-empty" class="fine" hidden></p>
                            <ul id="history-list"></ul>
                          </div>
                          <article id="history-session" class="session" tabindex="-1"></article>
                        </div>
                      </section>
                    </main>

                    <dialog id="settings" class="side" aria-labelledby="settings-title">
                      <form method="dialog">
                        <header><h2 id="settings-title" data-t="settings"></h2>
                          <button class="icon" data-t-label="close" value="close">
                            <svg aria-hidden="true"><use href="captions/icons.svg#close"></use></svg></button></header>
                        <p class="preview" id="preview"><span data-t="settings.preview"></span> <span class="volatile"
                          data-t="settings.preview.volatile"></span></p>
                        <fieldset><legend data-t="settings.look"></legend>
                          <div class="choices" role="radiogroup" data-t-label="theme" id="theme"></div>
                          <label class="field"><span data-t="size"></span><input type="range" id="set-size" min="16" max="160"></label>
                          <label class="field"><span data-t="face"></span><select id="set-face"></select></label>
                          <label class="field"><span data-t="spacing.line"></span>
                            <input type="range" id="set-line" min="1.1" max="2.2" step="0.1"></label>
                          <label class="field"><span data-t="spacing.letters"></span>
                            <input type="range" id="set-letters" min="0" max="0.2" step="0.02"></label>
                          <label class="field"><span data-t="spacing.words"></span>
                            <input type="range" id="set-words" min="0" max="0.6" step="0.05"></label>
                        </fieldset>
                        <fieldset><legend data-t="settings.audio"></legend>
                          <label class="field"><span data-t="microphone"></span><select id="set-device"></select></label>
                          <label class="field"><span data-t="language.first"></span><select id="set-quick-0"></select></label>
                          <label class="field"><span data-t="language.second"></span><select id="set-quick-1"></select></label>
                        </fieldset>
                        <fieldset><legend data-t="settings.attention"></legend>
                          <label class="field"><span data-t="names"></span>
                            <input type="text" id="set-names" maxlength="1000" autocomplete="off" data-t-placeholder="names.placeholder"></label>
                          <label class="check"><input type="checkbox" id="set-vibrate"><span data-t="settings.vibrate"></span></label>
                          <label class="check"><input type="checkbox" id="set-alertSpeech"><span data-t="settings.pause"></span></label>
                          <label class="check"><input type="checkbox" id="set-noise"><span data-t="settings.noise"></span></label>
                        </fieldset>
                        <fieldset><legend data-t="settings.page"></legend>
                          <label class="field"><span data-t="interface"></span><select id="set-interface"></select></label>
                          <label class="check" id="set-save-row" hidden><input type="checkbox" id="set-save"><span
                            data-t="settings.save"></span></label>
                          <label class="check" id="set-speakers-row" hidden><input type="checkbox" id="set-speakers"><span
                            data-t="settings.speakers"></span></label>
                          <label class="check"><input type="checkbox" id="set-announce"><span data-t="settings.announce"></span></label>
                          <label class="check"><input type="checkbox" id="set-shortcuts"><span data-t="settings.shortcuts"></span>
                          </label>
                        </fieldset>
                        <fieldset><legend data-t="screen"></legend>
                          <p class="fine" data-t="screen.text"></p>
                          <label class="check"><input type="checkbox" id="set-screen"><span data-t="screen.on"></span></label>
                          <label class="field" id="screen-row" hidden><span data-t="screen.address"></span>
                            <input type="text" readonly id="screen-address"></label>
                          <button type="button" id="screen-copy" hidden data-t="copy"></button>
                        </fieldset>
                        <p class="fine" id="about"></p>
                      </form>
                    </dialog>

                    <dialog id="help" aria-labelledby="help-title">
                      <form method="dialog">
                        <header><h2 id="help-title" data-t="help"></h2>
                          <button class="icon" data-t-label="close" value="close">
                            <svg aria-hidden="true"><use href="captions/icons.svg#close"></use></svg></button></header>
                        <p data-t="help.text"></p>
                        <p data-t="help.volatile"></p>
                        <h3 data-t="shortcuts"></h3>
                        <dl class="keys" id="keys"></dl>
                        <p class="fine" data-t="welcome.private"></p>
                        <p class="fine" data-t="welcome.caution"></p>
                      </form>
                    </dialog>

                    <dialog id="export" aria-labelledby="export-title">
                      <form method="dialog">
                        <header><h2 id="export-title" data-t="save"></h2>
                          <button class="icon" data-t-label="close" value="close">
                            <svg aria-hidden="true"><use href="captions/icons.svg#close"></use></svg></button></header>
                        <div class="choices stacked">
                          <button value="txt" data-t="export.txt"></button>
                          <button value="srt" data-t="export.srt"></button>
                          <button value="vtt" data-t="export.vtt"></button>
                          <button value="json" data-t="export.json"></button>
                        </div>
                      </form>
                    </dialog>

                    <dialog id="ask" aria-labelledby="ask-text">
                      <form method="dialog">
                        <p id="ask-text"></p>
                        <div class="controls"><button value="no" data-t="cancel"></button>
                          <button value="yes" class="main" id="ask-yes"></button></div>
                      </form>
                    </dialog>

                    <dialog id="key" aria-labelledby="key-title">
                      <form method="dialog">
                        <h2 id="key-title" data-t="key.title"></h2>
                        <p data-t="key.text"></p>
                        <label class="field"><span data-t="key.label"></span>
                          <input type="password" id="key-value" autocomplete="off" required></label>
                        <div class="controls"><button class="main" value="ok" data-t="key.ok"></button></div>
                      </form>
                    </dialog>

                    <div id="glow" class="glow" hidden></div>
                    <div id="messages">
                      <div class="visually-hidden" role="log" aria-live="polite" id="log" data-t-label="transcript"></div>
                      <div class="visually-hidden" role="status" aria-atomic="false" id="announce"></div>
                      <div class="toast" role="status" id="toast"></div>
                    </div>
                  </body>
                </html>

                """#,
            "overlay.html": #"""
                <!doctype html>
                <html lang="en" data-theme="none">
                  <head>
                    <meta charset="utf-8">
                    <title>Steno</title>
                    <meta name="viewport" content="width=device-width, initial-scale=1">
                    <link rel="stylesheet" href="captions/css/overlay.css">
                    <script type="module" src="captions/js/overlay.js"></script>
                  </head>
                  <body>
                    <main id="overlay" class="overlay"><p id="lines"></p></main>
                    <p id="state" class="state" role="status"></p>
                  </body>
                </html>

                """#,
        ]
    }
#endif
