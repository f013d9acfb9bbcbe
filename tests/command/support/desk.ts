import { connectHub } from "@askbox/home";
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
