import { afterAll, beforeAll, describe } from "vitest";
import { describeBrowser } from "./cases/browser.ts";
import { describeCommand } from "./cases/command.ts";
import { describePrograms } from "./cases/programs.ts";
import { describeSizes } from "./cases/sizes.ts";
import { describeTarballs } from "./cases/tarballs.ts";
import { describeTypes, namingModules } from "./cases/types.ts";
import { type Published, publish } from "./support/published.ts";
import { samplesOf } from "./support/readme.ts";

/** The packages as users get them from the registry, from tarballs. In one file, so that they are packed and installed once. */
describe("the public packages, packed and installed elsewhere", () => {
  let published: Published | undefined;
  const it = (): Published => {
    if (published === undefined) throw new Error("Packing and installing failed; see above.");
    return published;
  };

  beforeAll(async () => {
    published = await publish({ ...namingModules, ...samplesOf("embedding") });
  }, 900_000);
  afterAll(() => published?.close());

  describeTarballs(it);
  describeTypes(it);
  describePrograms(it);
  describeBrowser(it);
  describeSizes(it);
  describeCommand(it);
});
