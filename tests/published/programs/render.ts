/** Renders the `App` of the module named by its argument with a broker and a question, in a page without a browser. */
import { createBroker, memoryStore, parseAsk, standardPlatform } from "@askbox/core";
import { createElement } from "react";

// Its types need a newer compiler than the oldest supported one.
const { Window } = await import("happy-dom" as string);
const window = new Window();
Object.assign(globalThis, { window, document: window.document });
const { createRoot } = await import("react-dom/client");

const [, , path = ""] = process.argv;
const { App } = await import(path);
const platform = standardPlatform(globalThis);
const broker = await createBroker({ store: memoryStore(), ...platform });
const root = createRoot(document.body);
root.render(createElement(App, { desk: broker.desk({ surface: "web" }) }));
const drawn = new Promise<void>((resolve) => {
  const look = () => {
    if (document.body.innerHTML !== "") resolve();
  };
  new window.MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
});
const request = parseAsk({ questions: [{ question: "Deploy?", type: "confirm" }] }, platform);
await broker.asker("a-project").ask(request, { asker: { client: { name: "a-project", version: "1.0.0" } }, maxWait: 0 });
await drawn;
console.log(document.body.innerHTML);
root.unmount();
await window.happyDOM.close();
await broker.close();
