import { canonicalJson, isExactJson, parseAskJson, parseExact } from "@askbox/core/schemas";
import fc from "fast-check";
import { expect, test } from "vitest";

test.each(["9007199254740993", "1e999", "-0", "1.0", "1e2", "0.10", "12345678901234567890123"])(
  "%s is kept as it was written",
  (number) => {
    for (const text of [number, `{"a":[${number}]}`, `{"__proto__":${number}}`]) expect(JSON.stringify(parseExact(text))).toBe(text);
  },
);

test.each(['{"a":1,"a":1}', '{"a":{"b":":","b":2}}', '[{"\\u0061":1,"a":2}]', '{"":1,"":2}', '{"__proto__":1,"__proto__":2}'])(
  "%s uses a name twice",
  (text) => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  },
);

test("any value is parsed as JSON.parse does, if it can be", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseExact(text))).toBe(text);
    }),
  );
});

test.each([
  ['{"x":{"a":1}}', '{"x":[["a",1]]}'],
  ["{}", "[]"],
  ["1e999", "null"],
  ["9007199254740992", "9007199254740993"],
  ["1", "1.0"],
  ['{"a":1}', '{"a":1,"__proto__":{"b":1}}'],
  ['"1"', "1"],
])("%s is not %s", (one, other) => {
  expect(canonicalJson(parseExact(one))).not.toBe(canonicalJson(parseExact(other)));
});

test("values are equal in any order of names, with any spaces and escapes", () => {
  const one = '{ "b": [1, {"d":2,"c":"\\u0061"}], "2": 1, "1": 1.0 }';
  expect(canonicalJson(parseExact(one))).toBe(canonicalJson(parseExact('{"1":1.0,"2":1,"b":[1,{"c":"a","d":2}]}')));
});

test("an ask is parsed as usual, with the text of its actions' arguments", () => {
  const action = '{"kind":"tool","input":{"id":9007199254740993,"__proto__":{"a":1}}}';
  const parsed = parseAskJson(`{"timeout":1.0,"questions":[{"min":9007199254740993,"action":${action}}]}`);
  expect(parsed).toEqual({
    timeout: 1,
    questions: [
      {
        min: 9_007_199_254_740_992,
        action: { ...JSON.parse(action), inputJson: '{"id":9007199254740993,"__proto__":{"a":1}}' },
      },
    ],
  });
  const unclear = parseAskJson('{"questions":[{"action":{"kind":"tool","input":{"a":1,"a":2}}}]}');
  expect(unclear).toEqual({ questions: [{ action: "{" }] });
  expect(() => parseAskJson('{"action":')).toThrow(SyntaxError);
  expect(parseAskJson('{"result":{"action":"accept","n":1.0}}')).toEqual({ result: { action: "accept", n: 1 } });
});

test("a value that writes itself is compared as it is written", () => {
  expect(canonicalJson({ at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
});

test.each([
  ['{"a":[1,"b",null]}', true],
  ['{"a":9007199254740993}', false],
  ['{"a":1,"a":1}', false],
  ['{"__proto__":1}', false],
  ['{"a":[{"\\u005f_proto__":1}]}', false],
  ['{"a":"\\"__proto__\\":"}', true],
  ["{", false],
])("%s says what its value does: %s", (text, isExact) => {
  expect(isExactJson(text)).toBe(isExact);
});

test("deeply nested or enormous JSON is parsed as usual", () => {
  const deep = `{"action":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  expect(() => parseAskJson(deep)).not.toThrow();
});
