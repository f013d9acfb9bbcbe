import { pages } from "./pages.ts";
import { registry } from "./registry.ts";

/** `pnpm promises [PAGE…]`: what each page says that no entry is there for yet, as entries to fill in. */
const wanted = process.argv.slice(2);
for (const { path, statements } of pages().filter(({ path }) => wanted.length === 0 || wanted.includes(path))) {
  const entries = registry.filter(({ page }) => page === path);
  const listed = new Set(
    entries.flatMap(({ promises, explained }) => [...promises.map(({ says }) => says), ...explained.flatMap(({ says }) => says)]),
  );
  const missing = statements.filter((said) => !listed.has(said));
  if (missing.length === 0) continue;
  console.log(`// ${path}: ${missing.length} of ${statements.length} have no entry. Each is a promise with its tests, or explained.`);
  for (const says of missing) console.log(`{ id: "", says: ${JSON.stringify(says)}, tests: [] },`);
}
