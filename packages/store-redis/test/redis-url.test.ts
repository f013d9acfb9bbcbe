import { describe, expect, test } from "vitest";
import { isRedisUrl, readRedisUrl, redisLabel } from "../src/redis-url.ts";

const files = (path: string) => (path === "/run/secret" ? "from the file\n" : `content of ${path}`);
const read = (url: string) => readRedisUrl(url, files);

describe("the URL of a Redis store", () => {
  test.each([
    [
      "redis://h",
      { kind: "single", seeds: [{ host: "h", port: 6379 }], database: 0, prefix: "askbox", tls: undefined, label: "redis://h" },
    ],
    [
      "redis://u:p%40ss@h:7000/3?prefix=team-a&replicas=2&timeout=900",
      {
        credentials: { username: "u", password: "p@ss" },
        database: 3,
        prefix: "team-a",
        replicas: 2,
        timeout: 900,
        label: "redis://h:7000/3?prefix=team-a",
      },
    ],
    ["redis://:only@[::1]:7000", { seeds: [{ host: "::1", port: 7000 }], credentials: { username: undefined, password: "only" } }],
    ["valkeys://h?cafile=/ca&servername=n", { tls: { ca: "content of /ca", cert: undefined, key: undefined, servername: "n" } }],
    [
      "redis+sentinel://u:p@a,b:5/main/2?sentinelpassword=s",
      {
        kind: "sentinel",
        seeds: [
          { host: "a", port: 26379 },
          { host: "b", port: 5 },
        ],
        master: "main",
        database: 2,
        sentinelCredentials: { username: undefined, password: "s" },
        label: "redis+sentinel://a,b:5/main/2",
      },
    ],
    [
      "rediss+cluster://a,b",
      {
        kind: "cluster",
        seeds: [
          { host: "a", port: 6379 },
          { host: "b", port: 6379 },
        ],
      },
    ],
    ["redis+unix:///run/redis.sock?db=4", { seeds: [{ path: "/run/redis.sock" }], database: 4, label: "redis+unix:///run/redis.sock/4" }],
    ["redis://h?passwordfile=/run/secret", { credentials: { username: undefined, password: "from the file" } }],
  ])("%s is accepted", (url, expected) => {
    expect(isRedisUrl(url)).toBe(true);
    expect(read(url)).toMatchObject(expected);
  });

  test.each([
    "redis:h",
    "http://h",
    "redis+ftp://h",
    "redis://s3cret@bad host",
    "redis://u:s3cret@h:99999",
    "redis://u:s3cret@h:x",
    "redis://u:s3/cret@h",
    "redis://u:s3@cret@h",
    "redis://u:%zz@h?s3cret",
    "redis://u:s3cret@h/one",
    "redis://u:s3cret@h?prefix={a}b",
    "redis://u:s3cret@h?prefx=a",
    "redis://u:s3cret@h?replicas=-1",
    "redis+cluster://u:s3cret@h/2",
    "redis://h?sentinelpassword=s3cret",
  ])("%s is rejected with a sentence that does not contain the secret", (url) => {
    let refusal: unknown;
    try {
      read(url);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toMatchObject({
      code: "VALIDATION",
      message: expect.stringMatching(/^The Redis URL of the store cannot be used: .+\.$/),
    });
    expect(String((refusal as Error).message)).not.toMatch(/s3|cret/);
    expect(redisLabel(url)).not.toMatch(/s3|cret/);
  });

  test("names a password file that cannot be read", () => {
    expect(() => readRedisUrl("redis://h?passwordfile=/nowhere/at/all")).toThrow(
      /\/nowhere\/at\/all, which it names, cannot be read \(ENOENT\)/,
    );
  });
});
