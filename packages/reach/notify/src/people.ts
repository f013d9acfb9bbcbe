import type { SessionView } from "@askbox/core";
import { type AnnouncedFile, type Announcer, type AnnouncerChannel, startAnnouncer } from "./announcer.ts";
import { noRules, timesElsewhere } from "./attention.ts";
import { buttonsOf, takeButtonPress } from "./button-press/button-press.ts";
import { readButtonPresses } from "./button-press/reader.ts";
import { type ButtonPressStore, signedTokens } from "./button-press/tokens.ts";
import type { HandedButtons } from "./channels/channel.ts";
import { answersAt, isForPerson, isWanted, requestOf, shownUrl, type Target } from "./channels/index.ts";
import { causeOf, post } from "./channels/post.ts";
import { takesAnswer } from "./event.ts";
import { type Failures, failures, type WarnOnce } from "./failures.ts";
import type { NotifyOptions, RemoteOptions } from "./options.ts";

/** Announces to a person elsewhere what nobody has seen, and how it ended; and takes their answer. */
export type PersonFollower = Announcer & { target: Target };

/** Announces at each target that a person reads. */
export function startPeople(options: NotifyOptions, remote: RemoteOptions, context: PersonContext): PersonFollower[] {
  return remote.targets.filter(isForPerson).map((target) => ({ target, ...startPerson(options, remote, target, context) }));
}

/** Whether somebody answers with a press, elsewhere than in a browser. */
export const takesButtonPresses = ({ targets, answerAs }: RemoteOptions): boolean =>
  answerAs !== undefined && targets.some((target) => isForPerson(target) && answersAt(target) !== undefined);

interface PersonContext {
  file: AnnouncedFile;
  store: ButtonPressStore | undefined;
  warnOnce: WarnOnce;
}

function startPerson(options: NotifyOptions, remote: RemoteOptions, target: Target, { file, store, warnOnce }: PersonContext) {
  const { claim, fetch = globalThis.fetch, random, answerAs } = remote;
  const { clock, log, meter, rules = noRules } = options;
  const [place, shown] = [target.url, shownUrl(target)];
  const answers = store === undefined ? undefined : answersAt(target);
  const tokens = store && signedTokens(store, clock.now);
  const buttonsHere = (session: SessionView) => (answers && buttonsOf(session, answers)?.buttons) ?? [];
  const handOut = async (session: SessionView): Promise<HandedButtons | undefined> => {
    const found = answers && buttonsOf(session, answers);
    if (tokens === undefined || found === undefined || found.buttons.length === 0) return undefined;
    const handed = await tokens.hand(
      place,
      session.id,
      found.buttons.map(({ answer }) => answer),
    );
    const { whole, file } = found;
    return { whole, file, buttons: found.buttons.map(({ label }, index) => ({ label, token: handed[index] ?? "" })) };
  };
  const channel: AnnouncerChannel = {
    key: place,
    noun: "push",
    shown,
    atOnce: 4,
    random,
    onResult: (result) => meter?.(target.kind, result),
    timesOf: (session) => timesElsewhere(rules, session, target.after),
    takes: (event) => isWanted(target, event),
    tellsEnd: (event, isAnnounced) => isAnnounced || isWanted(target, event),
    async send([event], signal) {
      if (event === undefined) return { ok: true };
      try {
        const handed = takesAnswer(event) ? await handOut(event.session) : undefined;
        const sent = await post(requestOf(target, event, clock.now(), handed), clock, fetch, signal);
        // Not every server takes files.
        const isRefused = !sent.ok && sent.status !== undefined && sent.status < 500;
        if (handed?.file === undefined || !isRefused) return sent;
        return await post(requestOf(target, event, clock.now(), { ...handed, file: undefined }), clock, fetch, signal);
      } catch (error) {
        return { ok: false, why: `its buttons could not be stored: ${causeOf(error)}`, isFinal: false };
      }
    },
    ...(claim && { claim: (news: string) => claim(`${news}@${place}`) }),
  };
  const announcer = startAnnouncer(options, channel, file);
  if (answers === undefined || tokens === undefined || store === undefined || answerAs === undefined) return announcer;
  const taking = { desk: answerAs(answers.name), tokens, place, shown, log, warnOnce, tell: announcer.tell, buttonsOf: buttonsHere };
  const failed = failures(clock, log);
  const reader = readButtonPresses({
    clock,
    log,
    fetch,
    shown,
    request: () => answers.stream(target, store.readUntil(place)),
    async onLine(line) {
      const message = answers.read(line);
      if (message === undefined) return;
      await failed.attempt(`a press at ${shown} failed`, () => takeButtonPress(message.text, taking));
      store.saveRead(place, message.id);
    },
  });
  return withReader(announcer, reader, store, failed);
}

function withReader(
  announcer: Announcer,
  reader: ReturnType<typeof readButtonPresses>,
  store: ButtonPressStore,
  failed: Failures,
): Announcer {
  return {
    ...announcer,
    status() {
      const status = announcer.status();
      const trouble = status.trouble ?? reader.trouble() ?? failed.trouble();
      return { ...status, ...(trouble !== undefined && { trouble }) };
    },
    async close() {
      failed.close();
      await Promise.all([announcer.close(), reader.close()]);
      await store.written();
    },
  };
}
