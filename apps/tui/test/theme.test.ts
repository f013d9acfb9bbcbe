import { describe, expect, test } from "vitest";
import { createPainter } from "../src/text/painter.ts";
import { line, span, wrap } from "../src/text/row.ts";
import { colorDepthOf, themeWith } from "../src/theme/theme.ts";

describe("a theme", () => {
  test("reports invalid tokens, each with a sentence", () => {
    const { theme, warnings } = themeWith({ accent: "#ff8800", dimm: "red", error: "rosy" });
    expect(theme.accent).toBe("#ff8800");
    expect(warnings).toHaveLength(2);
  });

  test.each([
    [{ NO_COLOR: "1", TERM: "xterm-256color" }, "none"],
    [{ NO_COLOR: "", TERM: "xterm-256color" }, "256"],
    [{ TERM: "xterm" }, "16"],
    [{ TERM: "xterm", COLORTERM: "truecolor" }, "all"],
    [{ TERM: "dumb" }, "none"],
    [{ NO_COLOR: "1", FORCE_COLOR: "3" }, "all"],
  ])("uses the colours of the environment: %j is %s", (env, depth) => {
    expect(colorDepthOf(env)).toBe(depth);
  });

  test("keeps bold and dim without colours", () => {
    const painter = createPainter(themeWith({ accent: "bold red on blue" }).theme, "none");
    expect(painter.paint(line([span("x", "accent")], 10))).toBe("\u001b[1mx\u001b[0m");
  });
});

describe("a row", () => {
  test("is sanitised whatever it is made of", () => {
    const evil = "a\u001b]0;t\u0007\u009b31mb\u202e\rc\u200b";
    const painter = createPainter(themeWith().theme, "none");
    for (const row of [line([span(evil)], 80), ...wrap([span(evil)], 80)]) {
      expect(painter.paint(row)).not.toMatch(/\p{Cc}|\p{Bidi_Control}|\u200b/u);
    }
  });
});
