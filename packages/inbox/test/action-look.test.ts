import { fakeClock } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { ActionLook } from "../src/index.ts";

const whole = { isInView: true, isEndInView: true };

function aLook() {
  const clock = fakeClock();
  const look = new ActionLook(clock);
  look.open("one");
  look.saw("run", whole);
  return { clock, look };
}

test("an action is allowed once it was on the screen for 700 ms, again from when the page is back in sight", async () => {
  const { clock, look } = aLook();
  await clock.advance(699);
  expect(look.unread("run")).toBe("early");
  await clock.advance(1);
  expect(look.unread("run")).toBeUndefined();
  look.appear();
  await clock.advance(699);
  expect(look.unread("run")).toBe("early");
  await clock.advance(1);
  expect(look.unread("run")).toBeUndefined();
});

test("another question, and other arguments, have to be looked at again", async () => {
  const { clock, look } = aLook();
  await clock.advance(700);
  look.saw("run", { ...whole, version: "changed" });
  await clock.advance(699);
  expect(look.unread("run", "changed")).toBe("early");
  await clock.advance(1);
  expect(look.unread("run", "changed")).toBeUndefined();
  look.open("two");
  expect(look.unread("run")).toBe("early");
});

test("letters decide nothing until 700 ms after text was typed", async () => {
  const { clock, look } = aLook();
  expect(look.takesLetters("run")).toBe(true);
  look.typing.typed();
  await clock.advance(699);
  expect(look.takesLetters("run")).toBe(false);
  await clock.advance(1);
  expect(look.takesLetters("run")).toBe(true);
});

test("an answer was just sent for 400 ms", async () => {
  const { clock, look } = aLook();
  expect(look.hasJustSent).toBe(false);
  look.sent();
  await clock.advance(399);
  expect(look.hasJustSent).toBe(true);
  await clock.advance(1);
  expect(look.hasJustSent).toBe(false);
});
