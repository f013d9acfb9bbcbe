/** Renders the inbox of the module that its argument names (`surfaceOver` and `App`) over a broker with a question. */
import { createBroker, memoryStore, parseAsk, standardPlatform } from "@askbox/core";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const [, , path = ""] = process.argv;
const { App, surfaceOver } = await import(path);
const platform = standardPlatform(globalThis);
const broker = await createBroker({ store: memoryStore(), ...platform });
const parts = surfaceOver(broker.desk({ surface: "web" }), platform.clock);
const request = parseAsk({ questions: [{ question: "Deploy?", type: "confirm" }] }, platform);
const arrived = new Promise((resolve) => parts.inbox.onArrival(resolve));
const ready = new Promise<void>((resolve) => {
  const stop = parts.inbox.subscribe(() => {
    if (!parts.inbox.getState().ready) return;
    stop();
    resolve();
  });
});
await ready;
await broker.asker("a-project").ask(request, { asker: { client: { name: "a-project", version: "1.0.0" } }, maxWait: 0 });
await arrived;
console.log(renderToStaticMarkup(createElement(App, { parts })));
parts.forms.close();
parts.inbox.close();
await broker.close();
