import { spend } from "../../support/until.ts";
import { type Actor, bearer, leftAlone, type SoakTarget } from "./target.ts";
import { unlessReset } from "./unless-reset.ts";

interface Account {
  id: string;
  status: string;
}

/** Over REST: questions that are answered, cancelled, delayed, withdrawn or left to time out, with a waiting asker or without. */
export const restAsker: Actor = async (target, name, chance) => {
  const { ended, count } = target;
  const once = async (number: number) => {
    const body = { questions: [{ id: "q", question: `Question ${number} of ${name}?` }], timeout: 10_000, agentId: name };
    const { id } = await request<Account>(target, "asker", "POST", "/api/sessions", body);
    count();
    const end = chance.between(1, 10);
    if (end <= 4) await request(target, "desk", "POST", `/api/sessions/${id}/answer`, { answers: [{ questionId: "q", values: ["yes"] }] });
    else if (end <= 7) await request(target, "desk", "POST", `/api/sessions/${id}/cancel`, { reason: "not now" });
    else if (end === 8) {
      await request(target, "desk", "POST", `/api/sessions/${id}/extend`, { timeout: 11_000 });
      await request(target, "desk", "POST", `/api/sessions/${id}/cancel`, {});
    }
    // The others time out, some while an asker waits.
    if (end !== 10) await request(target, "asker", "GET", `/api/sessions/${id}?wait=${end === 9 ? 12 : 1}`);
  };
  for (let number = 0; !ended.aborted; number += 1) {
    await unlessReset(() => once(number));
    await spend(chance.between(10, 60));
  }
};

async function request<Body>(target: SoakTarget, as: "asker" | "desk", method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: {
      ...bearer(as === "asker" ? target.askerToken : target.deskToken),
      "content-type": "application/json",
      "user-agent": leftAlone,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Body;
}
