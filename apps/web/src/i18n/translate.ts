import { type Catalogue, en, type MessageKey } from "./en.ts";

export const languages = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof languages;

type Params = Readonly<Record<string, string | number>>;
export type Translate = (key: MessageKey, params?: Params) => string;

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(languages, code);
}

/** The first of the browser's languages that has a catalogue. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const code = tag.toLowerCase().split("-")[0] ?? "";
    if (isLanguage(code)) return code;
  }
  return "en";
}

/** The English texts loaded so far. */
export const english: Partial<Catalogue> = { ...en };

/** Each language's texts loaded so far, and how to load them. English's first texts are part of the page. */
const catalogues = {
  en: { texts: english, first: async () => en, later: async () => (await import("./en-later.ts")).enLater },
  zh: {
    texts: {} as Partial<Catalogue>,
    first: async () => (await import("./zh.ts")).zh,
    later: async () => (await import("./zh-later.ts")).zhLater,
  },
} satisfies Record<Language, object>;
let current: Language = "en";
let needsLater = false;

async function loadLater(): Promise<void> {
  const { texts, later } = catalogues[current];
  Object.assign(texts, await later());
}

/** Loads something that is rendered after the first paint, together with its texts. */
export async function withWords<Module>(load: () => Promise<Module>): Promise<Module> {
  needsLater = true;
  const [module] = await Promise.all([load(), loadLater()]);
  return module;
}

/** Loads a language's texts, with the later ones if something has needed them. `withWords` then adds to the same object. */
export async function loadCatalogue(language: Language): Promise<Partial<Catalogue>> {
  const { texts, first } = catalogues[language];
  Object.assign(texts, await first());
  current = language;
  if (needsLater) await loadLater();
  return texts;
}

export function createTranslate(language: Language, catalogue: Readonly<Partial<Catalogue>>): Translate {
  const plural = new Intl.PluralRules(language);
  return (key, params = {}) => {
    const message = catalogue[key] ?? key;
    const text = typeof message === "string" ? message : pick(message, plural.select(Number(params["count"] ?? 0)));
    return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
  };
}

function pick(message: { one?: string; other: string }, form: Intl.LDMLPluralRule): string {
  return (form === "one" ? message.one : undefined) ?? message.other;
}
