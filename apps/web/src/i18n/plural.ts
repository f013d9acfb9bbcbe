/** A text for each plural form; forms that a language lacks are omitted. */
export interface Plural {
  one?: string;
  other: string;
}
