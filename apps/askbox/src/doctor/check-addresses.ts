import { openLedger, planMove, type WrittenAddress, writtenAddresses } from "@askbox/clients";
import { forgetWantedPort, type HomeFiles, type HomeFolders, probeHub, readLastHubFile } from "@askbox/home";
import { terminalLine } from "@askbox/terminal-text";
import { type Finding, fail, found, ok, type Surroundings } from "./finding.ts";

/**
 * Whether the addresses in the clients' files still lead to a hub: a hub whose port was taken comes up at another. With `fix`, they are
 * replaced by the address of this home's hub.
 */
export function checkAddresses(
  folders: HomeFolders,
  files: HomeFiles,
  { env, hubUrl, fix = false }: Surroundings & { fix?: boolean | undefined },
): Promise<Finding[]> {
  return found("addresses", async () => {
    const written = writtenAddresses(openLedger(files));
    const own = hubUrl === undefined && !env["ASKBOX_HUB"] ? readLastHubFile(folders) : undefined;
    if (written.length === 0 || own === undefined) return [];
    const hub = new URL(own.url).origin;
    const states = await Promise.all(written.map(async (one) => ({ one, isWell: one.origin === hub || (await answers(one)) })));
    const stale = states.filter(({ isWell }) => !isWell).map(({ one }) => one);
    if (stale.length === 0) return [ok("addresses", "The addresses in the clients' files lead to a hub.")];
    return stale.map((one) => (fix ? fixed(folders, files, one, hub) : fail("addresses", sentence(one, hub))));
  });
}

/** Another home's hub may be there on purpose. */
async function answers({ origin }: WrittenAddress): Promise<boolean> {
  try {
    await probeHub(origin);
    return true;
  } catch {
    return false;
  }
}

const sentence = ({ path, origin }: WrittenAddress, hub: string): string =>
  `${terminalLine(path)} names ${terminalLine(origin)}, where no hub answers; this home's hub is at ${terminalLine(hub)}. Run: askbox doctor --fix`;

function fixed(folders: HomeFolders, files: HomeFiles, one: WrittenAddress, hub: string): Finding {
  planMove(openLedger(files), one, hub).carryOut();
  // The next hub would otherwise go back to the port that the file no longer names.
  forgetWantedPort(folders);
  return ok(
    "addresses",
    `${terminalLine(one.path)} names ${terminalLine(hub)} now, instead of ${terminalLine(one.origin)}; restart the client.`,
  );
}
