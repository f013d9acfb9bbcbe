import type { Clock } from "@askbox/core";
import { readJsonFile } from "@askbox/home";
import { pause, testToken } from "@askbox/notify";
import { type Fetch, smallFetch } from "./http.ts";
import { type PlatformName, platformNames, platformOf } from "./platforms.ts";
import type { ChatMessage } from "./port.ts";
import { readChatSettings } from "./settings.ts";
import { statePath } from "./start-chat.ts";

/** What came of a test of one chat. */
export interface ChatTestResult {
  way: string;
  /** Why it was not sent. */
  trouble?: string;
  /** Milliseconds until its button was pressed; null if it was not. */
  pressedAfter?: number | null;
}

/** How often the hub's file is looked at for a press, in ms. */
const lookEvery = 250;

/** Posts a test in each chat, and waits for the press of its button, which the running hub reads. */
export async function sendChatTests(options: {
  file: string;
  clock: Clock;
  fetch?: Fetch | undefined;
  /** Milliseconds to wait for a press. */
  timeout: number;
  /** Called when everything is sent, with the number of buttons that can be pressed. */
  onSent(buttons: number): void;
}): Promise<ChatTestResult[]> {
  const { file, clock, fetch = smallFetch, timeout, onSent } = options;
  const settings = readChatSettings(file);
  const sent = await Promise.all(
    platformNames.flatMap((name) => {
      const desk = settings[name];
      if (desk === undefined) return [];
      const platform = platformOf(name);
      const access = { secrets: desk.secrets, api: desk.api ?? platform.api, clock, fetch };
      return desk.places.map(async ({ chat, title, members: [member] }) => {
        const who = title ?? desk.people.find(({ id }) => id === member?.person)?.name ?? chat;
        const token = testToken();
        const result = await platform.send(access, chat, testMessage(token), token);
        return { name, way: `${platform.title} to ${who}`, token, trouble: result.ok ? undefined : result.why };
      });
    }),
  );
  onSent(sent.filter(({ trouble }) => trouble === undefined).length);
  return Promise.all(
    sent.map(async ({ name, way, token, trouble }): Promise<ChatTestResult> => {
      if (trouble !== undefined) return { way, trouble };
      const start = clock.monotonic();
      while (clock.monotonic() < start + timeout) {
        if (isPressed(file, name, token)) return { way, pressedAfter: Math.round(clock.monotonic() - start) };
        await pause(clock, lookEvery, new AbortController().signal);
      }
      return { way, pressedAfter: null };
    }),
  );
}

const isPressed = (file: string, name: PlatformName, token: string) => {
  const { tests } = readJsonFile(statePath(file, name)) ?? {};
  return Array.isArray(tests) && tests.includes(token);
};

const testMessage = (token: string): ChatMessage => ({
  parts: [
    { as: "bold", text: "A test of askbox" },
    { as: "text", text: "Does this reach you?" },
  ],
  rows: [[{ id: token, label: "It works" }]],
});
