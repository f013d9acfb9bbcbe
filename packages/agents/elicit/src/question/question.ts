import type { ReadForm } from "../forms/form-schema.ts";
import type { ElicitOptions } from "./options.ts";

/** One `elicit()` call, for the ways of asking. */
export interface ElicitQuestion {
  message: string;
  /** What is to be filled in, as JSON Schema; empty for a page to visit. */
  schema: Readonly<Record<string, unknown>>;
  /** The same as a form. Throws `VALIDATION` if a field cannot be in one. */
  form(): ReadForm;
  /** The page to visit, in mode `url`. */
  page: { url: string; elicitationId: string } | undefined;
  /** Milliseconds. */
  ttl: number;
  onAskedBack?: ElicitOptions["onAskedBack"];
}

/** The page's address in words, for text-only surfaces. */
export const withPage = ({ message, page }: ElicitQuestion): string =>
  page === undefined ? message : `${message}\n\nOpen this page: ${page.url}`;
