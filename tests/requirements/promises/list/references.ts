import type { PromisedPage } from "../promise.ts";

export const clientEntriesPage: PromisedPage = {
  page: "docs/client-entries.md",
  promises: [
    {
      id: "client-entries.install-makes-these",
      says: "`askbox install CLIENT` makes these entries; [Clients](clients.md) says how, with which options, and how they are taken out again.",
      tests: [
        "apps/askbox/test/client-docs.test.ts > what the pages say of clients and commands > %s is what the code does (pnpm --filter askbox pages)",
      ],
    },
  ],
  explained: [{ because: "advice", says: ["`/path/to/askbox` stands for the command as `install` finds it."] }],
};

export const shapesPage: PromisedPage = {
  page: "docs/shapes.md",
  promises: [
    {
      id: "shapes.made-from-schemas",
      says: "This page is made from the schemas that the code checks with; `@askbox/core` exports them, such as `askInputSchema`, and their types.",
      tests: [
        "tests/docs/generated.test.ts > the references are what the code says; if not, run pnpm docs:pages > $name",
        "tests/docs/samples.test.ts > TypeScript in the docs > compiles against the packages",
      ],
    },
  ],
  explained: [
    {
      because: "purpose",
      says: ["What [REST](rest.md), the [wire](wire.md) and `--json` send and take, as TypeScript.", "A `?` marks what may be left out."],
    },
  ],
};
