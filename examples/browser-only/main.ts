/** A page that is its own host: its agent asks, its user answers, and both resume after a reload. No server, no hub. */
import { type AskerInfo, askResult, createBroker, type Handover, parseAsk, type SessionRecord, standardPlatform } from "@askbox/core";
import { listSessions } from "./inbox.ts";
import { indexedDbStore } from "./indexed-db-store.ts";

const platform = standardPlatform(globalThis);
const me: AskerInfo = { client: { name: "the page's agent" } };
const form = document.querySelector("form") as HTMLFormElement;
const told = document.querySelector("#told") as HTMLElement;

async function start(): Promise<void> {
  const broker = await createBroker({ store: await indexedDbStore("askbox"), ...platform });

  // The person's side.
  const desk = broker.desk({ surface: "web" });
  await desk.watch({}, () => void listSessions(desk));

  // The agent's side: it waits for its questions, even from before a reload, and prints the results.
  const asker = broker.asker("this-page");
  const onEvent = async (session: SessionRecord, ack: () => Promise<void>) => {
    const { sessionId: _, ...said } = askResult(session);
    told.textContent = JSON.stringify(said);
    await ack();
  };
  const deliver = async ({ session, ack }: Handover) => onEvent(session, ack);
  for (const { id } of (await desk.list({ statuses: ["pending"] })).items) void asker.resume(id, { earlier: false }).then(deliver);
  const { earlier, ack } = await asker.collect(me);
  for (const session of earlier) await onEvent(session, ack);

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { question, options } = Object.fromEntries(new FormData(form)) as Record<string, string>;
    const choices = options?.split(",").flatMap((option) => option.trim() || []) ?? [];
    const asked = choices.length === 0 ? { question } : { question, type: "select", options: choices };
    const request = parseAsk({ questions: [asked], timeout: 1_800_000 }, { ids: platform.ids });
    await deliver(await asker.ask(request, { asker: me, earlier: false }));
  });
  document.body.dataset["ready"] = "";
}

// A second tab of this page takes over when the first is closed, since only one broker at a time may use the store.
void navigator.locks.request("askbox", async () => {
  await start();
  await new Promise(() => {});
});
