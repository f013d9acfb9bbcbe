// Loaded into a process first: moves its wall clock by the milliseconds currently in the file ASKBOX_TEST_CLOCK.
import { readFileSync } from "node:fs";

const RealDate = Date;
const now = () => RealDate.now() + Number(readFileSync(process.env["ASKBOX_TEST_CLOCK"] ?? "", "utf8"));

globalThis.Date = new Proxy(RealDate, {
  construct: (target, parts: unknown[], newTarget) => Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget) as Date,
  get: (target, name, receiver) => (name === "now" ? now : (Reflect.get(target, name, receiver) as unknown)),
});
