import type { FormSchema } from "../forms/form-schema.ts";

/** One `elicit()` as the ways of asking see it. */
export interface ElicitQuestion {
  message: string;
  /** What is to be filled in; of a page that is to be visited, nothing. */
  form: FormSchema;
  /** The page to visit, in mode `url`. */
  page: { url: string; elicitationId: string } | undefined;
  /** Milliseconds. */
  ttl: number;
}

/** What the client can show, by what it has declared. A bare `elicitation: {}` is that of revisions that know only forms. */
export interface DeclaredElicitation {
  form: boolean;
  url: boolean;
}

export function readDeclared(capabilities: unknown): DeclaredElicitation {
  const declared: unknown = Object(capabilities).elicitation;
  if (typeof declared !== "object" || declared === null) return { form: false, url: false };
  const url = "url" in declared && Boolean(declared.url);
  return { url, form: ("form" in declared && Boolean(declared.form)) || !url };
}

/** The page's address in words, where nothing but words can be shown. */
export const withPage = ({ message, page }: ElicitQuestion): string =>
  page === undefined ? message : `${message}\n\nOpen this page: ${page.url}`;
