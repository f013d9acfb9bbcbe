import "../src/styles/index.css";
import "./gallery.css";
import { AskboxContext } from "@askbox/react";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { chosenLanguage, LanguageProvider } from "../src/i18n/language.tsx";
import { createTranslate, loadCatalogue, withWords } from "../src/i18n/translate.ts";
import { SessionPage } from "../src/session/session-page.tsx";
import { applyTheme, settings } from "../src/stored-settings.ts";
import { Cards, makeCards } from "./cards.tsx";
import { scenes } from "./scenes.ts";
import { createStage, type Stage } from "./stage.ts";

/** Every widget in every state; with `?scene=NAME`, the pane of one session, which changes with the address. */
async function start(element: HTMLElement): Promise<void> {
  applyTheme();
  const language = chosenLanguage(settings.getState().language);
  const initial = { language, translate: createTranslate(language, await withWords(() => loadCatalogue(language))) };
  const root = createRoot(element);
  addEventListener("popstate", () => void show());
  await show();

  async function show(): Promise<void> {
    const name = new URLSearchParams(location.search).get("scene");
    const stage = await createStage();
    const content = await contentOf(name, stage);
    root.render(
      <LanguageProvider key={name} initial={initial}>
        <AskboxContext value={stage.askbox}>{content}</AskboxContext>
      </LanguageProvider>,
    );
  }
}

async function contentOf(name: string | null, stage: Stage): Promise<ReactNode> {
  const scene = name === null ? undefined : scenes[name];
  if (scene === undefined) return <Overview>{<Cards cards={await makeCards(stage)} />}</Overview>;
  return (
    <main className="gallery-scene" data-shown={name}>
      <div className="detail">
        <SessionPage id={await scene(stage)} />
      </div>
    </main>
  );
}

function Overview({ children }: { children: ReactNode }) {
  return (
    <main>
      <h1 className="visually-hidden">Every widget in every state</h1>
      <nav className="gallery-nav" aria-label="Scenes">
        {Object.keys(scenes).map((name) => (
          <a key={name} href={`?scene=${name}`} data-scene={name}>
            {name}
          </a>
        ))}
      </nav>
      {children}
    </main>
  );
}

const root = document.getElementById("root");
if (root !== null) void start(root);
