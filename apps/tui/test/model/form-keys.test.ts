import { test } from "vitest";
import { situations } from "./cases.ts";
import { expectKeys } from "./situations.ts";

test("in a single choice", () => {
  expectKeys(situations["in a single choice"], {
    "down j": "item 1",
    "enter ctrl+enter space 1": "edit pick choose apple",
    q: "exit 0",
    "o 3": "item 2; types other pick “”; focus pick",
    "r alt+r": "edit pick recommended",
    e: "earlier",
    "s alt+s": "says This question needs an answer; it cannot be skipped.",
    "m alt+m": "item 3; types note pick “”; focus pick",
    "v alt+v": "shows reader 0",
    "ctrl+s": "submit",
    "c alt+c": "item 3; types comment “”; focus comment",
    "d ctrl+x": "types reason “”; shows cancel",
    "t alt+t": "shows moreTime 0",
    "i alt+i": "types message “”; shows askBack",
    "w alt+w": "copy Which?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
    "2": "item 1; edit pick choose pear",
  });
});

test("in the first of three, which can be skipped", () => {
  expectKeys(situations["in the first of three, which can be skipped"], {
    "down j": "item 1",
    "enter ctrl+enter": "check; focus nothing; goTo 1",
    "right tab l": "focus nothing; goTo 1",
    q: "exit 0",
    "space 1": "edit several choose apple",
    "r alt+r": "edit several recommended",
    e: "earlier",
    "s alt+s": "edit several skip true; focus nothing; goTo 1",
    "m alt+m": "item 2; types note several “”; focus several",
    "v alt+v": "shows reader 0",
    "ctrl+s": "item 3; focus nothing; goTo 3",
    "c alt+c": "item 3; types comment “”; focus nothing; goTo 3; focus comment",
    "d ctrl+x": "types reason “”; shows cancel",
    "t alt+t": "shows moreTime 0",
    "i alt+i": "types message several “”; shows askBack",
    "w alt+w": "copy Which ones?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
    "2": "item 1; edit several choose pear",
  });
});

test("in the second of three, which is answered", () => {
  expectKeys(situations["in the second of three, which is answered"], {
    "down j": "item 1",
    "enter ctrl+enter": "check; focus nothing; goTo 2",
    "right tab l": "focus nothing; goTo 2",
    q: "exit 0",
    "space 1": "edit pick choose apple",
    "o 3": "item 2; types other pick “”; focus pick",
    "r alt+r": "edit pick recommended",
    e: "earlier",
    "s alt+s": "says This question needs an answer; it cannot be skipped.",
    "m alt+m": "item 3; types note pick “”; focus pick",
    "v alt+v": "shows reader 0",
    "shift+tab left p": "focus nothing; goTo 0",
    "ctrl+s": "item 3; focus nothing; goTo 3",
    "c alt+c": "item 3; types comment “”; focus nothing; goTo 3; focus comment",
    "d ctrl+x": "types reason “”; shows cancel",
    "t alt+t": "shows moreTime 0",
    "i alt+i": "types message pick “”; shows askBack",
    "w alt+w": "copy Which?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
    "2": "item 1; edit pick choose pear",
  });
});

test("in a yes-or-no question", () => {
  expectKeys(situations["in a yes-or-no question"], {
    "down j": "item 1",
    "enter ctrl+enter space y 1": "edit sure choose yes",
    q: "exit 0",
    "n 2": "item 1; edit sure choose no",
    "r alt+r": "edit sure recommended",
    e: "earlier",
    "s alt+s": "says This question needs an answer; it cannot be skipped.",
    "m alt+m": "item 2; types note sure “”; focus sure",
    "v alt+v": "shows reader 0",
    "ctrl+s": "submit",
    "c alt+c": "item 2; types comment “”; focus comment",
    "d ctrl+x": "types reason “”; shows cancel",
    "t alt+t": "shows moreTime 0",
    "i alt+i": "types message “”; shows askBack",
    "w alt+w": "copy Sure?",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
  });
});

test("in a rating", () => {
  expectKeys(situations["in a rating"], {
    "down j": "item 1",
    "enter ctrl+enter space 1": "edit rate choose 1",
    q: "exit 0",
    "r alt+r": "edit rate recommended",
    e: "earlier",
    "s alt+s": "says This question needs an answer; it cannot be skipped.",
    "m alt+m": "item 5; types note rate “”; focus rate",
    "v alt+v": "shows reader 0",
    "ctrl+s": "submit",
    "c alt+c": "item 5; types comment “”; focus comment",
    "d ctrl+x": "types reason “”; shows cancel",
    "t alt+t": "shows moreTime 0",
    "i alt+i": "types message “”; shows askBack",
    "w alt+w": "copy How good?",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
    "2": "item 1; edit rate choose 2",
    "3": "item 2; edit rate choose 3",
    "4": "item 3; edit rate choose 4",
    "5": "item 4; edit rate choose 5",
  });
});

test("on a text question that is not being edited", () => {
  expectKeys(situations["on a text question that is not being edited"], {
    "enter ctrl+enter space": "types text name “”; focus name",
    q: "exit 0",
    "r alt+r": "edit name recommended",
    e: "earlier",
    "s alt+s": "says This question needs an answer; it cannot be skipped.",
    "m alt+m": "item 1; types note name “”; focus name",
    "v alt+v": "shows reader 0",
    "ctrl+s": "submit",
    "c alt+c": "item 1; types comment “”; focus comment",
    "d ctrl+x": "types reason “”; shows cancel",
    "t alt+t": "shows moreTime 0",
    "i alt+i": "types message “”; shows askBack",
    "w alt+w": "copy What is it called?",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
  });
});

test("on the review", () => {
  expectKeys(situations["on the review"], {
    "up k": "item 2",
    "enter ctrl+enter ctrl+s": "submit",
    q: "exit 0",
    e: "earlier",
    "v alt+v": "shows reader 0",
    "shift+tab left p 3": "item 0; focus nothing; goTo 2",
    "c alt+c": "types comment “”; focus comment",
    "d ctrl+x": "types reason “”; shows cancel",
    "t alt+t": "shows moreTime 0",
    "i alt+i": "types message “”; shows askBack",
    "w alt+w": "copy Which ones?\n\nWhich ones?\n- apple\n- pear\n\nWhich?\n- apple\n- pear\n\nSure?",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; item 0; focus nothing",
    "? alt+?": "shows help 0",
    "1": "item 0; focus nothing; goTo 0",
    "2": "item 0; focus nothing; goTo 1",
  });
});

test("in a reply after the deadline", () => {
  expectKeys(situations["in a reply after the deadline"], {
    "down j": "item 1",
    "enter ctrl+enter space 1": "edit pick choose apple",
    q: "exit 0",
    "o 3": "item 2; types other pick “”; focus pick",
    "r alt+r": "edit pick recommended",
    e: "earlier",
    "s alt+s": "says This question needs an answer; it cannot be skipped.",
    "m alt+m": "item 3; types note pick “”; focus pick",
    "v alt+v": "shows reader 0",
    "ctrl+s": "submit",
    "c alt+c": "item 3; types comment “”; focus comment",
    "i alt+i": "says The agent has already been told that nobody answered in time.",
    "d ctrl+x": "says The agent has already been told that nobody answered in time.",
    "w alt+w": "copy Which?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
    "2": "item 1; edit pick choose pear",
  });
});

test("while it is being sent", () => {
  expectKeys(situations["while it is being sent"], {
    q: "exit 0",
    "v alt+v": "shows reader 0",
    "t alt+t": "shows moreTime 0",
    "w alt+w": "copy Which?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
  });
});

test("while the answer is being held", () => {
  expectKeys(situations["while the answer is being held"], {
    q: "exit 0",
    "v alt+v": "shows reader 0",
    "t alt+t": "shows moreTime 0",
    "u alt+u": "recall",
    "w alt+w": "copy Which?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    escape: "focus list; focus nothing",
    "? alt+?": "shows help 0",
  });
});

test("in a settled session", () => {
  expectKeys(situations["in a settled session"], {
    up: "scroll 19",
    down: "scroll 21",
    "enter ctrl+enter escape": "focus list; says Answered by eve in the browser.; focus nothing",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    "? alt+?": "shows help 0",
  });
});

test("in a popup for one question", () => {
  expectKeys(situations["in a popup for one question"], {
    "down j": "item 1",
    "enter ctrl+enter space 1": "edit pick choose apple",
    "q escape": "exit 0",
    "o 3": "item 2; types other pick “”; focus pick",
    "r alt+r": "edit pick recommended",
    e: "earlier",
    "s alt+s": "says This question needs an answer; it cannot be skipped.",
    "m alt+m": "item 3; types note pick “”; focus pick",
    "v alt+v": "shows reader 0",
    "ctrl+s": "submit",
    "c alt+c": "item 3; types comment “”; focus comment",
    "d ctrl+x": "types reason “”; shows cancel",
    "t alt+t": "shows moreTime 0",
    "i alt+i": "types message “”; shows askBack",
    "w alt+w": "copy Which?\n- apple\n- pear",
    "pageup ctrl+b": "scroll 10",
    "pagedown ctrl+f": "scroll 30",
    "end shift+g G": "scroll 9007199254740991",
    "? alt+?": "shows help 0",
    "2": "item 1; edit pick choose pear",
  });
});
