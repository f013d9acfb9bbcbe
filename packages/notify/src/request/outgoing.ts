/** One HTTP POST. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
}
