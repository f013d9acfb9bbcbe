import { fireEvent } from "@testing-library/react";
import { createElement } from "react";
import { expect, test } from "vitest";
import { createStage } from "../gallery/stage.ts";
import { Palette } from "../src/palette/palette.tsx";
import { GrantsProvider } from "../src/settings/devices.ts";
import { cleansUp, shown } from "./page.ts";

cleansUp();

async function found(query: string): Promise<(string | null)[]> {
  const grants = { list: async () => [], remove: async () => false, ran: async () => ({ isOn: false, items: [] }) };
  const palette = createElement(Palette, { current: undefined, onClose() {} });
  const page = shown(await createStage(), createElement(GrantsProvider, { value: grants, children: palette }));
  fireEvent.change(page.querySelector("[role=combobox]") as Element, { target: { value: query } });
  return [...page.querySelectorAll("[role=option]")].map((option) => option.textContent?.replace(/[\u2068\u2069]/g, "") ?? "");
}

test.each([
  ["dark", ["Colours: Dark"]],
  ["night theme", ["Colours: Dark"]],
  ["light", ["Colours: Light"]],
  ["theme", ["Colours: As the system", "Colours: Light", "Colours: Dark"]],
  ["color", ["Colours: As the system", "Colours: Light", "Colours: Dark"]],
  ["主题", ["Colours: As the system", "Colours: Light", "Colours: Dark"]],
  ["深色", ["Colours: Dark"]],
  ["chinese", ["Language: 中文"]],
])("the palette finds %s, whatever its own words are", async (query, labels) => {
  expect((await found(query)).slice(0, labels.length)).toEqual(labels);
  expect((await found(query)).slice(labels.length)).toEqual([expect.stringContaining(query)]);
});
