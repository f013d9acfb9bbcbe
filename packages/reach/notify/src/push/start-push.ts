import type { CancelTimer, Clock, Log, SessionView, SharedState } from "@askbox/core";
import { type AnnouncedFile, type Announcer, startAnnouncer } from "../announcer.ts";
import { noRules, timesElsewhere } from "../attention.ts";
import { type ButtonPressResult, buttonsOf, takeButtonPress } from "../button-press/button-press.ts";
import { type ButtonPressStore, isTestToken, signedTokens, testToken } from "../button-press/tokens.ts";
import type { HandedButtons } from "../channels/channel.ts";
import { defaultAfter } from "../channels/index.ts";
import { causeOf, post } from "../channels/post.ts";
import { eventOf, type NotifyEvent, takesAnswer } from "../event.ts";
import type { WarnOnce } from "../failures.ts";
import type { NotifyOptions, Push, PushBrowser, PushOptions, RemoteOptions } from "../options.ts";
import type { Attempt } from "../queue.ts";
import { settledTest, type TestResult, testLabel, testSession } from "../test-session.ts";
import { publicFetch } from "./subscription.ts";
import { messageOf, pushRequest } from "./web-push.ts";

const place = "push";
/**
 * What a notification has room for: two buttons, and a text that systems show whole. A longer question is opened by a tap, and a longer action
 * can only be denied there.
 */
const room = { max: 2, maxBody: 240, maxLines: 4, maxLabel: 30, listsLabels: false };
/** The push service has no such browser any more (RFC 8030, section 7.3). */
const gone: readonly (number | undefined)[] = [404, 410];

/** Announces to browsers what nobody has seen, and how it ended; and takes their button presses. */
export function startPush(
  options: NotifyOptions,
  remote: RemoteOptions,
  { key, browsers, forget, answerAs, showText }: PushOptions,
  { file, store, warnOnce }: { file: AnnouncedFile; store: ButtonPressStore; warnOnce: WarnOnce },
): Announcer & Push {
  const { claim, fetch = publicFetch(), random, shared } = remote;
  const { clock, log, meter, rules = noRules } = options;
  const tokens = signedTokens(store, clock.now);
  /** Browsers that an event was sent to, so that another attempt is only for the others. */
  const sentTo = new WeakMap<NotifyEvent, Set<string>>();
  /** When a push service takes the next message to a browser, by the monotonic clock. */
  const notBefore = new Map<string, number>();
  const placeOf = ({ id }: PushBrowser) => `${place}:${id}`;
  const here = ({ push }: PushBrowser, session: SessionView) => (showText ? buttonsOf(session, { ...room, allow: push.allow }) : undefined);

  const handOut = async (browser: PushBrowser, session: SessionView): Promise<HandedButtons | undefined> => {
    const { whole, buttons = [] } = here(browser, session) ?? {};
    if (buttons.length === 0) return undefined;
    const answers = buttons.map(({ answer }) => answer);
    const handed = await tokens.hand(placeOf(browser), session.id, answers);
    return { whole, buttons: buttons.map(({ label }, index) => ({ label, token: handed[index] ?? "" })) };
  };
  const send = async (browser: PushBrowser, event: NotifyEvent, signal: AbortSignal, test?: HandedButtons): Promise<Attempt> => {
    const wait = (notBefore.get(browser.id) ?? 0) - clock.monotonic();
    if (wait > 0) return { ok: false, why: "it takes no more messages for now", isFinal: false, after: wait };
    try {
      const handed = test ?? (takesAnswer(event) ? await handOut(browser, event.session) : undefined);
      const message = messageOf({ event, browser, showText, handed });
      const attempt = await post(pushRequest(await key(), browser, event, message, clock.now()), clock, fetch, signal);
      if (attempt.ok) notBefore.delete(browser.id);
      else if (attempt.after !== undefined) notBefore.set(browser.id, clock.monotonic() + attempt.after);
      else if (gone.includes(attempt.status)) await drop(browser);
      return attempt;
    } catch (error) {
      return { ok: false, why: causeOf(error), isFinal: error instanceof RangeError || error instanceof TypeError };
    }
  };
  const drop = async (browser: PushBrowser) => {
    log("info", "A browser gets no more pushes: its subscription has ended", { browser: browser.name });
    notBefore.delete(browser.id);
    await forget(browser);
  };
  const sendToAll = async ([event]: readonly NotifyEvent[], signal: AbortSignal): Promise<Attempt> => {
    if (event === undefined) return { ok: true };
    const sent = sentTo.get(event) ?? new Set();
    sentTo.set(event, sent);
    const attempts = await Promise.all(
      browsers()
        .filter(({ id }) => !sent.has(id))
        .map(async (browser) => {
          const attempt = await send(browser, event, signal);
          if (attempt.ok || attempt.isFinal) sent.add(browser.id);
          return attempt;
        }),
    );
    const failed = attempts.flatMap((attempt) => (attempt.ok ? [] : [attempt]));
    const again = failed.filter(({ isFinal }) => !isFinal);
    const soonest = again.reduce((least, { after = 0 }) => Math.min(least, after), Number.POSITIVE_INFINITY);
    const [first] = again;
    if (first !== undefined) return { ...first, after: soonest };
    const [last] = failed;
    return last === undefined || failed.length < attempts.length || gone.includes(last.status) ? { ok: true } : last;
  };
  const announcer = startAnnouncer(
    options,
    {
      key: place,
      noun: "push",
      shown: "browsers",
      atOnce: 4,
      random,
      onResult: (result) => meter?.(place, result),
      timesOf: (session) => (browsers().length === 0 ? undefined : timesElsewhere(rules, session, defaultAfter)),
      tellsEnd: (_event, isAnnounced) => isAnnounced && browsers().length > 0,
      send: sendToAll,
      ...(claim && { claim: (news: string) => claim(`${news}@${place}`) }),
    },
    file,
  );
  const tests = pushTests({ clock, log, shared, browsers, send });
  return {
    ...announcer,
    status: () => ({ ...announcer.status(), browsers: browsers().length }),
    test: tests.run,
    async press(from, token) {
      const browser = browsers().find(({ id }) => id === from);
      if (browser === undefined) {
        warnOnce("A browser that gets no pushes any more pressed a button; it was ignored.");
        return { status: "refused", why: "This browser was logged out, or its notifications turned off. Open the inbox to answer." };
      }
      if (isTestToken(token)) return tests.pressed(from, token);
      const shown = browser.name;
      return takeButtonPress(token, {
        desk: answerAs(browser),
        tokens,
        place: placeOf(browser),
        shown,
        log,
        warnOnce,
        buttonsOf: (session) => here(browser, session)?.buttons ?? [],
      });
    },
  };
}

const topic = "push-test";

interface PushTestsOptions {
  clock: Clock;
  log: Log;
  /** Another hub may get the press. */
  shared: SharedState | undefined;
  browsers(): readonly PushBrowser[];
  send(browser: PushBrowser, event: NotifyEvent, signal: AbortSignal, handed?: HandedButtons): Promise<Attempt>;
}

/** Tests of the way to each browser, each with a button that answers nothing. */
function pushTests({ clock, log, shared, browsers, send }: PushTestsOptions) {
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
