import { describe, expect, test } from "vitest";
import { fittingScale, nextScale, scrollAt } from "../src/pictures/zoom.ts";

describe("the zoom of a picture", () => {
  test("fits a picture into its room, without enlarging a small one", () => {
    expect(fittingScale({ width: 2_000, height: 500 }, { width: 1_000, height: 800 })).toBe(0.5);
    expect(fittingScale({ width: 500, height: 3_200 }, { width: 1_000, height: 800 })).toBe(0.25);
    expect(fittingScale({ width: 3, height: 2 }, { width: 1_000, height: 800 })).toBe(1);
    expect(fittingScale({ width: 3, height: 2 }, { width: 0, height: 0 }), "before its room is known").toBe(1);
  });

  test("stops at the fitting scale, at the picture's own size and at eight times that", () => {
    const scales = [0.5];
    for (let step = 0; step < 9; step += 1) scales.push(nextScale(scales.at(-1) ?? 0, 1, 0.5));
    expect(scales).toEqual([0.5, 0.75, 1, 1.5, 2.25, 3.375, 5.0625, 7.59375, 8, 8]);
    expect(nextScale(1.2, -1, 0.5)).toBe(1);
    expect(nextScale(0.6, -1, 0.5)).toBe(0.5);
    expect(nextScale(1, -1, 1), "a small picture").toBe(1);
  });

  test("keeps what is under the pointer where it is", () => {
    const large = { scroll: 300, point: 100, room: 1_000, length: 4_000 };
    // 400 pixels from the start of a picture at scale 1 are 800 at scale 2.
    expect(scrollAt(large, 1, 2)).toBe(700);
    expect(scrollAt({ ...large, scroll: scrollAt(large, 1, 2) }, 2, 1)).toBe(300);
    // A picture of 400 pixels stands 300 from the edge; its middle stays in the middle.
    expect(scrollAt({ scroll: 0, point: 500, room: 1_000, length: 400 }, 1, 4)).toBe(300);
  });
});
