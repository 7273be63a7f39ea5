import type {
  ComparedContextKey,
  ComparedDecision,
  ComparedLine,
  ComparedRun,
  Comparison,
  Rate,
} from "@whytrace/contract";
import { paths } from "../../paths.ts";
import { typeLabel } from "../../ui/badges.tsx";
import { FIGURES } from "./compared-figures.ts";
import { RELATION_WORDS } from "./relation-words.ts";

/** A comparison as Markdown, for an issue or a language model. Links lead to the traces on `origin`. */
export function comparisonMarkdown(comparison: Comparison, origin: string): string {
  const { a, b, lines, divergence, contextDivergence, isTruncated } = comparison;
  const opened = divergence ?? contextDivergence;
  return [
    `# Compare: ${text(a.name)}`,
    [describeRun("A", a, origin), describeRun("B", b, origin)].join("\n"),
    table(
      ["", "A", "B"],
      FIGURES.map(({ label, select, format }) => [label, format(select(a)), format(select(b))]),
    ),
    "## Decisions",
    table(
      ["", "A", "", "B"],
      lines.map((line, index) => [
        `${index + 1}`,
        describeDecision(line.a),
        describeRelation(line),
        describeDecision(line.b),
      ]),
    ),
    isTruncated && "Only the first decisions are compared.",
    ...(divergence ? describeDivergence(divergence.line, lines[divergence.line]) : []),
    divergence?.rates &&
      `Failed elsewhere${divergence.rates.after ? ` after ${text(divergence.rates.after.option)}` : ""}: A ${describeRate(divergence.rates.a)}, B ${describeRate(divergence.rates.b)}. This is association, not cause.`,
    !divergence && "All decisions are the same.",
    opened && opened.context.length > 0 && `Context at decision ${opened.line + 1}:`,
    opened && opened.context.length > 0 && contextTable(opened.context),
    opened &&
      lines[opened.line]?.context?.isTruncated &&
      `The context at decision ${opened.line + 1} is too large to be compared completely.`,
  ]
    .filter((part) => typeof part === "string")
    .join("\n\n")
    .concat("\n");
}

/** Text that sent data may not break out of: neither a table cell nor a line. */
const text = (value: string) => value.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|#]/g, "\\$&");

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

function describeRun(
  side: string,
  { id, name, release, status, startedAt, error }: ComparedRun,
  origin: string,
) {
  const url = origin + paths.trace.replace("$id", encodeURIComponent(id));
  const facts = [status, release && text(release), startedAt, error && text(error)].filter(Boolean);
  return `- ${side}: [${text(name)}](${url}), ${facts.join(", ")}`;
}

const describeDecision = (decision: ComparedDecision | null) =>
  decision ? `${typeLabel(decision.type)}: ${text(decision.option)}` : "";

function describeRelation({ relation, context }: ComparedLine): string {
  if (relation !== "same") return RELATION_WORDS[relation].short;
  return context && context.differing > 0
    ? `same, ${context.differing} of ${context.keys} keys differ`
    : "same";
}

function describeDivergence(index: number, line: ComparedLine | undefined): string[] {
  if (!line || line.relation === "same") return [];
  const { title, explanation } = RELATION_WORDS[line.relation];
  const side = (name: string, decision: ComparedDecision | null) =>
    decision
      ? `- ${name} chose **${text(decision.option)}** of ${decision.options.map(text).join(", ")}${decision.reasoning ? `: “${text(decision.reasoning)}”` : ""}`
      : `- ${name} does not decide here`;
  return [
    `## First divergence, decision ${index + 1}: ${title}`,
    `${explanation(line.a?.options.length ?? 0)}.`,
    [side("A", line.a), side("B", line.b)].join("\n"),
  ];
}

const describeRate = ({ failed, decisions }: Rate) =>
  `${failed} of ${decisions}${decisions === 0 ? "" : ` (${Math.round((100 * failed) / decisions)} %)`}`;

function contextTable(keys: readonly ComparedContextKey[]): string {
  const rows = keys
    .filter(({ isEqual, namedIn }) => !isEqual || namedIn !== null)
    .map(({ key, a, b, namedIn }) => [
      text(key),
      text(a ?? "absent"),
      text(b ?? "absent"),
      namedIn ? `equal, and named in ${namedIn.toUpperCase()}’s reasoning` : "",
    ]);
  return rows.length === 0 ? "The context is the same." : table(["Key", "A", "B", ""], rows);
}
