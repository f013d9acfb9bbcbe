import { test } from "vitest";
import { situations } from "./cases.ts";
import { expectKeys } from "./situations.ts";

test("under the help", () => {
  expectKeys(situations["under the help"], {
    "up k": "shows help 4",
    "down j": "shows help 6",
    "q escape ? alt+?": "closes",
    "space pagedown ctrl+f": "shows help 15",
    "pageup ctrl+b home g": "shows help 0",
    "end shift+g G": "shows help 49",
  });
});

test("under the reader", () => {
  expectKeys(situations["under the reader"], {
    "up k": "shows reader 4",
    "down j": "shows reader 6",
    "q v alt+v escape": "closes",
    "space pagedown ctrl+f": "shows reader 15",
    "pageup ctrl+b home g": "shows reader 0",
    "end shift+g G": "shows reader 49",
  });
});

test("while choosing more time", () => {
  expectKeys(situations["while choosing more time"], {
    "down j": "shows moreTime 1",
    "enter ctrl+enter 1": "closes; extend 300000 5 minutes",
    "q t alt+t escape": "closes",
    "2": "closes; extend 900000 15 minutes",
    "3": "closes; extend nothing no limit",
  });
});
