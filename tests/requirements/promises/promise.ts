/** One sentence of a page that says what askbox does, and the tests that fail when it does not. */
export interface PagePromise {
  id: string;
  /** The sentence, or the table's row with ` | ` between its cells, as the page has it; runs of white space are one space. */
  says: string;
  /** `FILE > TITLE` each, as Vitest prints them; of a contract suite or a list of requirements, the file that holds the sentence. */
  tests: readonly string[];
}

/** Why a sentence of a page needs no test of its own. There is no reason "hard to test": such a sentence is tested or taken out. */
export const reasons = {
  advice: "tells the reader what to do, or where to read on",
  purpose: "says what something is for or why it is so, beside the sentence that says what it does",
  elsewhere: "says what other programs and people do",
  measured: "gives figures of one run, with the command that makes them again",
  "not promised": "says what askbox does not promise",
} as const;

export interface Explained {
  because: keyof typeof reasons;
  /** In own words; needed where a sentence has one of the strong words (see `strongWords`), which mostly make a promise. */
  why?: string;
  says: readonly string[];
}

/** Everything that one page says: each of its sentences is in one of the two lists, to the letter. */
export interface PromisedPage {
  page: string;
  promises: readonly PagePromise[];
  explained: readonly Explained[];
}

/** Whoever writes one of these promises something, unless there is a reason in words why not. */
export const strongWords =
  /\b(?:never|always|must|at most|at least|exactly|refuse[sd]?|cannot|within \d|is kept|are kept|nobody|only the|not lost|loses? no)\b/i;
