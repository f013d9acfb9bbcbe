import { describe, expect, test } from "vitest";
import { quietHoursOf, quietUntil } from "../src/attention.ts";
import { type AttentionRule, attentionRuleSchema, quietHoursSchema } from "../src/index.ts";
import { scene, target } from "./support/scene.ts";

const minute = 60_000;
const hour = 60 * minute;
const phone = target({ kind: "ntfy", url: "https://ntfy.example/my-topic", events: ["session.opened"] });

/** Quiet hours around a time, by the minute. */
function around(now: number, { before, after }: { before: number; after: number }): string {
  const time = (at: number) => new Date(at).toTimeString().slice(0, 5);
  return `${time(now - before)}-${time(now + after)}`;
}

describe("quiet hours", () => {
  const at = (time: string) => new Date(`2026-03-10T${time}`).getTime();
  test.each([
    ["22:00-07:00", "21:59:59.999", undefined],
    ["22:00-07:00", "22:00", "2026-03-11T07:00"],
    ["22:00-07:00", "00:00", "2026-03-10T07:00"],
    ["22:00-07:00", "06:59:59.999", "2026-03-10T07:00"],
    ["22:00-07:00", "07:00", undefined],
    ["12:30-13:15", "12:29", undefined],
    ["12:30-13:15", "13:14", "2026-03-10T13:15"],
    ["12:30-13:15", "13:15", undefined],
    ["00:00-23:59", "23:58", "2026-03-10T23:59"],
  ])("of %s are at %s in force until %s", (text, now, end) => {
    const hours = quietHoursOf(text);
    expect(hours && quietUntil(hours, at(now))).toBe(end === undefined ? undefined : new Date(end).getTime());
  });

  test.each(["22:00", "24:00-07:00", "22:60-07:00", "7:00-8:00", "07:00-07:00", ""])("are not %j", (text) => {
    expect(quietHoursSchema.safeParse(text).error?.issues[0]?.message).toMatch(/two different times of day/);
  });

  test("hold back what comes in them or falls due, and all that is unseen comes once they end", async () => {
    const { clock: from } = await scene();
    const quietHours = around(from.now(), { before: minute, after: 10 * minute });
    const { ask, answer, bodies, clock, desk, started } = await scene({
      mode: "notify",
      targets: [phone],
      rules: { quietHours, rules: [] },
    });
    const [unseen, seen, answered] = [await ask({ timeout: 30 * minute }), await ask({ timeout: 30 * minute }), await ask()];
    (await desk.attend(seen))();
    await answer(answered);
    await clock.advance(9 * minute);
    expect([started.length, bodies().length]).toEqual([0, 0]);
    await clock.advance(2 * minute);
    expect(started).toHaveLength(1);
    expect(bodies().map(({ sequence_id }) => sequence_id)).toEqual([unseen]);
    await clock.advance(4 * minute);
    expect(bodies()).toHaveLength(2);
  });

  test("hold back nothing that ends in them, and a restart in them announces nothing", async () => {
    const { clock: from } = await scene();
    const quietHours = around(from.now() + 2 * minute, { before: 0, after: hour });
    const { ask, bodies, clock, notify, startAgain } = await scene({ targets: [phone], rules: { quietHours, rules: [] } });
    await ask({ timeout: 4 * minute });
    await clock.advance(minute);
    expect(bodies()).toHaveLength(1);
    await notify.close();
    await ask({ timeout: 10 * minute });
    await clock.advance(2 * minute);
    await startAgain();
    await clock.advance(2 * hour);
    // The first question's end replaces its push.
    expect(bodies().filter(({ priority }) => priority !== 1)).toHaveLength(1);
  });
});

describe("settings for a client, a project or a machine", () => {
  const rules = (...list: AttentionRule[]) => ({ rules: list });

  test.each<[string, AttentionRule, boolean]>([
    ["its folder", { project: "/home/ada/engine", attention: "none" }, true],
    ["a folder around it", { project: "/home/ada/", attention: "none" }, true],
    ["another folder of the same beginning", { project: "/home/ada/eng", attention: "none" }, false],
    ["the client's title", { client: "claude code", attention: "none" }, true],
    ["the name that the client reports", { client: "claude-code", attention: "none" }, true],
    ["another client", { client: "Codex", attention: "none" }, false],
    ["its machine", { machine: "build-7", attention: "none" }, true],
    ["another machine", { machine: "build-8", attention: "none" }, false],
    ["its client in another project", { client: "claude-code", project: "/srv", attention: "none" }, false],
  ])("count by %s", async (_, rule, matches) => {
    const { announce, started } = await scene({ rules: rules(rule) });
    await announce({}, { client: { name: "claude-code" }, machine: "build-7" });
    expect(started).toHaveLength(matches ? 0 : 1);
  });

  test("choose the channel, the time until somebody elsewhere is told, and quiet hours; the first that matches counts", async () => {
    const { clock: from } = await scene();
    const { ask, bodies, clock, started } = await scene({
      mode: "none",
      targets: [phone],
      rules: {
        quietHours: around(from.now(), { before: minute, after: hour }),
        rules: [
          { project: "/srv/urgent", after: 0, quietHours: "off", attention: "notify" },
          { project: "/srv/hidden", after: "never", quietHours: "off" },
          { project: "/srv", after: 60, quietHours: "off" },
        ],
      },
    });
    const ids = [];
    for (const project of ["urgent", "hidden", "slow"]) ids.push(await ask({ timeout: 30 * minute }, { project: `/srv/${project}` }));
    await ask({ timeout: 30 * minute });
    await clock.advance(2_000);
    expect(started).toHaveLength(1);
    expect(bodies().map(({ sequence_id }) => sequence_id)).toEqual([ids[0]]);
    await clock.advance(minute);
    expect(bodies().map(({ sequence_id }) => sequence_id)).toEqual([ids[0], ids[2]]);
  });

  test("need a client or a project", () => {
    expect(attentionRuleSchema.safeParse({ after: 0 }).success).toBe(false);
    expect(attentionRuleSchema.safeParse({ client: "Codex", after: -1 }).success).toBe(false);
    expect(attentionRuleSchema.safeParse({ client: "Codex", after: "never", quietHours: "22:00-07:00" }).success).toBe(true);
  });
});
