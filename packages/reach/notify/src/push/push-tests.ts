import type { CancelTimer, Clock, Log, SharedState } from "@askbox/core";
import { testToken } from "../button-press/test-token.ts";
import type { HandedButtons } from "../channels/channel.ts";
import { eventOf, type NotifyEvent } from "../event.ts";
import type { Attempt } from "../queue/queue.ts";
import { settledTest, type TestResult, testLabel, testSession } from "../test-session.ts";
import type { ButtonPressResult, PushBrowser } from "./options.ts";

const topic = "push-test";

export interface PushTestsOptions {
  clock: Clock;
  log: Log;
  /** Another hub may get the press. */
  shared: SharedState | undefined;
  browsers(): readonly PushBrowser[];
  send(browser: PushBrowser, event: NotifyEvent, signal: AbortSignal, handed?: HandedButtons): Promise<Attempt>;
}

/** Tests of the way to each browser, each with a button that answers nothing. */
export function pushTests({ clock, log, shared, browsers, send }: PushTestsOptions) {
  /** Tests that wait for a press, by browser and token. */
  const waiting = new Map<string, () => void>();
  const take = (press: string): boolean => {
    waiting.get(press)?.();
    return waiting.has(press);
  };
  const test = async (browser: PushBrowser, timeout: number, signal: AbortSignal): Promise<TestResult> => {
    const way = `push to ${browser.name}`;
    const session = testSession(clock.now(), timeout);
    const token = testToken();
    const press = `${browser.id} ${token}`;
    const handed = { whole: session.questions[0]?.question, buttons: [{ label: testLabel, token }] };
    const attempt = await send(browser, eventOf("session.opened", session), signal, handed);
    if (!attempt.ok) return { way, trouble: attempt.why };
    const start = clock.monotonic();
    let cancel: CancelTimer = () => {};
    const isPressed = await new Promise<boolean>((resolve) => {
      waiting.set(press, () => resolve(true));
      cancel = clock.setTimer(timeout, () => resolve(false));
      signal.addEventListener("abort", () => resolve(false), { once: true });
    });
    cancel();
    waiting.delete(press);
    const pressedAfter = isPressed ? Math.round(clock.monotonic() - start) : null;
    const end = eventOf("session.settled", settledTest(session, isPressed, clock.now(), browser.person ?? browser.name));
    await send(browser, end, AbortSignal.timeout(15_000));
    return { way, pressedAfter };
  };
  return {
    async run(timeout: number, signal: AbortSignal): Promise<TestResult[]> {
      const unsubscribe = await shared?.subscribe(topic, (press) => void take(press));
      try {
        return await Promise.all(browsers().map((browser) => test(browser, timeout, signal)));
      } finally {
        unsubscribe?.();
      }
    },
    async pressed(from: string, token: string): Promise<ButtonPressResult> {
      const isTaken = take(`${from} ${token}`);
      if (!isTaken && shared !== undefined) await shared.publish(topic, `${from} ${token}`);
      if (!isTaken && shared === undefined) {
        log("debug", "The button of a test was pressed that waits no longer");
        return { status: "refused", why: "The test waits no longer. Run askbox doctor --send again." };
      }
      return { status: "taken", isRepeated: false };
    },
  };
}
