import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** The compressed forms of a file; none if compression does not pay off. */
export type Encodings = Partial<Record<"br" | "gzip", Buffer>>;

/** Below this many bytes, the headers cost more than compression saves. */
const smallest = 1_024;
const compressible = /^text\/|javascript|json|xml|wasm/;
/** Takes some tens of ms for the page's largest file, once per run of the hub. */
const brotliQuality = 8;

const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)];

export async function encodingsOf(body: Buffer, type: string): Promise<Encodings> {
  if (body.length < smallest || !compressible.test(type)) return {};
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  const [br, gz] = await Promise.all([
    brotli(body, { params: { [BROTLI_PARAM_QUALITY]: brotliQuality, [BROTLI_PARAM_SIZE_HINT]: body.length } }),
    zip(body, { level: 9 }),
  ]);
  return { ...(br.length < body.length && { br }), ...(gz.length < body.length && { gzip: gz }) };
}

/** The best encoding that the `Accept-Encoding` header allows; undefined for the file as it is. */
export function chosenEncoding(header: string | undefined, encodings: Encodings): "br" | "gzip" | undefined {
  const taken = new Map<string, boolean>();
  for (const item of (header ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    taken.set(name, !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter)));
  }
  return (["br", "gzip"] as const).find((name) => encodings[name] !== undefined && (taken.get(name) ?? taken.get("*") ?? false));
}
