import { againstFloor, type BenchRow, interleave, median } from "./harness.ts";
import { startBareHttp } from "./parts/bare-http.ts";
import { type McpHttpClient, mcpHttpClient } from "./parts/mcp-http-client.ts";
import { startHub } from "./parts/start-hub.ts";

const rounds = 10;
const callsPerRound = 300;
const atOnce = 20;

/**
 * How many asks a second the hub takes, stores, has answered and delivers over HTTP, beside the calls of a server that answers by itself. Each ask is
 * on disk twice (asked, then answered together with the delivery of one before), and the floor never is: the bound is what a quiet machine of two cores keeps.
 */
export async function bench(): Promise<BenchRow[]> {
  const bare = await startBareHttp();
  const hub = await startHub();
  const floor = mcpHttpClient(bare.url);
  const askbox = mcpHttpClient(`${hub.url}/mcp?max-wait=0`, hub.askerToken);
  try {
    await hub.ask("answerEverything");
    const rates = await interleave(rounds, { floor: () => rate(floor, '"yes"'), askbox: () => rate(askbox, '"answered":true') });
    return [
      againstFloor(
        {
          id: "http-throughput",
          name: `asks over HTTP, ${atOnce} at once`,
          floor: median(rates.floor),
          askbox: median(rates.askbox),
          unit: "a second",
        },
        { atLeast: 0.15 },
      ),
    ];
  } finally {
    floor.close();
    askbox.close();
    await hub.close();
    await bare.close();
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
