import { test } from "vitest";
import { situations } from "./cases.ts";
import { expectKeys } from "./situations.ts";

test("in the help", () => {
  expectKeys(situations["in the help"], {
    "up k": "shows help 4",
    "down j": "shows help 6",
    "q escape ? alt+?": "closes",
    "space pagedown ctrl+f": "shows help 15",
    "pageup ctrl+b home g": "shows help 0",
    "end shift+g G": "shows help 49",
  });
});

test("in the reader", () => {
  expectKeys(situations["in the reader"], {
    "up k": "shows reader 4",
    "down j": "shows reader 6",
    "q v alt+v escape": "closes",
    "space pagedown ctrl+f": "shows reader 15",
    "pageup ctrl+b home g": "shows reader 0",
    "end shift+g G": "shows reader 49",
  });
});

test("while extending the deadline", () => {
  expectKeys(situations["while extending the deadline"], {
    "down j": "shows moreTime 1",
    "enter ctrl+enter 1": "closes; extend 300000 5 minutes",
    "q t alt+t escape": "closes",
    "2": "closes; extend 900000 15 minutes",
    "3": "closes; extend nothing no limit",
  });
});
