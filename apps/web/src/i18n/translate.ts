import { type Catalogue, en, type MessageKey } from "./en.ts";

export const languages = { en: "English", zh: "中文" } as const;
export type Language = keyof typeof languages;

export type Params = Readonly<Record<string, string | number>>;
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

/** Loads something that is rendered after the first paint, together with its texts. */
export async function withWords<Module>(load: () => Promise<Module>): Promise<Module> {
  const [module, { enLater }] = await Promise.all([load(), import("./en-later.ts")]);
  Object.assign(english, enLater);
  return module;
}

/** The English texts of the inbox are part of the page; other languages are loaded on demand. */
export async function loadCatalogue(language: Language): Promise<Partial<Catalogue>> {
  if (language === "zh") return (await import("./zh.ts")).zh;
  return english;
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
