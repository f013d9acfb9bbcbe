/** SHA-256 of a text (UTF-8), as lower-case hex. */
export type Digest = (text: string) => Promise<string>;
