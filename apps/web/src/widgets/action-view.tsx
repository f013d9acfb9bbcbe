import type { Action, AskerInfo } from "@askbox/core";
import { documentLines } from "@askbox/core/documents";
import { reachOf } from "@askbox/core/grants";
import { type ActionPart, actionParts, type Denial } from "@askbox/core/questions";
import { exactText, suspectCharacters } from "@askbox/terminal-text";
import { useTranslate } from "../i18n/language.tsx";
import { isolated } from "../i18n/phrases.ts";
import { AgentText } from "../ui/agent-text.tsx";
import { commandLines } from "./command-words.ts";
import { DocumentView, type DocumentViewProps } from "./document-view.tsx";

interface ActionViewProps extends Pick<DocumentViewProps, "comments" | "onComments"> {
  id: string;
  action: Action;
  denial?: Denial | undefined;
  asker: Pick<AskerInfo, "project" | "branch" | "machine">;
}

/** What names an action stands above it, and where it is done below. */
const heads: ReadonlySet<ActionPart["name"]> = new Set(["tool", "path", "title"]);

/**
 * The whole action of the question `id`: what is done with what, then all of it, then where, wrapped, with invisible characters replaced by
 * their code points.
 */
export function ActionView({ id, action, denial, asker, comments, onComments }: ActionViewProps) {
  const t = useTranslate();
  const { project, branch, machine } = asker;
  const parts = actionParts(action, machine);
  const suspects = [...new Set(parts.flatMap(({ text }) => suspectCharacters(text)))];
  const named = (...names: ActionPart["name"][]) => parts.filter(({ name }) => names.includes(name));
  const [head, cwd] = [parts.filter(({ name }) => heads.has(name)), named("cwd")];
  const where = [
    ...(cwd.length > 0 || project === undefined ? cwd : [{ name: "project" as const, text: project }]),
    ...named("machine"),
    branch === undefined ? undefined : { name: "branch" as const, text: branch },
  ].filter((part) => part !== undefined);
  const commented = action.diff === undefined ? "plan" : "diff";
  return (
    <div className="action" data-kind={action.kind} data-action={id} data-testid="action">
      {suspects.length > 0 && (
        <p className="action-warning" role="alert">
          {t("approval.suspect", { characters: suspects.join(", ") })}
        </p>
      )}
      {denial !== undefined && <Denied denial={denial} />}
      <div className="action-head">
        <dl>
          {head.map((part) => (
            <LinePart key={part.name} name={part.name} text={part.text} />
          ))}
        </dl>
        <Change diff={action.diff} />
        <Risk action={action} />
      </div>
      <dl>
        {parts
          .filter(({ name }) => !heads.has(name) && name !== "cwd" && name !== "machine")
          .map((part) => (
            <div key={part.name} data-part={part.name} data-as={part.as}>
              <dt>{t(`approval.part.${part.name}`)}</dt>
              <dd>
                <Part part={part} path={action.path} {...(part.name === commented && { comments, onComments })} />
              </dd>
            </div>
          ))}
      </dl>
      <dl className="action-where">
        {where.map((part) => (
          <LinePart key={part.name} {...part} />
        ))}
      </dl>
    </div>
  );
}

/** Who has denied the action already, and why. */
function Denied({ denial: { reviewer, status, reason, risk, authorization } }: { denial: Denial }) {
  const t = useTranslate();
  return (
    <div className="denied" data-status={status} data-testid="denied">
      <p>
        <strong>{t(`denial.${status}`, { reviewer: isolated(reviewer) })}</strong>
        {risk !== undefined && <span className="action-risk">{t("denial.risk", { risk: isolated(risk) })}</span>}
        {authorization !== undefined && (
          <span className="action-risk">{t("denial.authorization", { authorization: isolated(authorization) })}</span>
        )}
      </p>
      {reason !== undefined && <AgentText className="denied-reason">{reason}</AgentText>}
    </div>
  );
}

function LinePart({ name, text }: { name: ActionPart["name"] | "project" | "branch"; text: string }) {
  const t = useTranslate();
  return (
    <div data-part={name} data-as="line">
      <dt>{t(`approval.part.${name}`)}</dt>
      <dd className="exact" dir="ltr">
        {exactText(name === "machine" ? t("inbox.machine", { machine: text }) : text)}
      </dd>
    </div>
  );
}

/** How many lines a diff adds and removes. */
function Change({ diff }: { diff: string | undefined }) {
  if (diff === undefined) return null;
  const kinds = documentLines(diff, true).map((line) => line.diff?.kind);
  const count = (kind: string) => kinds.filter((each) => each === kind).length;
  return (
    <span className="action-change">
      <span data-kind="added">+{count("added")}</span> <span data-kind="removed">−{count("removed")}</span>
    </span>
  );
}

/** What it reaches, as far as it says so, the gravest first. */
function Risk({ action }: { action: Action }) {
  const t = useTranslate();
  return reachOf(action).map((reach) => (
    <span key={reach} className="action-risk" data-risk={reach}>
      {t(`approval.risk.${reach}`)}
    </span>
  ));
}

type PartProps = { part: ActionPart; path: string | undefined } & Pick<DocumentViewProps, "comments" | "onComments">;

function Part({ part: { name, as, text }, path, comments, onComments }: PartProps) {
  if (as === "diff") return <DocumentView text={text} isDiff path={path} comments={comments} onComments={onComments} />;
  const exact = exactText(text);
  if (as === "code")
    return (
      <pre className="exact exact-block" dir="ltr">
        {name === "command" ? <Command text={exact} /> : exact}
      </pre>
    );
  return <DocumentView text={text} isDiff={false} comments={comments} onComments={onComments} />;
}

/** Breaks at spaces, and what continues a line is indented. */
function Command({ text }: { text: string }) {
  return commandLines(text).map((line, index) => (
    <span key={index} className="command-line">
      {line.map((piece, at) =>
        piece.as === "text" ? (
          piece.text
        ) : (
          <span key={at} className="command-word" data-as={piece.as}>
            {piece.text}
          </span>
        ),
      )}
    </span>
  ));
}
