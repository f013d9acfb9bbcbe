import { type PromisedPage, strongWords } from "./promise.ts";

/** A page as it is: its path from the root, and all that it says. */
export interface Page {
  path: string;
  statements: readonly string[];
}

/** Where the entries of a page belong. */
export const registryOf = (page: string): string =>
  `tests/requirements/promises/list/${page
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase()}.ts`;

/** What is wrong between pages, registry and tests: a sentence for each, that says what to do. Empty when every promise is held. */
export function gaps(pages: readonly Page[], registry: readonly PromisedPage[], titles: ReadonlySet<string>): string[] {
  const ids = registry.flatMap(({ promises }) => promises.map(({ id }) => id));
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...pages.flatMap((page) => gapsOfPage(page, registry, titles)),
    ...registry
      .filter(({ page }) => !pages.some(({ path }) => path === page))
      .map(({ page }) => `${registryOf(page)} is of ${page}, which is no page any more; delete it.`),
    ...twice.map((id) => `${id} is the id of two promises; ids are given once.`),
  ];
}

function gapsOfPage({ path, statements }: Page, registry: readonly PromisedPage[], titles: ReadonlySet<string>): string[] {
  const entries = registry.filter(({ page }) => page === path);
  const promises = entries.flatMap((entry) => entry.promises);
  const explained = entries.flatMap((entry) => entry.explained);
  const file = registryOf(path);
  const listed = [...promises.map(({ says }) => says), ...explained.flatMap(({ says }) => says)];
  return [
    ...statements
      .filter((said) => !listed.includes(said))
      .map(
        (said) => `${path} promises "${said}" and no test is named for it; add it in ${file} (pnpm promises ${path} prints what to add).`,
      ),
    ...listed
      .filter((says) => !statements.includes(says))
      .map((says) => `${path} does not say "${says}" any more; change or delete its entry in ${file}, and see that its tests still fit.`),
    ...listed.filter((says, index) => listed.indexOf(says) !== index).map((says) => `${file} has "${says}" twice.`),
    ...promises
      .filter(({ tests }) => tests.length === 0)
      .map(({ id, says }) => `${path} promises "${says}" and ${id} names no test; name or write one that fails when it is not so.`),
    ...promises.flatMap(({ id, tests }) =>
      tests
        .filter((test) => !titles.has(test))
        .map((test) => `${id} names the test "${test}", which there is not; ${nearest(test, titles)}`),
    ),
    ...explained
      .filter(({ why = "", says }) => why.length < 20 && says.some((said) => strongWords.test(said)))
      .flatMap(({ says }) => says.filter((said) => strongWords.test(said)))
      .map((said) => `${path} promises "${said}", to judge by its words; name a test for it in ${file}, or say why there is none.`),
  ];
}

/** Where a test may have gone: to another title in its file, or to another file. */
function nearest(missing: string, titles: ReadonlySet<string>): string {
  const [file = "", ...rest] = missing.split(" > ");
  const title = rest.at(-1) ?? "";
  const moved = [...titles].find((other) => other.endsWith(` > ${title}`));
  if (moved !== undefined) return `"${moved}" has its name.`;
  return [...titles].some((other) => other.startsWith(`${file} > `))
    ? `${file} has no test of that title.`
    : `there is no test in ${file}.`;
}
