import type { Clock, Log } from "@askbox/core";
import { buttonsOf } from "./button-press/button-press.ts";
import { readButtonPresses } from "./button-press/reader.ts";
import { testToken } from "./button-press/tokens.ts";
import type { LocalContext } from "./channels/channel.ts";
import { answersAt, isForPerson, localChannel, requestOf, shownUrl, type Target } from "./channels/index.ts";
import { type Fetch, post } from "./channels/post.ts";
import { eventOf } from "./event.ts";
import type { LocalOptions } from "./options.ts";
import { processRunner } from "./run.ts";
import { settledTest, type TestResult, testSession } from "./test-session.ts";

export interface SendTestsOptions {
  clock: Clock;
  log: Log;
  targets: readonly Target[];
  local?: Omit<LocalOptions, "isSomebodyThere" | "isPageOpen" | "inboxLink" | "askboxCommand"> | undefined;
  /** Milliseconds to wait for a press. */
  timeout: number;
  /** Called when everything is sent, with the number of buttons that can be pressed. */
  onSent(buttons: number): void;
  fetch?: Fetch | undefined;
}

/** Sends a test message by each way to a person that shows one, and waits for the button presses. */
export async function sendTests(options: SendTestsOptions): Promise<TestResult[]> {
  const { local, targets, onSent } = options;
  const onMachine = local === undefined ? [] : await sendLocally(options, local);
  const sent = await Promise.all(targets.filter(isForPerson).map((target) => sendElsewhere(options, target)));
  onSent(sent.filter(({ hasButton }) => hasButton).length);
  return [...onMachine, ...(await Promise.all(sent.map(({ result }) => result)))];
}

/** A channel that shows the inbox instead of a message has nothing to show here. */
async function sendLocally({ clock, log }: SendTestsOptions, local: NonNullable<SendTestsOptions["local"]>): Promise<TestResult[]> {
  const { mode, run = processRunner(clock, local.platform) } = local;
  const { open, isMessage } = localChannel(mode);
  if (open === undefined || !isMessage) return [];
  let trouble: string | undefined;
  const note = (sentence: string) => {
    trouble ??= sentence;
  };
  const context: LocalContext = {
    onShown() {},
    ...local,
    run,
    clock,
    warnOnce: note,
    askboxCommand: [],
    isPageOpen: () => false,
    inboxLink: () => Promise.reject(new Error("A test has no link.")),
    log(level, message, data) {
      if (level === "warn" || level === "error") note(message);
      else log(level, message, data);
    },
  };
  await open(context)([testSession(clock.now(), 0)], new AbortController().signal);
  return [{ way: mode, ...(trouble !== undefined && { trouble }) }];
}

async function sendElsewhere(
  { clock, log, timeout, fetch = globalThis.fetch }: SendTestsOptions,
  target: Target,
): Promise<{ hasButton: boolean; result: Promise<TestResult> }> {
  const way = `${target.kind} ${shownUrl(target)}`;
  const session = testSession(clock.now(), timeout);
  const token = testToken();
  const there = answersAt(target);
  const found = there && buttonsOf(session, there);
  const pressed = Promise.withResolvers<boolean>();
  const reader =
    there &&
    readButtonPresses({
      clock,
      log,
      fetch,
      shown: shownUrl(target),
      request: () => there.stream(target, undefined),
      async onLine(line) {
        if (there.read(line)?.text === token) pressed.resolve(true);
      },
    });
  const end = new AbortController();
  const send = (event: ReturnType<typeof eventOf>, handed?: Parameters<typeof requestOf>[3]) =>
    post(requestOf(target, event, clock.now(), handed), clock, fetch, end.signal);
  const handed = found && { whole: found.whole, buttons: found.buttons.map((button) => ({ label: button.label, token })) };
  const attempt = await send(eventOf("session.opened", session), handed);
  const finish = async (): Promise<TestResult> => {
    if (!attempt.ok || reader === undefined) {
      await reader?.close();
      return { way, ...(!attempt.ok && { trouble: attempt.why }) };
    }
    const start = clock.monotonic();
    const cancel = clock.setTimer(timeout, () => pressed.resolve(false));
    const isPressed = await pressed.promise;
    cancel();
    const pressedAfter = isPressed ? Math.round(clock.monotonic() - start) : null;
    const trouble = isPressed ? undefined : reader.trouble();
    await reader.close();
    await send(eventOf("session.settled", settledTest(session, isPressed, clock.now(), there?.name)));
    return { way, pressedAfter, ...(trouble !== undefined && { trouble }) };
  };
  return { hasButton: attempt.ok && handed !== undefined, result: finish() };
}
