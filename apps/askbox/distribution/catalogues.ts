import manifest from "../package.json" with { type: "json" };
import { repository } from "./plugins.ts";
import { serverJson } from "./server-json.ts";

/** What catalogues of servers and packages want to know, each in its own format. */

const { name, version, license, homepage, description } = manifest;

/** The entry of Docker's catalogue, which builds `Containerfile`. In a container of its own, the server needs a hub elsewhere. */
const dockerCatalogue = `name: ${name}
image: mcp/${name}
type: server
meta:
  category: productivity
  tags: [human-in-the-loop, questions, approvals]
about:
  title: ${name}
  description: "${serverJson.description}"
source:
  project: ${repository}
  dockerfile: Containerfile
run:
  command: [mcp]
config:
  description: The hub that holds the questions, and a token of it with the scope to ask.
  secrets:
    - name: ${name}.token
      env: ASKBOX_TOKEN
      example: from askbox token create
  env:
    - name: ASKBOX_HUB
      example: https://askbox.example.com
      value: "{{${name}.hub}}"
  parameters:
    type: object
    properties:
      hub:
        type: string
    required: [hub]
`;

/** Smithery's, which runs the published package. */
const smithery = `startCommand:
  type: stdio
  configSchema:
    type: object
    properties:
      hub:
        type: string
        description: The address of a hub elsewhere; none for one on this machine
      token:
        type: string
        description: The token for that hub
  commandFunction: |-
    ({ hub, token }) => ({
      command: "npx",
      args: ["-y", "${name}", "mcp"],
      env: { ...(hub && { ASKBOX_HUB: hub }), ...(token && { ASKBOX_TOKEN: token }) },
    })
`;

/** The catalogues' files, by their path in the repository. */
export const catalogueFiles: ReadonlyMap<string, string> = new Map([
  ["smithery.yaml", smithery],
  ["deploy/docker-mcp/server.yaml", dockerCatalogue],
]);

/** The packed command among a release's files. */
export const packedName = `${name}-${version}.tgz`;

/** Homebrew's formula for a release; `sha256` is that of its packed command. */
export const formula = (sha256: string): string => `class Askbox < Formula
  desc "${description.replace(/\.$/, "")}"
  homepage "${homepage}"
  url "${repository}/releases/download/${name}@${version}/${packedName}"
  sha256 "${sha256}"
  license "${license}"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/${name} --version")
  end
end
`;
