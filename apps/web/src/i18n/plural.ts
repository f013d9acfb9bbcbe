/** A text by number; the forms that a language lacks are left out. */
export interface Plural {
  one?: string;
  other: string;
}
