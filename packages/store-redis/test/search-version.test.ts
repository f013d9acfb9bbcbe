import { searchText } from "@askbox/core/stores";
import { anAsk, aRecord, settled } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { version } from "../src/search-index.ts";

test("the search's index has another version once other text is searched", () => {
  const record = settled(aRecord({ request: anAsk({ title: "Title" }) }));
  // If this changes, a stored index no longer says what a search finds: raise the version.
  expect({ version, text: searchText(record) }).toMatchInlineSnapshot(`
    {
      "text": "title
    /home/ada/engine
    main
    agent-1
    test-client
    what should the new module be called?
    which database should it use?
    sqlite
    postgres
    which platforms should it support?
    linux
    macos
    windows
    may it replace the old module?
    lathe
    lathe
    sqlite
    sqlite
    linux, plan 9
    linux
    yes
    yes
    after the release",
      "version": 2,
    }
  `);
});
