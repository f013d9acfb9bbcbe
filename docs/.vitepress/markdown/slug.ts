/**
 * A heading's anchor, as GitHub makes it (github-slugger's rule): lower case, no punctuation, each space a hyphen. So one link works on the site
 * and where the code is read.
 */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .replaceAll(" ", "-");
}
