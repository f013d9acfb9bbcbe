import { readFileSync } from "node:fs";
import { AskboxError } from "@askbox/core";

/** A host and port, or a unix socket. */
export type Address = { host: string; port: number } | { path: string };

export interface Credentials {
  username: string | undefined;
  password: string | undefined;
}

interface Tls {
  ca: string | undefined;
  cert: string | undefined;
  key: string | undefined;
  servername: string | undefined;
}

/** The location of an askbox space, read from a URL. */
export interface RedisTarget {
  /** How to find the server: directly, through sentinels, or through any nodes of a cluster. */
  kind: "single" | "sentinel" | "cluster";
  seeds: readonly Address[];
  /** The master's name in the sentinels' configuration. */
  master: string;
  database: number;
  credentials: Credentials;
  sentinelCredentials: Credentials;
  tls: Tls | undefined;
  /** The prefix of all keys of this space, used as their hash tag. */
  prefix: string;
  /** How many replicas must confirm a write; by default one if there is any, else none. */
  replicas: number | undefined;
  /** Timeout of one command, in ms. */
  timeout: number;
  /** The URL without secrets, for display. */
  label: string;
}

const schemes = /^(redis|rediss|valkey|valkeys)(?:\+(sentinel|cluster|unix))?:$/;
const known = ["prefix", "replicas", "timeout", "db", "cafile", "certfile", "keyfile", "servername", "passwordfile"];
const knownOfSentinels = ["sentineluser", "sentinelpassword", "sentinelpasswordfile"];
const defaultTimeout = 5_000;

/** Whether a store's location is a URL of this package. */
export const isRedisUrl = (name: string): boolean => /^(rediss?|valkeys?)(\+[a-z]+)?:/.test(name);

/**
 * The URL without user, password and options, for logs and status. An invalid URL is reduced to its scheme, since the password could be
 * anywhere in it.
 */
export function redisLabel(url: string): string {
  try {
    return readRedisUrl(url, () => "").label;
  } catch {
    return `${/^[a-z+]*/.exec(url)?.[0] ?? "redis"}:…`;
  }
}

/**
 * Reads `redis[s]://[user][:password]@host:port/database?options`, `redis[s]+sentinel://…@h1:p1,h2:p2/master/database`,
 * `redis[s]+cluster://…@h1:p1,h2:p2` and `redis+unix:///path?db=N`; `valkey` stands for `redis` everywhere. Throws `VALIDATION` with a
 * message that never contains the URL.
 */
export function readRedisUrl(url: string, readFile = (path: string) => readFileSync(path, "utf8")): RedisTarget {
  const parts = /^([a-z+]+:)\/\/(?:([^@/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/.exec(url);
  const [, protocol = "", user = "", hosts = "", path = "", search = ""] = parts ?? [];
  const scheme = schemes.exec(protocol);
  if (parts === null || scheme === null) throw invalid("it must look like redis://user:password@host:6379/0");
  const isSecure = scheme[1] === "rediss" || scheme[1] === "valkeys";
  const variant = scheme[2] as "sentinel" | "cluster" | "unix" | undefined;
  const options = new URLSearchParams(search);
  const allowed = variant === "sentinel" ? [...known, ...knownOfSentinels] : known;
  // Its name is not shown: it may be the rest of a password that contains a question mark.
  if ([...options.keys()].some((name) => !allowed.includes(name)))
    throw invalid(`its options are ${allowed.join(", ")}, and it has another`);
  const option = (name: string) => options.get(name) ?? undefined;
  const secret = (value: string | undefined, file: string | undefined) => value ?? (file === undefined ? undefined : read(readFile, file));
  const colon = user.indexOf(":");
  const username = decode(colon === -1 ? user : user.slice(0, colon));
  const password = colon === -1 ? undefined : decode(user.slice(colon + 1));
  const places = decode(path)
    .split("/")
    .filter((place) => place !== "");
  const databaseText = option("db") ?? (variant === "sentinel" ? places[1] : variant === "unix" ? undefined : places[0]);
  const database = whole(databaseText, "the database number", 0) ?? 0;
  if (variant === "cluster" && database !== 0) throw invalid("a cluster has database 0 only");
  const tls = isSecure
    ? {
        ca: optionalFile(readFile, option("cafile")),
        cert: optionalFile(readFile, option("certfile")),
        key: optionalFile(readFile, option("keyfile")),
        servername: option("servername"),
      }
    : undefined;
  const seeds = variant === "unix" ? [{ path: decode(path) }] : hosts.split(",").map((host) => hostAndPort(host, variant));
  const master = variant === "sentinel" ? (places[0] ?? "mymaster") : "";
  return {
    kind: variant === "sentinel" || variant === "cluster" ? variant : "single",
    seeds,
    master,
    database,
    credentials: { username: username || undefined, password: secret(password, option("passwordfile")) },
    sentinelCredentials: {
      username: option("sentineluser"),
      password: secret(option("sentinelpassword"), option("sentinelpasswordfile")),
    },
    tls,
    prefix: prefixOf(option("prefix")),
    replicas: whole(option("replicas"), "replicas", 0),
    timeout: whole(option("timeout"), "timeout", 100) ?? defaultTimeout,
    label: `${protocol}//${variant === "unix" ? decode(path) : hosts}${master === "" ? "" : `/${master}`}${database === 0 ? "" : `/${database}`}${
      option("prefix") === undefined ? "" : `?prefix=${prefixOf(option("prefix"))}`
    }`,
  };
}

function prefixOf(value: string | undefined): string {
  if (value === undefined) return "askbox";
  // Braces would end the hash tag, and keys of a space could be in several slots.
  if (!/^[\w.:-]{1,100}$/.test(value)) throw invalid("its prefix may have letters, digits and _ . : - only, 1 to 100 of them");
  return value;
}

function hostAndPort(text: string, variant: string | undefined): Address {
  const found = /^(\[[0-9a-fA-F:.]+\]|[^:@[\]\s]+)?(?::(\d{1,5}))?$/.exec(text);
  if (found === null) throw invalid("a host must look like name:port");
  const port = Number(found[2] ?? (variant === "sentinel" ? 26_379 : 6_379));
  if (port < 1 || port > 65_535) throw invalid("a port is from 1 to 65535");
  return { host: (found[1] ?? "127.0.0.1").replace(/^\[|\]$/g, ""), port };
}

function whole(text: string | undefined, what: string, least: number): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) throw invalid(`${what} must be a whole number of ${least} or more`);
  return Number(text);
}

const optionalFile = (readFile: (path: string) => string, path: string | undefined) =>
  path === undefined ? undefined : read(readFile, path);

function read(readFile: (path: string) => string, path: string): string {
  try {
    return readFile(path).trimEnd();
  } catch (error) {
    throw invalid(`the file ${path}, which it names, cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid("its % escapes are not valid");
  }
}

function invalid(reason: string): AskboxError {
  return new AskboxError("VALIDATION", `The Redis URL of the store cannot be used: ${reason}.`);
}
