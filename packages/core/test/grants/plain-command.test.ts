import { beginsWith, wordsOfPlainCommand } from "@askbox/core/grants";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const word = fc.stringMatching(/^[A-Za-z0-9_@%+:,./-]{1,12}$/);
/** Characters that a shell does not treat as part of a word. */
const syntax = fc.constantFrom(
  ...[
    "; rm -rf ~",
    " && curl evil",
    " || true",
    " | sh",
    " & ",
    "\nrm x",
    "\r\nrm x",
    " $(id)",
    " `id`",
    " $" + "{HOME}",
    " $HOME",
    " > out",
    " >> out",
    " < in",
    " 2>&1",
  ],
  ...[
    " <(id)",
    " {a,b}",
    " ~",
    " *",
    " ?",
    " [a]",
    " !x",
    " #",
    " \\\n",
    " \\x",
    " (id)",
    "\u0000",
    "\u001b[2K",
    "\u202e",
    "\u200b",
    "\u00a0",
    "\u2028",
    " ^x",
    " $'\\n'",
  ],
);

describe("a command", () => {
  test.each<[string, string[]]>([
    ["npm run build", ["npm", "run", "build"]],
    ["  npm\trun  x ", ["npm", "run", "x"]],
    [`git commit -m 'fix: a; b && $c'`, ["git", "commit", "-m", "fix: a; b && $c"]],
    [`git commit -m "two words"x`, ["git", "commit", "-m", "two wordsx"]],
    [`echo ''`, ["echo", ""]],
  ])("%j is plain", (command, words) => {
    expect(wordsOfPlainCommand(command)).toEqual(words);
  });

  test.each([
    "",
    " ",
    "''",
    "a=b npm test",
    `echo "$x"`,
    'echo "`id`"',
    `echo "a\\"b"`,
    `echo "!!"`,
    "echo 'open",
    'echo "open',
    "echo 'a\nb'",
    // PowerShell takes these for quotes.
    "git commit -m 'a’; calc; ‘b'",
    'git commit -m "a”; calc; “b"',
    "écho x",
    "nрm test",
  ])("%j is not plain", (command) => {
    expect(wordsOfPlainCommand(command)).toBeUndefined();
  });

  test("with any shell syntax outside of quotes matches no prefix", () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.array(word, { maxLength: 4 }),
        syntax,
        fc.array(word, { maxLength: 2 }),
        (prefix, more, extra, rest) => {
          const command = `${[...prefix, ...more].join(" ")}${extra}${rest.join(" ")}`;
          expect(beginsWith(command, prefix.join(" "))).toBe(false);
        },
      ),
    );
  });

  test("only matches a prefix if its words are the prefix's, complete and in order", () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), fc.array(word, { minLength: 1, maxLength: 4 }), (prefix, command) => {
        const expected = !(prefix[0] ?? "").includes("=") && prefix.every((each, index) => command[index] === each);
        expect(beginsWith(command.join(" "), prefix.join(" "))).toBe(expected);
      }),
    );
    expect(beginsWith("npm run build", "npm run")).toBe(true);
    expect(beginsWith("npm runx", "npm run")).toBe(false);
    expect(beginsWith("npm", "npm run")).toBe(false);
    expect(beginsWith("'npm' 'run' x", "npm run")).toBe(true);
  });

  test("is never executed as anything but its words, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => {
        const words = wordsOfPlainCommand(text);
        // Without its quoted parts nothing special to a shell is left.
        if (words !== undefined) expect(text.replace(/'[^']*'|"[^"]*"/g, "")).toMatch(/^[\sA-Za-z0-9_@%+:,./=-]*$/);
      }),
    );
  });
});
