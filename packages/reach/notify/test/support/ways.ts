import type { LocalChannel } from "../../src/channels/channel.ts";
import { webhookKindNames } from "../../src/channels/index.ts";
import { attentionModes, notifiesAnyone, type Target, webhookSchema, webhookTargets } from "../../src/index.ts";
import { exited, type SceneOptions, scene } from "./scene.ts";

/** How a channel behaves in a scene: as it should; it fails each time; it hangs until it is told to stop. */
export type Behaviour = "works" | "fails" | "hangs";

/**
 * What the contract of channels needs to know about one: how its scene is made, and what left it. Most start a process or post; for one that does
 * neither, this is all there is to say.
 */
export interface Way {
  name: string;
  /** `showsText`: whether titles and questions may be shown. */
  open(options: { behaviour: Behaviour; showsText: boolean }): Promise<OpenWay>;
}

type Scene = Awaited<ReturnType<typeof scene>>;

export interface OpenWay {
  scene: Scene;
  /** Everything that left askbox, as text. */
  left(): string[];
  /** Whether everything that it had running was stopped, but for what outlives it. */
  isStopped(): boolean;
}

const settings = { command: "notify-my-phone" };
const attached: SceneOptions["react"] = ({ args }) => (args.includes("list-clients") ? { stdout: "1 0 /dev/pts/1\n" } : undefined);

/** A local channel that runs a program. */
const byProcess = (mode: (typeof attentionModes)[number]): Way => ({
  name: mode,
  async open({ behaviour, showsText }) {
    const reactions = { works: attached, fails: () => ({ ending: exited(9) }), hangs: () => "stays" as const };
    const made = await scene({ mode, settings: { ...settings, showText: showsText }, react: reactions[behaviour] });
    return {
      scene: made,
      left: () =>
        made.started.map(({ request: { program, args, env, input = "" } }) => [program, ...args, ...Object.values(env), input].join("\n")),
      isStopped: () => made.started.every(({ request, stopped }) => stopped === (request.outlives !== true)),
    };
  },
});

const everything: Partial<Target> = { events: ["session.opened", "session.asked_back", "session.replied_back", "session.settled"] };

/** A remote channel that posts to a receiver. */
const byPost = (kind: (typeof webhookKindNames)[number]): Way => ({
  name: kind,
  async open({ behaviour, showsText }) {
    const entry = webhookSchema.parse({ kind, url: "https://receiver.example/topic" });
    const targets = webhookTargets([entry], "/").map((target) => ({ ...target, ...everything, after: 0, text: showsText }));
    const made = await scene({ targets });
    if (behaviour === "fails") made.answers.push(...Array.from({ length: 9 }, () => new Error("down")));
    if (behaviour === "hangs") made.answers.push("hangs");
    return {
      scene: made,
      left: () => made.received.map(({ url, headers, body }) => [url, ...Object.values(headers), body].join("\n")),
      isStopped: () => true,
    };
  },
});

/** A channel that runs nothing and posts nothing, such as one that writes to a device. */
const byItself: Way = {
  name: "that neither runs a program nor posts",
  async open({ behaviour, showsText }) {
    const written: string[] = [];
    let open = 0;
    const device: LocalChannel = {
      isMessage: true,
      problems: () => [],
      open:
        ({ warnOnce, settings: { showText = true } }) =>
        async (sessions, signal) => {
          if (signal.aborted) return;
          const titles = sessions.map(({ title = "" }) => (showText ? title.replaceAll(/\p{Cc}/gu, " ") : "a question"));
          written.push(titles.join("\n"));
          if (behaviour === "fails") warnOnce("The device is not connected.");
          if (behaviour !== "hangs") return;
          open += 1;
          await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
          open -= 1;
        },
    };
    const made = await scene({ mode: "notify", settings: { showText: showsText }, channelOf: () => device });
    return { scene: made, left: () => written, isStopped: () => open === 0 };
  },
};

/** Every channel of the table, and one that is neither of both kinds. */
export const ways: readonly Way[] = [...attentionModes.filter(notifiesAnyone).map(byProcess), ...webhookKindNames.map(byPost), byItself];
