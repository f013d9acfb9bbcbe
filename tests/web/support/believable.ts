import type { AnswerSet, AskInput } from "@askbox/core";
import type { PastSession } from "./past.ts";

/** A realistic ask, and what a person might answer. */
export interface Scene {
  input: AskInput;
  answers: AnswerSet["answers"];
  comment?: string;
}

export const scenes = {
  styling: {
    input: {
      title: "Styling for the new checkout",
      questions: [
        {
          id: "style",
          header: "Approach",
          type: "select",
          question: "Which styling should the checkout use? The rest of the shop has **both**, and the page is new.",
          options: [
            {
              label: "CSS Modules",
              description: "As in `cart/` and `account/`; no new dependency",
              recommended: true,
              preview: "```css\n/* checkout.module.css */\n.total {\n  font-variant-numeric: tabular-nums;\n  font-weight: 600;\n}\n```",
            },
            { label: "Tailwind", description: "As in `landing/`; the design team writes it" },
            { label: "Vanilla CSS with layers", description: "Fewest bytes, most typing" },
          ],
        },
        {
          id: "steps",
          header: "Steps",
          type: "multi-select",
          question: "Which steps belong on one page?",
          options: ["Address", "Delivery", "Payment", "Review"],
        },
        { id: "copy", header: "Wording", type: "text", question: "What should the button say?", required: false, placeholder: "Pay now" },
      ],
    },
    answers: [
      { questionId: "style", values: ["CSS Modules"], note: "Same file names as in the cart, please." },
      { questionId: "steps", values: ["Address", "Delivery", "Payment"] },
      { questionId: "copy", values: ["Pay now"] },
    ],
    comment: "Ship it behind the `new-checkout` flag first.",
  },
  rollout: {
    input: {
      title: "Roll the new search out",
      questions: [
        {
          id: "risk",
          type: "rating",
          question: "How risky is it for the **shop**?",
          max: 5,
          minLabel: "safe",
          maxLabel: "reckless",
          suggestion: 2,
        },
        {
          id: "share",
          type: "number",
          question: "To how many of the visitors first?",
          min: 1,
          max: 100,
          integer: true,
          unit: "%",
          suggestion: 10,
        },
        { id: "day", type: "date", question: "From which day on?", min: "2026-11-19", max: "2026-12-18", suggestion: "2026-11-24" },
        { id: "mail", type: "text", format: "email", question: "Who is told when it goes wrong?", placeholder: "ada@example.com" },
      ],
    },
    answers: [
      { questionId: "risk", values: ["2"] },
      { questionId: "share", values: ["10"] },
      { questionId: "day", values: ["2026-11-24"] },
      { questionId: "mail", values: ["ada@example.com"] },
    ],
  },
  migration: {
    input: {
      title: "Drop the legacy_orders table?",
      questions: [
        {
          id: "drop",
          type: "confirm",
          question: "Nothing has read `legacy_orders` for 90 days. Drop it in migration **0042**? A dump stays in `s3://ledger-backups/`.",
        },
      ],
    },
    answers: [{ questionId: "drop", values: ["yes"] }],
  },
  cache: {
    input: {
      questions: [
        {
          id: "cache",
          type: "select",
          question: "The product list takes 840 ms. Where should it be cached?",
          options: [
            { label: "In the CDN, for a minute", recommended: true },
            { label: "In Redis, until a product changes" },
            { label: "Nowhere; make the query faster" },
          ],
        },
      ],
    },
    answers: [{ questionId: "cache", values: [], customText: "Make the query faster first, then measure again" }],
  },
  naming: {
    input: { questions: [{ id: "name", type: "text", question: "What should the new package for exchange rates be called?" }] },
    answers: [{ questionId: "name", values: ["rates"] }],
  },
  release: {
    input: {
      title: "Release 4.2.0",
      questions: [
        { id: "go", type: "confirm", question: "All 1,204 tests pass. Publish **4.2.0** to the registry?" },
        {
          id: "channel",
          type: "select",
          question: "Under which tag?",
          options: [{ label: "latest" }, { label: "next", description: "Only those who ask for it get it", recommended: true }],
        },
      ],
    },
    answers: [
      { questionId: "go", values: ["yes"] },
      { questionId: "channel", values: ["next"] },
    ],
  },
  flaky: {
    input: {
      questions: [
        {
          id: "flaky",
          type: "multi-select",
          question: "These tests failed once in 20 runs. Which ones may I mark as flaky?",
          options: ["sends the receipt by mail", "retries a declined card", "keeps the basket over midnight"],
        },
      ],
    },
    answers: [{ questionId: "flaky", values: ["sends the receipt by mail"] }],
  },
  access: {
    input: {
      title: "Staging needs a new database user",
      questions: [
        {
          id: "rights",
          type: "select",
          question: "Which rights should `reporting` get?",
          options: [{ label: "Read only", recommended: true }, { label: "Read and write" }, { label: "None; use the replica" }],
        },
      ],
    },
    answers: [{ questionId: "rights", values: ["None; use the replica"] }],
  },
  translation: {
    input: {
      questions: [
        { id: "tone", type: "select", question: "How should the German texts address people?", options: ["du", "Sie"] },
        { id: "dates", type: "confirm", question: "Write dates as 21.11.2026?" },
      ],
    },
    answers: [
      { questionId: "tone", values: ["Sie"] },
      { questionId: "dates", values: ["yes"] },
    ],
  },
  tests: {
    input: {
      title: "Bash: pnpm test checkout",
      questions: [
        {
          id: "approval",
          type: "approval",
          question: "May Claude Code run this command?",
          action: {
            kind: "command",
            tool: "Bash",
            title: "Run the tests of the new checkout",
            command: "pnpm test checkout",
            cwd: "/home/ada/storefront",
            input: { command: "pnpm test checkout" },
          },
          grants: ["session", "project"],
          editable: true,
        },
      ],
    },
    answers: [{ questionId: "approval", values: ["allow"] }],
  },
  staging: {
    input: {
      title: "Bash: pnpm db:migrate --to 0042 --env staging",
      questions: [
        {
          id: "approval",
          type: "approval",
          question: "May Codex run this command?",
          action: {
            kind: "command",
            tool: "Bash",
            title: "Try migration 0042 on staging",
            command: "pnpm db:migrate --to 0042 --env staging",
            cwd: "/home/ada/ledger-api",
            input: { command: "pnpm db:migrate --to 0042 --env staging" },
          },
          grants: ["session", "project"],
        },
      ],
    },
    answers: [{ questionId: "approval", values: ["allow"] }],
  },
  edit: {
    input: {
      title: "Edit: src/cart/total.ts",
      questions: [
        {
          id: "approval",
          type: "approval",
          question: "May Claude Code change this file?",
          action: {
            kind: "edit",
            tool: "Edit",
            path: "src/cart/total.ts",
            cwd: "/home/ada/storefront",
            diff: [
              "--- a/src/cart/total.ts",
              "+++ b/src/cart/total.ts",
              "@@ -11,8 +11,10 @@",
              " /** What the customer pays, in cents. */",
              " export function totalOf(cart: Cart): number {",
              "-  let total = 0;",
              "-  for (const { price, count } of cart.lines) total += price * count;",
              "-  return total + cart.delivery;",
              "+  const goods = sum(cart.lines.map(({ price, count }) => price * count));",
              "+  const discount = discountOn(goods, cart.voucher);",
              "+  const delivery = goods - discount >= freeFrom ? 0 : cart.delivery;",
              "+",
              "+  return goods - discount + delivery;",
              " }",
              " ",
              " /** The part of it that is tax, in cents. */",
            ].join("\n"),
          },
          grants: ["session", "project"],
        },
      ],
    },
    answers: [{ questionId: "approval", values: ["allow"] }],
  },
  retries: {
    input: {
      title: "Retries for the payment service",
      questions: [
        {
          id: "diff",
          type: "review",
          question: "A declined card must not be tried again; everything else up to **3 times**. Is this right?",
          document: [
            "--- a/src/payment/retry.ts",
            "+++ b/src/payment/retry.ts",
            "@@ -1,12 +1,13 @@",
            ' import { wait } from "../time.ts";',
            '+import { Declined } from "./errors.ts";',
            " ",
            " export async function withRetries<T>(pay: () => Promise<T>): Promise<T> {",
            "-  for (let left = 5; ; left -= 1) {",
            "+  for (let left = 3; ; left -= 1) {",
            "     try {",
            "       return await pay();",
            "     } catch (error) {",
            "-      if (left === 0) throw error;",
            "-      await wait(100);",
            "+      if (left === 0 || error instanceof Declined) throw error;",
            "+      await wait(200);",
            "     }",
            "   }",
            " }",
            "--- a/src/payment/retry.test.ts",
            "+++ b/src/payment/retry.test.ts",
            "@@ -20,3 +20,9 @@",
            ' test("the fourth failure is thrown", async () => {',
            "   await expect(withRetries(failing(4))).rejects.toThrow();",
            " });",
            "+",
            '+test("a declined card is not tried again", async () => {',
            "+  const pay = vi.fn().mockRejectedValue(new Declined());",
            "+  await expect(withRetries(pay)).rejects.toThrow(Declined);",
            "+  expect(pay).toHaveBeenCalledOnce();",
            "+});",
          ].join("\n"),
        },
      ],
    },
    answers: [{ questionId: "diff", values: ["approve"] }],
  },
} as const satisfies Record<string, Scene>;

const clients = ["claude-code", "claude-code", "claude-code", "codex", "codex", "gemini-cli", "opencode"];
const places = [
  { project: "/home/ada/storefront", branch: "checkout-v2", names: ["styling", "cache", "flaky", "translation"] },
  { project: "/home/ada/storefront", branch: "main", names: ["flaky", "release"] },
  { project: "/home/ada/ledger-api", branch: "drop-legacy", names: ["migration", "naming", "access"] },
  { project: "/home/ada/infra", branch: "main", names: ["access", "cache"] },
  { project: "/home/ada/docs-site", branch: "german", names: ["translation", "naming"] },
] as const;
const hour = 3_600_000;
/** How much time the agents of these scenes give a person, in ms. */
const timeout = 1_800_000;

/** Pseudo-random numbers of 0–1, the same each time. */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Three months of sessions: fewer at weekends, most answered within minutes, some never. The latest comes last. */
export function believablePast(now: number, { days = 90, seed = 7 } = {}): PastSession[] {
  const dice = createDice(seed);
  const pick = <Of>(from: readonly Of[]): Of => from[Math.floor(dice() * from.length)] as Of;
  const past: PastSession[] = [];
  for (let ago = days - 1; ago >= 0; ago -= 1) {
    const day = new Date(now);
    day.setDate(day.getDate() - ago);
    day.setHours(0, 0, 0, 0);
    const isWeekend = day.getDay() % 6 === 0;
    const most = isWeekend ? 2 : 11 - ago / 18;
    for (let left = ago === 0 ? 8 : Math.round(dice() * most); left > 0; left -= 1) {
      const askedAt = day.getTime() + (9 + dice() * 9) * hour;
      const session = believable(askedAt, { dice, pick });
      if (askedAt + (session.after ?? 0) < now - 60_000) past.push(session);
    }
  }
  return past.sort((a, b) => a.askedAt - b.askedAt);
}

/** Commands that an agent asked for in the last hours; a person allowed them all. */
export function pastCommands(now: number): PastSession[] {
  const commands = ["pnpm test cart", "git status", "pnpm test checkout", "pnpm lint", "pnpm test cart --coverage", "pnpm test checkout"];
  return commands.map((command, index) => ({
    input: {
      title: `Bash: ${command}`,
      questions: scenes.tests.input.questions.map(({ action, ...question }) => ({
        ...question,
        action: { kind: action.kind, tool: action.tool, command, cwd: action.cwd, input: { command } },
      })),
    },
    client: "claude-code",
    project: "/home/ada/storefront",
    branch: "checkout-v2",
    askedAt: now - hour * (commands.length - index),
    after: 6_000 + 1_700 * index,
    by: { surface: "web", name: "Firefox on Linux" },
    ended: { kind: "answered", answers: scenes.tests.answers },
  }));
}

function believable(askedAt: number, { dice, pick }: { dice(): number; pick<Of>(from: readonly Of[]): Of }): PastSession {
  const { project, branch, names } = pick(places);
  const scene: Scene = scenes[pick<keyof typeof scenes>(names)];
  const client = pick(clients);
  const by = pick([
    { surface: "web", name: "Firefox on Linux" },
    { surface: "web", name: "Safari on iPhone" },
    { surface: "terminal" },
  ] as const);
  const common = { input: { ...scene.input, timeout }, client, project, branch, askedAt, by };
  const luck = dice();
  // The sum of three is roughly normal; its power of ten has the long tail of real response times.
  const after = Math.round(1_000 * 10 ** Math.min(3.2, 0.15 + 1.1 * (dice() + dice() + dice())));
  if (luck < 0.05) return { ...common, after: timeout, ended: { kind: "timed_out", reply: { answers: scene.answers } } };
  if (luck < 0.11) return { ...common, after: timeout, ended: { kind: "timed_out" } };
  if (luck < 0.16)
    return { ...common, after, ended: { kind: "cancelled", reason: pick(["Not today", "I will do this by hand", "Ask Grace first"]) } };
  if (luck < 0.19) return { ...common, after, ended: { kind: "withdrawn" } };
  const { answers, comment } = scene;
  return { ...common, after, ended: { kind: "answered", answers: [...answers], comment } };
}
