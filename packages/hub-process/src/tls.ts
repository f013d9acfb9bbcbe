import { X509Certificate } from "node:crypto";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";
import { AskboxError, type Log } from "@askbox/core";
import type { TlsFiles } from "@askbox/hub";

/** Milliseconds between checks of the files. */
const lookEvery = 5_000;

/** The paths of certificate and key; absolute. */
export interface TlsPaths {
  cert: string;
  key: string;
}

/** A matching certificate and key, and the fingerprint for clients. */
export interface HubTls extends TlsFiles {
  /** SHA-256, in Node's format. */
  fingerprint: string;
}

/** Reads both files. Throws `VALIDATION` with one sentence if one cannot be read or is not a PEM file, or they do not match. */
export function readTls({ cert, key }: TlsPaths): HubTls {
  const files = { cert: read(cert, "certificate"), key: read(key, "private key") };
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(files.cert);
  } catch (cause) {
    throw invalid(`${cert} contains no certificate; use a PEM file.`, cause);
  }
  try {
    createSecureContext(files);
  } catch (cause) {
    const code = String((cause as { code?: unknown }).code);
    if (code.includes("VALUES_MISMATCH") || code.includes("TYPE_MISMATCH")) {
      throw invalid(`The private key ${key} is not that of the certificate ${cert}; give the two that belong together.`, cause);
    }
    throw invalid(`${key} holds no private key that can be used; give a PEM file without a passphrase.`, cause);
  }
  return { ...files, fingerprint: certificate.fingerprint256 };
}

/** Reads the files again whenever one of them changes, and reports valid pairs. Returns a function that stops it. */
export function followTls(paths: TlsPaths, options: { log: Log; onRenewed(tls: HubTls): void }): () => void {
  const { log, onRenewed } = options;
  const look = () => {
    try {
      onRenewed(readTls(paths));
      log("info", "The certificate was read again", { cert: paths.cert });
    } catch (error) {
      // The other file may be about to change.
      log("warn", "The hub keeps its current certificate", { why: error instanceof Error ? error.message : String(error) });
    }
  };
  const files = [paths.cert, paths.key];
  for (const file of files) watchFile(file, { interval: lookEvery, persistent: false }, look);
  return () => {
    for (const file of files) unwatchFile(file, look);
  };
}

function read(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw invalid(
      `The ${what} ${path} cannot be read (${String((cause as { code?: unknown }).code)}); correct the path or its rights.`,
      cause,
    );
  }
}

const invalid = (sentence: string, cause: unknown) => new AskboxError("VALIDATION", sentence, { cause });
