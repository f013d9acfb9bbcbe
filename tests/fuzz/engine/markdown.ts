import fc from "fast-check";
import { mutatedText } from "./mutated.ts";
import { oddText } from "./odd.ts";

const sample = [
  '# Title\n\nText with **bold**, *em*, ~~del~~, `code`, [link](https://a.example/x "t"), ![img](https://a.example/i.png) and <b>html</b>.',
  "- one\n  - two\n    1. three\n\n> quote\n\n---\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|---|:-:|\n| 1 | `2` |\n",
  "[ref]: javascript:alert(1)\n\n[click][ref] <javascript:alert(1)> <https://ok.example> mailto:a@b.example &#106;avascript:",
  "<script>alert(1)</script>\n<img src=x onerror=alert(1)>\n\n- [x] done\n\n\\*escaped\\* &amp; <!-- c -->",
];
const pieces = fc.oneof(
  oddText,
  fc.constantFrom(
    "[",
    "](",
    ")",
    "<",
    ">",
    "`",
    "```",
    "*",
    "_",
    "|",
    "\n\n",
    "    ",
    "> ",
    "- ",
    "1. ",
    "&#",
    "\\",
    "javascript:",
    "@@quotes:20000@@",
    "@@quotes:9000@@",
    "@@emphasis:20000@@",
    "data:text/html,",
  ),
);
/** Markdown that people write, and some that nobody writes. */
export const markdown: fc.Arbitrary<string> = fc.oneof(
  mutatedText(sample),
  fc.array(pieces, { maxLength: 12 }).map((made) => made.join("")),
);
