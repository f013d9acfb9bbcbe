import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { homeFolders, readDeskFile } from "@askbox/home";
import { freePort, startRedis } from "@askbox/store-redis/testing";
import { checkHistory } from "../faults/history/check.ts";
import { askbox, faultHome } from "../faults/support/home.ts";
import { seededChance } from "../faults/support/rounds.ts";
import { createRecorder } from "../faults/traffic/recorder.ts";
import { spend } from "../support/until.ts";
import { connectInspector } from "./inspector.ts";
import { judge, progress, report, type Sample } from "./report.ts";
import { fill } from "./traffic/fill.ts";
import { startReceiver } from "./traffic/receiver.ts";
import { mustLive, startTraffic } from "./traffic/traffic.ts";
import { readCensus, readVitals } from "./vitals.ts";

const help = `pnpm soak [options]

Keeps a real hub busy with everything that comes to a hub, looks at what it has alive meanwhile, and ends with 1 when something grows with the calls in
the second half of the time, or when an answer was lost.

  --minutes N    how long the traffic lasts, 2 to 1,440 (default 3); the first half is to warm up
  --store S      sqlite (default), memory or redis; Redis is a server of its own
  --json FILE    writes all samples and the verdict there
  --help         this text

ASKBOX_FAULTS_SEED repeats the traffic's choices.
`;

/** Samples of the hub, spread over the time. */
const looks = 60;
/** How many samples per walk of the whole heap, and per progress line. */
const [walks, told] = [2, 5];
/** If samples take long on a slow machine, the traffic continues until there are enough heap walks, or for twice the time. */
const fewestWalks = 12;

interface Options {
  minutes: number;
  store: "sqlite" | "memory" | "redis";
  json: string | undefined;
}

function readOptions(args: readonly string[]): Options | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        minutes: { type: "string", default: "3" },
        store: { type: "string", default: "sqlite" },
        json: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const minutes = Number(values.minutes);
    if (values.help) return help;
    if (!(minutes >= 2 && minutes <= 1_440)) return "--minutes takes a number from 2 to 1,440.";
    if (values.store !== "sqlite" && values.store !== "memory" && values.store !== "redis") return "--store takes sqlite, memory or redis.";
    return { minutes, store: values.store, json: values.json };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function soak({ minutes, store, json }: Options): Promise<string[]> {
  const ends: (() => Promise<void>)[] = [];
  try {
    const receiver = await startReceiver();
    ends.push(receiver.close);
    const redis = store === "redis" ? await startRedis({ settings: { appendfsync: "everysec" } }) : undefined;
    if (redis !== undefined) ends.push(redis.stop);
    const home = faultHome({
      env: { ASKBOX_LIMITS_PENDING_PER_TOKEN: "1000000", ASKBOX_STORE: redis?.url ?? store },
      onTestFinished: (end) => void ends.push(end),
    });
    writeFileSync(join(home.folder, "config.json"), JSON.stringify({ webhooks: [{ url: receiver.url }] }));
    const inspectorPort = await freePort();
    const [node = "", script = ""] = askbox;
    const hub = await home.startHub({ command: [node, `--inspect=127.0.0.1:${inspectorPort}`, script, "hub", "--json"] });
    const inspector = await connectInspector(inspectorPort);
    ends.push(async () => inspector.close());

    const { url = "", askerToken = "" } = home.hub() ?? {};
    const deskToken = readDeskFile(homeFolders({ env: home.env }))?.deskToken ?? "";
    await fill({ home });
    const recorder = createRecorder();
    let others = 0;
    const calls = () => others + recorder.history.filter(({ type }) => type === "called").length;
    const count = () => {
      others += 1;
    };
    const traffic = startTraffic({ home, recorder, url, askerToken, deskToken, count }, seededChance("soak"));
    const samples: Sample[] = [];
    const began = performance.now();
    const look = async () => {
      mustLive(hub.pid);
      const seconds = (performance.now() - began) / 1_000;
      const census = samples.length % walks === 0 ? await readCensus(inspector) : {};
      samples.push({ seconds, calls: calls(), ...census, ...(await readVitals(inspector, { pid: hub.pid, store: home.files.database })) });
      if (samples.length % told === 0) console.error(progress(samples));
    };
    const counted = () => samples.filter(({ seconds }) => seconds >= minutes * 30);
    const isEnough = () => counted().filter(({ promises }) => promises !== undefined).length >= fewestWalks;
    const watching = async () => {
      const time = minutes * 60_000;
      for (let elapsed = 0; elapsed < time || (!isEnough() && elapsed < 2 * time); elapsed = performance.now() - began) {
        const next = elapsed + time / looks;
        await look();
        await spend(Math.max(0, next - (performance.now() - began)));
      }
    };
    await Promise.race([watching(), traffic.failed]);
    await traffic.end();
    await traffic.complete();
    mustLive(hub.pid);

    const judged = judge(counted());
    const faults = checkHistory(recorder.history);
    console.log(report(judged));
    const events = (type: string) => recorder.history.filter((event) => event.type === type).length;
    console.log(
      `${calls()} calls, of them ${events("called")} asks with a history: ${events("acknowledged")} answers acknowledged, ` +
        `${events("handed")} outcomes handed over; ${receiver.received()} webhooks.`,
    );
    if (json !== undefined) writeFileSync(resolve(json), `${JSON.stringify({ minutes, store, samples, judged, faults }, undefined, 2)}\n`);
    const complaints = judged.filter(({ isGrowing }) => isGrowing).map(({ sentence }) => sentence);
    return [...complaints, ...faults];
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

const options = readOptions(process.argv.slice(2));
if (options === help) console.log(help);
else if (typeof options === "string") {
  console.error(`${options} \`pnpm soak --help\` tells more.`);
  process.exitCode = 2;
} else {
  const complaints = await soak(options);
  console.log(
    complaints.length === 0 ? "soak: nothing grows, and no answer was lost." : `soak: FAILED: ${complaints.slice(0, 5).join("; ")}.`,
  );
  // Failed actors may still be running.
  process.exit(complaints.length === 0 ? 0 : 1);
}
