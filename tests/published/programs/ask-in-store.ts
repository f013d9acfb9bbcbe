/** Opens the store named by its argument, asks a question there, and exits. */
import { createBroker, parseAsk, standardPlatform } from "@askbox/core";
import { openRedisStore } from "@askbox/store-redis";
import { openSqliteStore } from "@askbox/store-sqlite";

const [, , place = ""] = process.argv;
const store = await (place.startsWith("redis:") ? openRedisStore({ url: place }) : openSqliteStore({ path: place }));
const platform = standardPlatform(globalThis);
const broker = await createBroker({ store, ...platform });
const request = parseAsk({ questions: [{ question: "Deploy?", type: "confirm" }] }, platform);
const { session } = await broker
  .asker("a-project")
  .ask(request, { asker: { client: { name: "a-project", version: "1.0.0" } }, maxWait: 0 });
console.log(session.id);
await broker.close();
await store.close();
