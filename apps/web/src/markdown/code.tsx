import type { Root, RootContent } from "hast";
import { Fragment, type ReactNode, useEffect, useState } from "react";

/** Longer code is not coloured, since this would block the page. */
export const maxCode = 20_000;

/** Code, coloured once the highlighter is loaded; the layout doesn't change. */
export function Code({ text, language }: { text: string; language?: string | undefined }) {
  const [tree, setTree] = useState<{ of: string; root: Root }>();
  const name = language?.trim().split(/\s+/)[0]?.toLowerCase();

  useEffect(() => {
    if (text.length > maxCode) return;
    let left = false;
    import("./highlight.ts").then(
      ({ highlight }) => {
        const root = highlight(text, name);
        if (!left && root !== undefined) setTree({ of: text, root });
      },
      // Without the hub there are no colours, but the code is shown.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [text, name]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide code is scrolled by keyboard too.
    <pre className="code" tabIndex={0} dir="ltr">
      <code>{tree?.of === text ? nodes(tree.root.children) : text}</code>
    </pre>
  );
}

function nodes(children: readonly RootContent[]): ReactNode {
  return children.map((node, index) => <Fragment key={`${index}${node.type}`}>{draw(node)}</Fragment>);
}

function draw(node: RootContent): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return null;
  const names = node.properties["className"];
  return <span className={Array.isArray(names) ? names.join(" ") : undefined}>{nodes(node.children)}</span>;
}
