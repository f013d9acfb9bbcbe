import type { FormSchema } from "../forms/form-schema.ts";
import type { ElicitOptions } from "./options.ts";

/** One `elicit()` as the ways of asking see it. */
export interface ElicitQuestion {
  message: string;
  /** What is to be filled in; of a page that is to be visited, nothing. */
  form: FormSchema;
  /** The page to visit, in mode `url`. */
  page: { url: string; elicitationId: string } | undefined;
  /** Milliseconds. */
  ttl: number;
  onAskedBack?: ElicitOptions["onAskedBack"];
}

/** The page's address in words, where nothing but words can be shown. */
export const withPage = ({ message, page }: ElicitQuestion): string =>
  page === undefined ? message : `${message}\n\nOpen this page: ${page.url}`;
