import { test } from "vitest";
import { situations } from "./cases.ts";
import { expectKeys } from "./situations.ts";

test("in a list", () => {
  expectKeys(situations["in a list"], {
    "up k pageup ctrl+b home g": "selected s1; open s1",
    "down j pagedown ctrl+f end shift+g G": "selected s3; open s3",
    "enter right": "focus form",
    "/": "types filter “”",
    a: "order newest; says Newest first.",
    h: "view history; selected undefined; open undefined; searchHistory ",
    b: "shows grants; readGrants",
    q: "exit 0",
    escape: "says Press q to quit.",
    "? alt+?": "shows help 0",
  });
});

test("in an empty list", () => {
  expectKeys(situations["in an empty list"], {
    "/": "types filter “”",
    a: "order newest; says Newest first.",
    h: "view history; searchHistory ",
    b: "shows grants; readGrants",
    q: "exit 0",
    escape: "says Press q to quit.",
    "? alt+?": "shows help 0",
  });
});

test("on the fold", () => {
  expectKeys(situations["on the fold"], {
    "up k pageup ctrl+b home g": "selected s1; open s1",
    "enter right": "unfolded true",
    "/": "types filter “”",
    a: "order newest; says Newest first.",
    h: "view history; selected undefined; searchHistory ",
    b: "shows grants; readGrants",
    q: "exit 0",
    escape: "says Press q to quit.",
    "? alt+?": "shows help 0",
  });
});

test("in the history", () => {
  expectKeys(situations["in the history"], {
    "up k pageup ctrl+b home g": "moreHistory",
    "down j pagedown ctrl+f end shift+g G": "selected s2; open s2; moreHistory",
    "enter right": "focus form",
    "/": "types query “”",
    a: "order newest; says Newest first.",
    "h escape": "view inbox",
    b: "shows grants; readGrants",
    q: "exit 0",
    "? alt+?": "shows help 0",
  });
});

test("in a filtered list", () => {
  expectKeys(situations["in a filtered list"], {
    "enter right": "focus form",
    "/": "types filter “a”",
    a: "order newest; says Newest first.",
    h: "view history; selected undefined; open undefined; searchHistory ",
    b: "shows grants; readGrants",
    q: "exit 0",
    escape: "filter ",
    "? alt+?": "shows help 0",
  });
});
