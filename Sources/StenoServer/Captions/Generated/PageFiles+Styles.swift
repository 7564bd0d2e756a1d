// Generated from Captions/Page by Tools/ci/embed_captions.py.
// swift-format-ignore-file
#if Server
    extension PageFiles {
        static let styles: [String: String] = [
            "css/layout.css": #"""
                /* The frame of the page: bar, views, controls, dialogs. Logical properties throughout: it turns round for scripts from
                   right to left. */

                *,
                *::before,
                *::after {
                  box-sizing: border-box;
                }

                [hidden] {
                  display: none !important;
                }

                html {
                  block-size: 100%;
                  background: var(--ground);
                  color: var(--text);
                  font: 1rem/1.45 var(--ui);
                  -webkit-text-size-adjust: 100%;
                }

                body {
                  display: flex;
                  flex-direction: column;
                  min-block-size: 100dvh;
                  margin: 0;
                }

                main {
                  display: flex;
                  flex: 1;
                  flex-direction: column;
                  min-block-size: 0;
                }

                h1,
                h2,
                h3,
                p,
                ul {
                  margin: 0;
                }

                h2 {
                  font-size: 1.15rem;
                }

                h3 {
                  font-size: 1rem;
                }

                svg {
                  inline-size: 1.5rem;
                  block-size: 1.5rem;
                  flex: none;
                  fill: none;
                  stroke: currentcolor;
                  stroke-width: 1.8;
                  stroke-linecap: round;
                  stroke-linejoin: round;
                }

                .skip {
                  position: absolute;
                  inset-inline-start: 0.5rem;
                  inset-block-start: -4rem;
                  z-index: 9;
                  padding: 0.75rem 1rem;
                  border-radius: 0.5rem;
                  background: var(--accent);
                  color: var(--on-accent);
                }

                .skip:focus {
                  inset-block-start: 0.5rem;
                }

                .visually-hidden {
                  position: absolute;
                  inline-size: 1px;
                  block-size: 1px;
                  overflow: hidden;
                  clip-path: inset(50%);
                  white-space: nowrap;
                }

                :focus-visible {
                  outline: 3px solid var(--accent);
                  outline-offset: 2px;
                }

                /* Bar and tabs */

                .bar {
                  display: flex;
                  flex-wrap: wrap;
                  align-items: center;
                  gap: 0.5rem 1.25rem;
                  padding: 0.6rem max(1rem, env(safe-area-inset-left));
                }

                .brand {
                  display: flex;
                  align-items: center;
                  gap: 0.5rem;
                  font-size: 1.15rem;
                  font-weight: 650;
                  letter-spacing: 0.01em;
                }

                .brand svg {
                  color: var(--accent);
                }

                .tabs {
                  display: flex;
                  flex: 1;
                  flex-wrap: wrap;
                  gap: 0.25rem;
                }

                .tabs button {
                  padding-inline: 0.9rem;
                  border-color: transparent;
                  background: transparent;
                  color: var(--hint);
                }

                .tabs button[aria-selected="true"] {
                  border-color: var(--accent);
                  background: var(--raised);
                  color: var(--text);
                  font-weight: 600;
                }

                .actions {
                  display: flex;
                  gap: 0.25rem;
                }

                /* Buttons and fields */

                button,
                .button,
                select,
                input,
                textarea {
                  min-block-size: 2.75rem;
                  border: 1px solid var(--edge);
                  border-radius: 0.7rem;
                  background: var(--raised);
                  color: var(--text);
                  font: inherit;
                }

                button,
                .button {
                  display: inline-flex;
                  align-items: center;
                  justify-content: center;
                  gap: 0.5rem;
                  padding: 0.4rem 1rem;
                  cursor: pointer;
                }

                button:hover:not(:disabled),
                .button:hover {
                  border-color: var(--accent);
                }

                button:disabled {
                  border-style: dashed;
                  color: var(--hint);
                  cursor: default;
                }

                button[aria-pressed="true"] {
                  border-color: var(--accent);
                  box-shadow: inset 0 0 0 2px var(--accent);
                  font-weight: 600;
                }

                button.main {
                  border-color: var(--accent);
                  background: var(--accent);
                  color: var(--on-accent);
                  font-weight: 650;
                }

                button.icon {
                  min-inline-size: 2.75rem;
                  padding: 0.4rem;
                }

                button.small {
                  min-block-size: 2rem;
                  min-inline-size: 2rem;
                  padding: 0.1rem;
                }

                button.plain {
                  border-color: transparent;
                  background: transparent;
                  color: var(--hint);
                  text-decoration: underline;
                }

                .button:focus-within,
                label:has(+ input[type="file"]:focus-visible) {
                  outline: 3px solid var(--accent);
                }

                select,
                input[type="text"],
                input[type="search"],
                input[type="password"],
                textarea {
                  inline-size: 100%;
                  padding: 0.45rem 0.75rem;
                }

                select {
                  text-overflow: ellipsis;
                }

                ::placeholder {
                  color: var(--hint);
                  opacity: 1;
                }

                input[type="range"] {
                  inline-size: 100%;
                  padding: 0;
                  border: 0;
                  background: transparent;
                  accent-color: var(--accent);
                }

                .field {
                  display: grid;
                  gap: 0.3rem;
                }

                .field.inline {
                  flex: 1 1 12rem;
                }

                .check {
                  display: flex;
                  align-items: center;
                  gap: 0.7rem;
                  min-block-size: 2.5rem;
                }

                .check input {
                  inline-size: 1.35rem;
                  block-size: 1.35rem;
                  min-block-size: 0;
                  flex: none;
                  accent-color: var(--accent);
                }

                .controls {
                  display: flex;
                  flex-wrap: wrap;
                  align-items: center;
                  justify-content: center;
                  gap: 0.6rem;
                }

                .group {
                  display: inline-flex;
                  flex-wrap: wrap;
                  gap: 0.35rem;
                }

                .a {
                  font-weight: 600;
                }

                .a.big {
                  font-size: 1.25em;
                }

                .fine {
                  color: var(--hint);
                  font-size: 0.95rem;
                }

                .lead {
                  max-inline-size: 44rem;
                  margin-inline: auto;
                  color: var(--hint);
                  text-align: center;
                }

                /* Views */

                .view {
                  display: flex;
                  flex: 1;
                  flex-direction: column;
                  gap: 0.6rem;
                  min-block-size: 0;
                  padding: 0 max(1rem, env(safe-area-inset-left)) max(0.9rem, env(safe-area-inset-bottom));
                }

                .view > .controls {
                  padding-block-start: 0.1rem;
                }

                /* Dialogs */

                dialog {
                  inline-size: min(34rem, calc(100vw - 1.5rem));
                  max-block-size: calc(100dvh - 1.5rem);
                  padding: 1.1rem 1.25rem 1.25rem;
                  border: 1px solid var(--edge);
                  border-radius: 1rem;
                  background: var(--paper);
                  color: var(--text);
                  box-shadow: var(--shadow);
                  overflow: auto;
                }

                dialog::backdrop {
                  background: #0008;
                }

                /* The settings stand beside the text that they change. */
                dialog.side {
                  inline-size: min(26rem, calc(100vw - 1rem));
                  block-size: calc(100dvh - 1rem);
                  max-block-size: none;
                  margin: 0.5rem;
                  margin-inline-start: auto;
                }

                dialog.side::backdrop {
                  background: transparent;
                }

                dialog form {
                  display: grid;
                  gap: 0.9rem;
                }

                dialog header {
                  display: flex;
                  align-items: center;
                  justify-content: space-between;
                }

                fieldset {
                  display: grid;
                  gap: 0.75rem;
                  margin: 0;
                  padding: 0.9rem 0 0;
                  border: 0;
                  border-block-start: 1px solid var(--edge);
                }

                legend {
                  float: inline-start;
                  padding: 0;
                  font-weight: 650;
                }

                .choices {
                  display: grid;
                  grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
                  gap: 0.5rem;
                }

                .choices.stacked {
                  grid-template-columns: 1fr;
                }

                .preview {
                  padding: 0.8rem 1rem;
                  border: 1px solid var(--edge);
                  border-radius: 0.8rem;
                  background: var(--ground);
                  font: min(var(--size), 3.5rem) / var(--line) var(--face);
                  letter-spacing: var(--letters);
                  word-spacing: var(--words);
                  overflow-wrap: anywhere;
                }

                .keys {
                  display: grid;
                  grid-template-columns: auto 1fr;
                  gap: 0.4rem 1rem;
                  margin: 0;
                }

                .keys dd {
                  margin: 0;
                }

                kbd {
                  display: inline-block;
                  min-inline-size: 1.9rem;
                  padding: 0.05rem 0.45rem;
                  border: 1px solid var(--edge);
                  border-radius: 0.4rem;
                  background: var(--raised);
                  font: 600 0.95rem var(--ui);
                  text-align: center;
                }

                .toast {
                  position: fixed;
                  inset-block-end: 5.5rem;
                  inset-inline: 1rem;
                  z-index: 5;
                  inline-size: fit-content;
                  max-inline-size: 40rem;
                  margin-inline: auto;
                  padding: 0.7rem 1.1rem;
                  border: 1px solid var(--accent);
                  border-radius: 0.8rem;
                  background: var(--raised);
                  box-shadow: var(--shadow);
                }

                /* Not hidden: screen readers announce what changes in elements that are there already. */
                .toast:empty {
                  padding: 0;
                  border: 0;
                  box-shadow: none;
                }

                /* In full screen there is the text, and how to leave it. */
                :is(:fullscreen, .fills) :is(.bar, .status .languages) {
                  display: none;
                }

                @media (max-width: 40rem) {
                  .bar {
                    gap: 0.35rem 0.5rem;
                    padding-block: 0.4rem;
                  }

                  .tabs {
                    order: 3;
                    flex-basis: 100%;
                  }

                  .tabs button {
                    padding-inline: 0.55rem;
                    font-size: 0.95rem;
                  }

                  .brand {
                    flex: 1;
                  }

                  .view {
                    padding-inline: max(0.6rem, env(safe-area-inset-left));
                  }
                }

                @media (forced-colors: active) {
                  .lamp,
                  .meter > span {
                    forced-color-adjust: none;
                  }

                  button.main,
                  button[aria-pressed="true"],
                  .tabs button[aria-selected="true"] {
                    border: 3px solid Highlight;
                  }
                }

                """#,
            "css/overlay.css": #"""
                /* Captions over a picture: transparent, for OBS and second screens. */

                :root {
                  --size: 48px;
                  --face: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
                  --color: #fff;
                  --ground: rgb(0 0 0 / 0.8);
                  --volatile: #b5e0ff;
                  --lines: 3;
                  --line: 1.3;
                }

                html,
                body {
                  block-size: 100%;
                  margin: 0;
                  background: transparent;
                  overflow: hidden;
                }

                .overlay {
                  position: fixed;
                  inset: 0;
                  display: flex;
                  flex-direction: column;
                  justify-content: flex-end;
                  padding: 2.5vmin 4vmin;
                }

                [data-place="top"] .overlay {
                  justify-content: flex-start;
                }

                [data-place="middle"] .overlay {
                  justify-content: center;
                }

                #lines {
                  display: flex;
                  flex-direction: column;
                  justify-content: flex-end;
                  max-block-size: calc(var(--lines) * var(--line) * 1em);
                  margin: 0;
                  font: 600 var(--size) / var(--line) var(--face);
                  color: var(--color);
                  overflow: hidden;
                  overflow-wrap: anywhere;
                  text-align: start;
                }

                [data-align="center"] #lines {
                  text-align: center;
                }

                [data-align="end"] #lines {
                  text-align: end;
                }

                #lines > span {
                  display: block;
                }

                #lines > span > span {
                  padding: 0.04em 0.25em;
                  background: var(--ground);
                  -webkit-box-decoration-break: clone;
                  box-decoration-break: clone;
                }

                .volatile {
                  color: var(--volatile);
                }

                .state {
                  position: fixed;
                  inset-block-start: 0.5rem;
                  inset-inline-end: 0.5rem;
                  margin: 0;
                  padding: 0.3rem 0.8rem;
                  border-radius: 0.5rem;
                  background: #000;
                  color: #fff;
                  font: 600 1rem/1.4 var(--face);
                }

                .state:empty {
                  display: none;
                }

                """#,
            "css/theme.css": #"""
                /* Colours, by theme. All text has a contrast of at least 7:1 (WCAG 2.2, 1.4.6), volatile text and hints, too. */

                :root {
                  --face: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
                  --ui: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
                  --size: 40px;
                  --line: 1.4;
                  --letters: 0em;
                  --words: 0em;
                }

                :root,
                [data-theme="dark"] {
                  color-scheme: dark;
                  --ground: #0d1114;
                  --paper: #12181c;
                  --raised: #1c252b;
                  --edge: #6b7c86;
                  --text: #f4f1ea;
                  --hint: #b8c4ca;
                  --volatile: #9fd8ff;
                  --accent: #7fe3d4;
                  --on-accent: #04211d;
                  --alert: #ffd166;
                  --on-alert: #241a00;
                  --trouble: #ffb4a8;
                  --shadow: 0 1px 2px #0006, 0 8px 24px #0004;
                }

                [data-theme="light"] {
                  color-scheme: light;
                  --ground: #f1efe9;
                  --paper: #fffdf8;
                  --raised: #ffffff;
                  --edge: #7d7869;
                  --text: #16181a;
                  --hint: #43484c;
                  --volatile: #0b4a8f;
                  --accent: #0a5a50;
                  --on-accent: #ffffff;
                  --alert: #7a3d00;
                  --on-alert: #ffffff;
                  --trouble: #8c1515;
                  --shadow: 0 1px 2px #0001, 0 6px 18px #0001;
                }

                [data-theme="yellow"] {
                  color-scheme: dark;
                  --ground: #000;
                  --paper: #000;
                  --raised: #000;
                  --edge: #ffe600;
                  --text: #ffe600;
                  --hint: #ffe600;
                  --volatile: #fff7a8;
                  --accent: #ffe600;
                  --on-accent: #000;
                  --alert: #fff;
                  --on-alert: #000;
                  --trouble: #fff;
                  --shadow: none;
                }

                @media (prefers-color-scheme: light) {
                  [data-theme="auto"] {
                    color-scheme: light;
                    --ground: #f1efe9;
                    --paper: #fffdf8;
                    --raised: #ffffff;
                    --edge: #7d7869;
                    --text: #16181a;
                    --hint: #43484c;
                    --volatile: #0b4a8f;
                    --accent: #0a5a50;
                    --on-accent: #ffffff;
                    --alert: #7a3d00;
                    --on-alert: #ffffff;
                    --trouble: #8c1515;
                    --shadow: 0 1px 2px #0001, 0 6px 18px #0001;
                  }
                }

                @media (prefers-contrast: more) {
                  :root {
                    --hint: var(--text);
                    --edge: var(--text);
                  }
                }

                [data-face="serif"] {
                  --face: Georgia, "Iowan Old Style", "Noto Serif", "Times New Roman", serif;
                }

                [data-face="mono"] {
                  --face: ui-monospace, "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
                }

                [data-face="legible"] {
                  --face: "Atkinson Hyperlegible Next", "Atkinson Hyperlegible", Verdana, "DejaVu Sans", sans-serif;
                }

                [data-face="dyslexic"] {
                  --face: OpenDyslexic, "Comic Sans MS", "Comic Neue", Verdana, "DejaVu Sans", sans-serif;
                }

                """#,
            "css/views.css": #"""
                /* What is within the views. */

                /* Captions: the state */

                .status {
                  display: flex;
                  flex-wrap: wrap;
                  align-items: center;
                  gap: 0.4rem 0.8rem;
                  min-block-size: 2.75rem;
                }

                .lamp {
                  inline-size: 0.85rem;
                  block-size: 0.85rem;
                  flex: none;
                  border: 2px solid var(--hint);
                  border-radius: 50%;
                }

                .lamp[data-state="listening"] {
                  border-color: var(--accent);
                  background: var(--accent);
                }

                .lamp[data-state="paused"] {
                  border-radius: 0.15rem;
                  border-color: var(--alert);
                }

                .lamp[data-state="trouble"] {
                  border-radius: 0.15rem;
                  border-color: var(--alert);
                  background: var(--alert);
                }

                .state {
                  font-weight: 600;
                }

                .kept {
                  color: var(--hint);
                  font-size: 0.95rem;
                }

                .meter {
                  inline-size: 6rem;
                  block-size: 0.7rem;
                  border: 1px solid var(--edge);
                  border-radius: 1rem;
                  overflow: hidden;
                }

                .meter > span {
                  display: block;
                  block-size: 100%;
                  background: var(--accent);
                  transform: scaleX(0);
                  transform-origin: 0 50%;
                }

                [dir="rtl"] .meter > span {
                  transform-origin: 100% 50%;
                }

                .languages {
                  display: flex;
                  flex-wrap: wrap;
                  gap: 0.4rem;
                  margin-inline-start: auto;
                }

                .languages .quick {
                  display: inline-flex;
                  gap: 0.4rem;
                }

                .languages select {
                  inline-size: auto;
                  max-inline-size: 11rem;
                }

                /* Banners: a channel of their own, never within the text */

                .banner {
                  display: flex;
                  align-items: center;
                  gap: 0.7rem;
                  padding: 0.55rem 1rem;
                  border: 2px solid var(--edge);
                  border-radius: 0.8rem;
                  background: var(--raised);
                  font-weight: 600;
                }

                .banner.noise {
                  border-color: var(--volatile);
                }

                .banner.name {
                  border-color: var(--alert);
                  background: var(--alert);
                  color: var(--on-alert);
                }

                .banner.trouble {
                  justify-content: space-between;
                  border-color: var(--trouble);
                  color: var(--trouble);
                }

                /* Two flashes, well below three a second (WCAG 2.3.1). */
                .glow {
                  position: fixed;
                  inset: 0;
                  z-index: 8;
                  border: 0.9rem solid var(--alert);
                  pointer-events: none;
                }

                @media (prefers-reduced-motion: no-preference) {
                  .glow {
                    animation: glow 0.8s ease-in-out 2;
                  }

                  @keyframes glow {
                    50% {
                      opacity: 0;
                    }
                  }
                }

                /* Captions: the text */

                .paper {
                  position: relative;
                  display: flex;
                  flex: 1 1 16rem;
                  min-block-size: min(16rem, 60dvh);
                }

                .transcript,
                #face-mine {
                  flex: 1;
                  padding: clamp(0.8rem, 2.5vw, 2rem);
                  border: 1px solid transparent;
                  border-radius: 1rem;
                  background: var(--paper);
                  box-shadow: var(--shadow);
                  font: var(--size) / var(--line) var(--face);
                  letter-spacing: var(--letters);
                  word-spacing: var(--words);
                  overflow: auto;
                  overflow-anchor: none;
                  overflow-wrap: anywhere;
                  overscroll-behavior: contain;
                }

                /* The two halves have a size of their own, so that their text moves within them, on every screen. */
                body:has(#view-face:not([hidden])) {
                  block-size: 100dvh;
                }

                @media (min-width: 40.01rem) {
                  body:has(#view-captions:not([hidden])) {
                    block-size: 100dvh;
                  }

                  .paper {
                    flex-basis: 0;
                  }

                  .transcript {
                    position: absolute;
                    inset: 0;
                  }
                }

                @media (max-width: 40rem) {
                  .languages {
                    flex: 1 1 100%;
                  }

                  .languages select {
                    flex: 1 1 6rem;
                    min-inline-size: 0;
                    max-inline-size: none;
                  }

                  .transcript {
                    max-block-size: max(60dvh, 16rem);
                  }
                }

                @media (max-height: 34rem) {
                  body:has(#view-captions:not([hidden])) {
                    block-size: auto;
                  }

                  .paper {
                    flex: 0 0 auto;
                    block-size: max(16rem, 70dvh);
                  }
                }

                /* In full screen the text has all of it, however small the screen is. */
                :is(:fullscreen, .fills) body:has(#view-captions:not([hidden])) {
                  block-size: 100dvh;
                }

                :is(:fullscreen, .fills) .paper {
                  flex: 1 1 0;
                  block-size: auto;
                }

                :is(:fullscreen, .fills) .transcript {
                  position: absolute;
                  inset: 0;
                  max-block-size: none;
                }

                #lines > p,
                #face-lines > p {
                  margin-block-end: 0.55em;
                  contain: layout style;
                }

                .volatile {
                  color: var(--volatile);
                  text-decoration: underline dotted 0.06em;
                  text-underline-offset: 0.2em;
                  text-decoration-skip-ink: none;
                }

                /* A word, never a colour alone, says who speaks. */
                .speaker {
                  margin-inline-end: 0.3em;
                  padding: 0.1em 0.45em;
                  border: 1px solid var(--edge);
                  border-radius: 0.4em;
                  font-size: 0.7em;
                  vertical-align: 0.1em;
                }

                .gap {
                  color: var(--hint);
                  font: 1rem/1.5 var(--ui);
                }

                .welcome {
                  display: grid;
                  gap: 0.6rem;
                  max-inline-size: 44rem;
                  font: 1.1rem/1.55 var(--ui);
                  letter-spacing: normal;
                  word-spacing: normal;
                }

                .welcome-title {
                  font-size: clamp(1.6rem, 5vw, 2.6rem);
                  font-weight: 650;
                  line-height: 1.2;
                }

                #earlier {
                  margin-block-end: 1rem;
                }

                .to-live {
                  position: absolute;
                  inset-block-end: 1rem;
                  inset-inline: 0;
                  inline-size: fit-content;
                  margin-inline: auto;
                  border-color: var(--accent);
                  background: var(--accent);
                  color: var(--on-accent);
                  font-weight: 650;
                  box-shadow: var(--shadow);
                }

                /* Write */

                .write {
                  display: flex;
                  flex: 1;
                  flex-direction: column;
                  gap: 0.8rem;
                  inline-size: 100%;
                  max-inline-size: 60rem;
                  margin-inline: auto;
                }

                .show {
                  display: grid;
                  place-items: safe center;
                  block-size: clamp(9rem, 42dvh, 32rem);
                  padding: 1rem;
                  border-radius: 1rem;
                  background: var(--paper);
                  color: var(--text);
                  box-shadow: var(--shadow);
                  /* A text that is too long even in the smallest letters. */
                  overflow: hidden auto;
                }

                .show:is(:fullscreen, .fills) {
                  block-size: 100dvh;
                  border-radius: 0;
                }

                .show.fills {
                  position: fixed;
                  inset: 0;
                  z-index: 7;
                }

                .show-text {
                  max-inline-size: 100%;
                  font-family: var(--face);
                  font-weight: 650;
                  line-height: 1.15;
                  text-align: center;
                  overflow-wrap: break-word;
                  white-space: pre-wrap;
                }

                .show.turned,
                .half.turned {
                  rotate: 180deg;
                }

                .write textarea {
                  font-size: 1.2rem;
                  resize: vertical;
                }

                .phrases {
                  display: flex;
                  flex-wrap: wrap;
                  gap: 0.5rem;
                  padding: 0;
                  list-style: none;
                }

                .phrases li {
                  display: inline-flex;
                  max-inline-size: 100%;
                }

                .phrases li button:first-child {
                  border-start-end-radius: 0;
                  border-end-end-radius: 0;
                  text-align: start;
                }

                .phrases li button:last-child {
                  border-inline-start: 0;
                  border-start-start-radius: 0;
                  border-end-start-radius: 0;
                }

                /* Face to face */

                .face {
                  display: grid;
                  flex: 1;
                  grid-template-rows: minmax(0, 1fr) minmax(0, 1fr);
                  gap: 0.6rem;
                  min-block-size: clamp(14rem, 55dvh, 20rem);
                }

                .half {
                  min-block-size: 0;
                  border-radius: 1rem;
                }

                #face-other {
                  display: grid;
                  place-items: safe center;
                  padding: 1rem;
                  border: 2px solid var(--accent);
                  background: var(--raised);
                  overflow: hidden auto;
                }

                /* Record and history */

                .record,
                .history {
                  display: flex;
                  flex: 1;
                  flex-direction: column;
                  gap: 1rem;
                  inline-size: 100%;
                  max-inline-size: 72rem;
                  margin-inline: auto;
                  padding-block-start: 0.5rem;
                }

                .history {
                  display: grid;
                  grid-template-columns: minmax(15rem, 1fr) 2.4fr;
                  align-items: start;
                }

                .list {
                  display: grid;
                  gap: 0.7rem;
                }

                #history-list {
                  display: grid;
                  gap: 0.4rem;
                  padding: 0;
                  list-style: none;
                }

                #history-list button {
                  display: grid;
                  justify-content: stretch;
                  gap: 0.15rem;
                  inline-size: 100%;
                  padding: 0.6rem 0.9rem;
                  text-align: start;
                }

                #history-list button[aria-current="true"] {
                  border-color: var(--accent);
                  box-shadow: inset 0 0 0 2px var(--accent);
                }

                #history-list strong {
                  overflow-wrap: anywhere;
                }

                mark {
                  border-radius: 0.2em;
                  background: var(--alert);
                  color: var(--on-alert);
                }

                .session,
                #record-player {
                  display: grid;
                  gap: 0.9rem;
                  min-inline-size: 0;
                }

                .session:empty,
                #record-player:empty {
                  display: none;
                }

                .session {
                  padding: clamp(0.8rem, 2vw, 1.5rem);
                  border-radius: 1rem;
                  background: var(--paper);
                  box-shadow: var(--shadow);
                }

                .session .title {
                  font-size: 1.2rem;
                  font-weight: 650;
                }

                .summary {
                  padding: 0.7rem 1rem;
                  border-inline-start: 4px solid var(--accent);
                  background: var(--raised);
                }

                .player audio {
                  inline-size: 100%;
                }

                .player {
                  display: grid;
                  gap: 0.8rem;
                }

                .player > button {
                  justify-self: start;
                }

                .spoken {
                  display: grid;
                  gap: 0.7rem;
                  font: max(1.15rem, calc(var(--size) * 0.6)) / var(--line) var(--face);
                  letter-spacing: var(--letters);
                  word-spacing: var(--words);
                }

                .spoken p {
                  overflow-wrap: anywhere;
                }

                /* The place that was found. */
                .spoken p:focus {
                  outline: 3px solid var(--accent);
                  outline-offset: 4px;
                }

                .spoken .time {
                  min-block-size: 1.75rem;
                  margin-inline-end: 0.5rem;
                  padding: 0 0.5rem;
                  font: 0.9rem var(--ui);
                }

                .word {
                  border-radius: 0.2em;
                  cursor: pointer;
                }

                .word:hover {
                  text-decoration: underline;
                }

                .word.now {
                  background: var(--alert);
                  color: var(--on-alert);
                }

                .spoken textarea {
                  font: inherit;
                }

                @media (max-width: 48rem) {
                  .history {
                    grid-template-columns: 1fr;
                  }
                }

                @media (forced-colors: active) {
                  .lamp {
                    border-color: CanvasText;
                  }

                  .lamp[data-state="listening"],
                  .lamp[data-state="trouble"],
                  .meter > span {
                    background: Highlight;
                  }

                  .banner,
                  .glow {
                    border-color: Highlight;
                  }

                  .word.now,
                  mark {
                    forced-color-adjust: none;
                    background: Highlight;
                    color: HighlightText;
                  }
                }

                """#,
        ]
    }
#endif
