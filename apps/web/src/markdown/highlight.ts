import type { Root } from "hast";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { createLowlight } from "lowlight";

const lowlight = createLowlight({ bash, css, diff, go, ini, java, javascript, json, python, rust, sql, typescript, xml, yaml });
/** Below this relevance a guessed language does more harm than good. */
const sureEnough = 5;

/** The code's tokens with their classes; undefined if its language is unknown. */
export function highlight(text: string, language: string | undefined): Root | undefined {
  if (language !== undefined && language !== "") {
    return lowlight.registered(language) ? lowlight.highlight(language, text) : undefined;
  }
  const guess = lowlight.highlightAuto(text);
  return (guess.data?.relevance ?? 0) >= sureEnough ? guess : undefined;
}
