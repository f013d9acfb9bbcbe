import type { Page } from "playwright-core";

/** A PNG of one pixel. */
export const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** Pastes or drops a picture into a question's card, or another place, as a browser does with one from the clipboard or a folder. */
export const give = (page: Page, type: "paste" | "drop", name: string, place = ".question") =>
  page.locator(place).evaluate(
    (card, { type, name, data }) => {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes, name], name, { type: "image/png" }));
      const init = { bubbles: true, cancelable: true };
      const event =
        type === "paste"
          ? new ClipboardEvent(type, { ...init, clipboardData: transfer })
          : new DragEvent(type, { ...init, dataTransfer: transfer });
      (card.querySelector("textarea") ?? card).dispatchEvent(event);
    },
    { type, name, data: png.toString("base64") },
  );
