import { type AskerInfo, limits } from "@askbox/core";
import { askerInfoSchema, storedAskerSchema } from "@askbox/core/schemas";
import { anAsk, anAsker } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { localInbox } from "./support.ts";

const { asker: max } = limits;
const bounded: [field: string, limit: number, info: (text: string) => Partial<AskerInfo>][] = [
  ["client.name", max.clientName, (name) => ({ client: { name } })],
  ["client.version", max.clientVersion, (version) => ({ client: { name: "x", version } })],
  ["project", max.project, (project) => ({ project })],
  ["branch", max.branch, (branch) => ({ branch })],
  ["agentId", max.agentId, (agentId) => ({ agentId })],
  ["tool", max.tool, (tool) => ({ tool })],
  ["conversation", max.conversation, (conversation) => ({ conversation })],
];

describe("an asker field", () => {
  // promise: asker-info-bounded
  test.each(bounded)("is rejected with one sentence when its %s is longer than %i characters", async (field, limit, info) => {
    const inbox = await localInbox();
    const asker = await inbox.asker();
    const sentence = `asker.${field} must be at most ${limit} characters long.`;
    const long = { ...anAsker(), ...info("x".repeat(limit + 1)) };
    await expect(asker.ask(anAsk(), { asker: long, maxWait: 0 })).rejects.toMatchObject({ code: "VALIDATION", message: sentence });
    await expect(asker.collect(long)).rejects.toMatchObject({ code: "VALIDATION", message: sentence });
    const fitting = { ...anAsker(), ...info("x".repeat(limit)) };
    const { session } = await asker.ask(anAsk(), { asker: fitting, maxWait: 0 });
    expect(session.asker).toEqual(fitting);
    await inbox.close();
  });

  // promise: asker-info-bounded
  test.each(["key", "idempotencyKey"])("is rejected when its %s is longer than 200 characters", async (name) => {
    const inbox = await localInbox();
    const asker = await inbox.asker();
    const asking = { asker: anAsker(), maxWait: 0, [name]: "x".repeat(201) };
    const message = `${name} must be at most 200 characters long.`;
    await expect(asker.ask(anAsk(), asking)).rejects.toMatchObject({ code: "VALIDATION", message });
    await inbox.close();
  });

  test("is read from the store whatever length it had when it was asked", () => {
    const old = { client: { name: "x".repeat(10_000) } };
    expect(storedAskerSchema.parse(old)).toEqual(old);
    expect(askerInfoSchema.safeParse(old).success).toBe(false);
  });
});
