import { test } from "vitest";
import { situations } from "./cases.ts";
import { expectKeys } from "./situations.ts";

test("in a text question", () => {
  expectKeys(situations["in a text question"], {
    "enter ctrl+enter ctrl+s": "ends typing; focus nothing; submit",
    "alt+r": "types text name “lathe”; edit name text lathe",
    "alt+s": "says This question needs an answer; it cannot be skipped.; focus nothing; focus name",
    "alt+m": "item 1; types note name “”; focus nothing; focus name",
    "alt+v": "ends typing; shows reader 0; focus nothing",
    "tab shift+tab": "focus nothing; focus name",
    "left home": "types text name “ab”",
    "ctrl+j alt+enter shift+enter": "types text name “ab\n”; edit name text ab\n",
    "ctrl+g": "editOutside ab",
    "alt+c": "item 1; types comment “”; focus nothing; focus comment",
    "ctrl+x": "types reason “”; shows cancel; focus nothing",
    "alt+t": "ends typing; shows moreTime 0; focus nothing",
    "alt+i": "types message “”; shows askBack; focus nothing",
    "alt+w": "focus nothing; copy What is it called?; focus name",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    escape: "ends typing; focus nothing",
    "alt+?": "ends typing; shows help 0; focus nothing",
  });
});

test("in a text question of a set", () => {
  expectKeys(situations["in a text question of a set"], {
    "enter ctrl+enter": "ends typing; focus nothing; check; focus nothing; goTo 1",
    "alt+r": "types text name “lathe”; edit name text lathe",
    "alt+s": "says This question needs an answer; it cannot be skipped.; focus nothing; focus name",
    "alt+m": "item 1; types note name “”; focus nothing; focus name",
    "alt+v": "ends typing; shows reader 0; focus nothing",
    tab: "ends typing; focus nothing; focus nothing; goTo 1",
    "shift+tab": "focus nothing; focus name",
    "left home": "types text name “ab”",
    "ctrl+j alt+enter shift+enter": "types text name “ab\n”; edit name text ab\n",
    "ctrl+g": "editOutside ab",
    "ctrl+s": "item 2; ends typing; focus nothing; focus nothing; goTo 2",
    "alt+c": "item 2; types comment “”; focus nothing; focus nothing; goTo 2; focus comment",
    "ctrl+x": "types reason “”; shows cancel; focus nothing",
    "alt+t": "ends typing; shows moreTime 0; focus nothing",
    "alt+i": "types message name “”; shows askBack; focus nothing",
    "alt+w": "focus nothing; copy What is it called?; focus name",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    escape: "ends typing; focus nothing",
    "alt+?": "ends typing; shows help 0; focus nothing",
  });
});

test("in a date", () => {
  expectKeys(situations["in a date"], {
    up: "types text day “2026-03-06”; edit day text 2026-03-06",
    down: "types text day “2026-03-04”; edit day text 2026-03-04",
    "enter ctrl+enter ctrl+s": "ends typing; focus nothing; submit",
    "alt+s": "says This question needs an answer; it cannot be skipped.; focus nothing; focus day",
    "alt+m": "item 1; types note day “”; focus nothing; focus day",
    "alt+v": "ends typing; shows reader 0; focus nothing",
    "tab shift+tab": "focus nothing; focus day",
    "left home": "types text day “2026-03-05”",
    "alt+c": "item 1; types comment “”; focus nothing; focus comment",
    "ctrl+x": "types reason “”; shows cancel; focus nothing",
    "alt+t": "ends typing; shows moreTime 0; focus nothing",
    "alt+i": "types message “”; shows askBack; focus nothing",
    "alt+w": "focus nothing; copy When?; focus day",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    escape: "ends typing; focus nothing",
    "alt+?": "ends typing; shows help 0; focus nothing",
  });
});

test("in Other", () => {
  expectKeys(situations["in Other"], {
    up: "item 1; ends typing; focus nothing",
    "enter ctrl+enter tab shift+tab escape": "ends typing; focus nothing",
    "alt+s": "ends typing; says This question needs an answer; it cannot be skipped.; focus nothing",
    "alt+m": "item 3; types note pick “”; focus nothing; focus pick",
    "alt+v": "ends typing; shows reader 0; focus nothing",
    "left home": "types other pick “fig”",
    "ctrl+j alt+enter shift+enter": "types other pick “fig\n”; edit pick otherText fig\n",
    "ctrl+g": "editOutside fig",
    "ctrl+s": "ends typing; focus nothing; submit",
    "alt+c": "item 3; types comment “”; focus nothing; focus comment",
    "ctrl+x": "types reason “”; shows cancel; focus nothing",
    "alt+t": "ends typing; shows moreTime 0; focus nothing",
    "alt+i": "types message “”; shows askBack; focus nothing",
    "alt+w": "ends typing; focus nothing; copy Which?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "alt+?": "ends typing; shows help 0; focus nothing",
  });
});

test("in a note", () => {
  expectKeys(situations["in a note"], {
    up: "item 2; ends typing; focus nothing",
    "enter ctrl+enter tab shift+tab escape": "ends typing; focus nothing",
    "alt+s": "ends typing; says This question needs an answer; it cannot be skipped.; focus nothing",
    "alt+m": "focus nothing; focus pick",
    "alt+v": "ends typing; shows reader 0; focus nothing",
    "left home": "types note pick “hm”",
    "ctrl+j alt+enter shift+enter": "types note pick “hm\n”; edit pick note hm\n",
    "ctrl+g": "editOutside hm",
    "ctrl+s": "ends typing; focus nothing; submit",
    "alt+c": "item 4; types comment “”; focus nothing; focus comment",
    "ctrl+x": "types reason “”; shows cancel; focus nothing",
    "alt+t": "ends typing; shows moreTime 0; focus nothing",
    "alt+i": "types message “”; shows askBack; focus nothing",
    "alt+w": "ends typing; focus nothing; copy Which?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "alt+?": "ends typing; shows help 0; focus nothing",
  });
});

test("in the comment", () => {
  expectKeys(situations["in the comment"], {
    up: "item 2; ends typing; focus nothing",
    down: "item 4; ends typing; focus nothing",
    "enter ctrl+enter alt+s alt+m tab escape": "ends typing; focus nothing",
    "alt+v": "ends typing; shows reader 0; focus nothing",
    "shift+tab": "item 0; ends typing; focus nothing; focus nothing; goTo 2",
    "left home": "types comment “hm”",
    "ctrl+j alt+enter shift+enter": "types comment “hm\n”; comment hm\n",
    "ctrl+g": "editOutside hm",
    "ctrl+s": "ends typing; focus nothing; submit",
    "alt+c": "focus nothing; focus comment",
    "ctrl+x": "types reason “”; shows cancel; focus nothing",
    "alt+t": "ends typing; shows moreTime 0; focus nothing",
    "alt+i": "types message “”; shows askBack; focus nothing",
    "alt+w": "ends typing; focus nothing; copy Which ones?\n\nWhich ones?\n- apple\n- pear\n\nWhich?\n- apple\n- pear\n\nSure?",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "alt+?": "ends typing; shows help 0; focus nothing",
  });
});

test("in a reason to decline", () => {
  expectKeys(situations["in a reason to decline"], {
    "enter ctrl+enter": "ends typing; closes; focus nothing; cancel no time",
    "left home": "types reason “no time”",
    "ctrl+j alt+enter shift+enter": "types reason “no time\n”",
    "ctrl+g": "editOutside no time",
    escape: "ends typing; closes; focus nothing",
  });
});

test("in a search", () => {
  expectKeys(situations["in a search"], {
    "up down enter ctrl+enter tab": "ends typing; focus nothing",
    "left home": "types filter “a”",
    escape: "filter ; ends typing; focus nothing",
  });
});

test("in a search of the history", () => {
  expectKeys(situations["in a search of the history"], {
    "up down enter ctrl+enter tab": "ends typing; focus nothing",
    "left home": "types query “a”",
    escape: "ends typing; searchHistory ; focus nothing",
  });
});

test("in a message to the agent", () => {
  expectKeys(situations["in a message to the agent"], {
    "enter ctrl+enter": "ends typing; closes; unsent; focus nothing; askBack why nothing",
    "ctrl+j alt+enter shift+enter": "types message “why\n”; unsent why\n",
    "ctrl+g": "editOutside why",
    "left home": "types message “why”",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    escape: "ends typing; closes; focus nothing",
  });
});
