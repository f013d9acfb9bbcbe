import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Markdown } from "../../../apps/web/src/markdown/markdown.tsx";
import { fuzz } from "../engine/fuzz.ts";
import { markdown } from "../engine/markdown.ts";
import { writeOut } from "../engine/odd.ts";
import { fault } from "../engine/oracle.ts";

/** The only elements and attributes that the page creates from an agent's text. */
const elements = new Set(
  "a bdi blockquote br button code del div em hr li ol p pre section span strong svg path rect table tbody td th thead tr ul".split(" "),
);

/** An agent's markdown becomes inert elements, and is never parsed as HTML. */
fuzz({
  name: "web-markdown",
  input: fc.record({ text: markdown, inline: fc.boolean() }),
  runs: 60,
  open: () => ({
    take({ text: template, inline }) {
      const html = renderToStaticMarkup(createElement(Markdown, { text: writeOut(template), inline }));
      for (const [tag, name = ""] of html.matchAll(/<([a-zA-Z][\w-]*)[^>]*>/g)) {
        if (!elements.has(name)) fault(`The element ${tag} came out.`);
        if (/\son\w+=|\ssrc=|\sstyle=/.test(tag.replace(/"[^"]*"/g, '""'))) fault(`The attribute of ${tag} came out.`);
        const href = /\shref="([^"]*)"/.exec(tag)?.[1];
        if (href !== undefined && !/^(https?:|mailto:)/i.test(href)) fault(`A link leads to ${href}.`);
      }
    },
  }),
});
