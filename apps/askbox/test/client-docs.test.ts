import { readFileSync } from "node:fs";
import { clients } from "@askbox/clients";
import { describe, expect, test } from "vitest";
import { clientSections } from "../distribution/client-docs.ts";
import { pages } from "../distribution/pages.ts";

const generated = await pages();

describe("the clients and commands in the docs", () => {
  test.each(generated.map((page) => [page.path.split("/").at(-1) ?? "", page] as const))(
    "%s matches the code (pnpm --filter askbox pages)",
    (_, { is, shouldBe }) => {
      expect(is).toBe(shouldBe);
    },
  );

  test("include every client, with an entry that its own reader accepts", () => {
    const entries = clientSections();
    for (const { title, name } of clients) expect(entries).toContain(`## ${title}\n\n\`askbox install ${name}\``);
    const blocks = [...entries.matchAll(/```json\n(.*?)\n```/gs)].map(([, json = ""]) => JSON.parse(json) as object);
    expect(blocks.length).toBeGreaterThanOrEqual(clients.length - 1);
  });

  test("contain no path of this machine", () => {
    for (const { path } of generated) expect(readFileSync(path, "utf8")).not.toMatch(/\/(home|Users|work|root)\/(?!ada)/);
  });
});
