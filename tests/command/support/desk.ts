import { connectHub, homeFolders, readHubFile } from "@askbox/home";
import { until } from "../../support/until.ts";
import type { Home } from "./home.ts";

/** Starts the home's hub if it isn't running, and connects a person's desk to it until the home is closed. */
export async function connectDesk(home: Home) {
  await home.run(["list"]);
  const client = await connectHub({
    role: "desk",
    surface: "web",
    start: false,
    agent: { name: "test", version: "1" },
    env: { ASKBOX_HOME: home.path },
  });
  home.whenClosed(async () => client.close());
  return client;
}

/** The process of the home's hub; 0 if there is none. */
export const hubPid = (home: Home) => readHubFile(homeFolders({ env: { ASKBOX_HOME: home.path } }))?.pid ?? 0;

/** The hub, in this process or one that can be killed, and a person's desk on it. */
export async function openDesk(home: Home, where: "here" | "process" = "here") {
  if (where === "here") await home.serve();
  const client = await connectDesk(home);
  const { desk } = client;
  /** The id of the only such session, once there is one. */
  const only = (status: "pending" | "cancelled") =>
    until(`one session is ${status}`, async () => {
      const { items } = await desk.list({ statuses: [status] });
      return items.length === 1 && items[0]?.id;
    });
  const answer = async (id: string, values: string[], customText?: string) => {
    const [question] = (await desk.get(id)).questions;
    return desk.answer(id, { answers: [{ questionId: question?.id ?? "", values, customText }] });
  };
  return { client, desk, only, answer };
}
