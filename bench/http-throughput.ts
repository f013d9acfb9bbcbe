import { againstFloor, type BenchRow, interleave, median } from "./harness.ts";
import { startBareHttp } from "./parts/bare-http.ts";
import { type McpHttpClient, mcpHttpClient } from "./parts/mcp-http-client.ts";
import { startHub } from "./parts/start-hub.ts";

const rounds = 10;
const callsPerRound = 300;
const atOnce = 20;

/**
 * How many asks a second the hub takes, stores, has answered and delivers over HTTP, beside the calls of two servers that answer by themselves: one
 * that stores nothing, and one that makes the same two durable commits.
 */
export async function bench(): Promise<BenchRow[]> {
  const bare = await startBareHttp();
  const durable = await startBareHttp({ durable: true });
  const hub = await startHub();
  const floor = mcpHttpClient(bare.url);
  const durableFloor = mcpHttpClient(durable.url);
  const askbox = mcpHttpClient(`${hub.url}/mcp?max-wait=0`, hub.askerToken);
  try {
    await hub.ask("answerEverything");
    const stored: number[] = [];
    const rates = await interleave(rounds, {
      async floor() {
        stored.push(await rate(durableFloor, '"yes"'));
        return rate(floor, '"yes"');
      },
      askbox: () => rate(askbox, '"answered":true'),
    });
    const name = `asks over HTTP, ${atOnce} at once`;
    const measured = { askbox: median(rates.askbox), unit: "a second" };
    return [
      againstFloor(
        { id: "http-throughput", name: `${name}; floor: a server that stores nothing`, floor: median(rates.floor), ...measured },
        { atLeast: 0.3 },
      ),
      againstFloor(
        { id: "http-throughput-durable", name: `${name}; floor: the same two commits`, floor: median(stored.slice(-rounds)), ...measured },
        { atLeast: 0.5 },
      ),
    ];
  } finally {
    floor.close();
    durableFloor.close();
    askbox.close();
    await hub.close();
    await bare.close();
    await durable.close();
  }
}

let asked = 0;

/** Calls a second. */
async function rate(client: McpHttpClient, expected: string): Promise<number> {
  let left = callsPerRound;
  const begun = performance.now();
  const work = async () => {
    while (left > 0) {
      left -= 1;
      asked += 1;
      const text = await client.call("ask_user", { questions: [{ id: "a", question: `Question ${asked}?` }] });
      if (!text.includes(expected)) throw new Error(`A call brought something else: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return callsPerRound / ((performance.now() - begun) / 1_000);
}
