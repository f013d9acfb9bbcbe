import { createECDH, createPublicKey, verify } from "node:crypto";
import { describe, expect, test } from "vitest";
import { endpointProblem, subscriptionSchema } from "../../src/push/subscription.ts";
import { encryptPush, maxMessage, newVapidKey, publicKeyOf, vapidAuthorization } from "../../src/push/web-push.ts";
import { newBrowserKeys, readPush } from "../../src/testing/push-service.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

describe("a push's encryption", () => {
  test("gives the message of RFC 8291, appendix A", () => {
    const keys = {
      p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      auth: "BTBZMqHH6r4Tts7J_aSIgg",
    };
    const made = encryptPush("When I grow up, I want to be a watermelon", keys, {
      salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
      privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    });
    expect(made.toString("base64url")).toBe(
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
    );
  });

  test(`takes up to ${maxMessage} bytes, which fill the 4,096 that a push service takes, and refuses more`, () => {
    const browser = newBrowserKeys();
    const text = "é".repeat(maxMessage / 2) + "x".repeat(maxMessage % 2);
    const made = encryptPush(text, browser.keys);
    expect(made.length).toBe(4_096);
    expect(readPush(browser, made)).toBe(text);
    expect(() => encryptPush(`${text}x`, browser.keys)).toThrow(RangeError);
  });
});

describe("a hub's authorization", () => {
  test("is a token of RFC 8292, signed for the push service's origin, for 12 hours", () => {
    const key = newVapidKey();
    const header = vapidAuthorization(key, "https://push.example:8443/a/b?c", 1_700_000_000_500);
    const [, head = "", claims = "", signature = "", shown] = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
    expect(JSON.parse(bytes(head).toString())).toEqual({ typ: "JWT", alg: "ES256" });
    expect(JSON.parse(bytes(claims).toString())).toEqual({
      aud: "https://push.example:8443",
      exp: 1_700_043_200,
      sub: "https://github.com/askbox/askbox",
    });
    expect(shown).toBe(publicKeyOf(key));
    const { d: _d, ...jwk } = key;
    const publicKey = createPublicKey({ key: jwk, format: "jwk" });
    expect(verify("sha256", Buffer.from(`${head}.${claims}`), { key: publicKey, dsaEncoding: "ieee-p1363" }, bytes(signature))).toBe(true);
  });

  test("has a key of 32 bytes in each of 300 pairs, and a public key that is a point", () => {
    for (let made = 0; made < 300; made += 1) {
      const key = newVapidKey();
      const point = createECDH("prime256v1");
      point.setPrivateKey(bytes(key.d));
      expect(point.getPublicKey("base64url")).toBe(publicKeyOf(key));
    }
  });
});

describe("a subscription", () => {
  const { keys } = newBrowserKeys();
  const endpoint = "https://fcm.googleapis.com/fcm/send/abc";

  test("has an address and the keys of a browser", () => {
    expect(subscriptionSchema.safeParse({ endpoint, keys, expirationTime: null }).success).toBe(true);
    expect(subscriptionSchema.safeParse({ endpoint, keys: { ...keys, auth: "short" } }).success).toBe(false);
    expect(subscriptionSchema.safeParse({ endpoint, keys: { ...keys, p256dh: `B${"A".repeat(86)}` } }).success).toBe(false);
    expect(subscriptionSchema.safeParse({ endpoint: endpoint.padEnd(2_001, "x"), keys }).success).toBe(false);
  });

  test.each([
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
    "https://web.push.apple.com/QAbc",
    "https://wns2-par02p.notify.windows.com/w/?token=BQYA",
    "https://push.example:8443/x",
    "https://8.8.8.8/x",
    "https://[2606:4700::1111]/x",
    "https://[64:ff9b::8.8.8.8]/x",
  ])("may be at %s", (url) => expect(endpointProblem(url)).toBeUndefined());

  // promise: push-only-outside
  test.each([
    ["http://fcm.googleapis.com/x", "is not https"],
    ["file:///etc/passwd", "is not https"],
    ["nothing", "is no URL"],
    [`https://push.example/${"x".repeat(2_000)}`, "is too long"],
    ["https://user:pass@push.example/x", "has a password"],
    ...[
      ...["localhost", "router", "nas.local", "a.localhost.", "hub.internal", "x.home.arpa"],
      ...[
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "10.1.2.3",
        "172.31.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
      ],
      ...[
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:10.0.0.1]",
        "[fd00::1]",
        "[fe80::1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b::192.168.1.1]",
        "[64:ff9b:1::1]",
        "[2002:7f00:1::]",
      ],
    ].map((host) => [`https://${host}/x`, "leads to this machine or its network"]),
  ])("is refused at %s: it %s", (url = "", problem = "") => expect(endpointProblem(url)).toBe(problem));
});

test("the tests' own reading of a push is that of RFC 8291", () => {
  // Appendix A, from the browser's side.
  const receiver = createECDH("prime256v1");
  receiver.setPrivateKey(bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"));
  const message = bytes(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
  const keys = { p256dh: receiver.getPublicKey("base64url"), auth: "BTBZMqHH6r4Tts7J_aSIgg" };
  expect(readPush({ keys, receiver }, message)).toBe("When I grow up, I want to be a watermelon");
});
