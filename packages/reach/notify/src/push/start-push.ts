import type { SessionView } from "@askbox/core";
import type { AnnouncedFile } from "../announced-file.ts";
import { type Announcer, startAnnouncer } from "../announcer.ts";
import { noRules, timesElsewhere } from "../attention-schema.ts";
import { buttonsOf } from "../button-press/buttons.ts";
import type { ButtonPressStore } from "../button-press/store.ts";
import { takeButtonPress } from "../button-press/take-button-press.ts";
import { isTestToken } from "../button-press/test-token.ts";
import { signedTokens } from "../button-press/tokens.ts";
import type { HandedButtons } from "../channels/channel.ts";
import { causeOf, post } from "../channels/post.ts";
import { defaultAfter } from "../channels/webhook-schema.ts";
import type { NotifyEvent } from "../event.ts";
import type { NotifyOptions, RemoteOptions } from "../options.ts";
import type { Attempt } from "../queue/queue.ts";
import type { WarnOnce } from "../warn-once.ts";
import { messageOf, pushRequest } from "./message.ts";
import type { Push, PushBrowser, PushOptions } from "./options.ts";
import { publicFetch } from "./public-fetch.ts";
import { pushTests } from "./push-tests.ts";

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
      const handed = test ?? (event.type === "session.settled" ? undefined : await handOut(browser, event.session));
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
