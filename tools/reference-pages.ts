// Writes docs/reference/: the commands with their options, and the exports of the SDK with their types and comments. Run it after a
// change of either; documents.test.ts fails while a page is out of date. The server renders the reference of its API itself.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DECISION_POINT_TYPES, EVENT_TYPES, SPAN_TYPES } from "@whytrace/contract";
import { formatHelp } from "../packages/cli/src/command.ts";
import { COMMANDS } from "../packages/cli/src/run.ts";

const root = join(import.meta.dirname, "..");
/** Types of the contract that the SDK exports again. */
const CONTRACT_TYPES: Readonly<Record<string, readonly string[]>> = {
  DecisionPointType: DECISION_POINT_TYPES,
  EventType: EVENT_TYPES,
  SpanType: SPAN_TYPES,
};

/** The generated pages by their path. */
export function referencePages(): Record<string, string> {
  return { "docs/reference/commands.md": commandsPage(), "docs/reference/sdk.md": sdkPage() };
}

function commandsPage(): string {
  const sections = COMMANDS.map(
    (command) => `## ${command.name}\n\n\`\`\`text\n${formatHelp(command)}\n\`\`\`\n`,
  );
  return `# Commands and options

Every command with its arguments and options, as \`--help\` prints them. [Command line](../cli.md) shows each at work.

${sections.join("\n")}`;
}

function sdkPage(): string {
  const { exports } = JSON.parse(readFileSync(join(root, "packages/sdk/package.json"), "utf8")) as {
    exports: Record<string, string | Record<string, string>>;
  };
  const sections = Object.entries(exports).flatMap(([entry, conditions]) => {
    const source = typeof conditions === "string" ? undefined : conditions["@whytrace/source"];
    if (source === undefined) return [];
    const declarations = declarationsOf(join(root, "packages/sdk", source));
    return `## @whytrace/sdk${entry.slice(1)}\n\n${declarations.map(renderDeclaration).join("\n")}`;
  });
  return `# Exports of the SDK

Every function and type that \`@whytrace/sdk\` exports. [SDK](../sdk.md) shows how to use them.

${sections.join("\n")}`;
}

interface Declaration {
  name: string;
  /** The comment above it, without its marks. */
  about: string;
  code: string;
}

const renderDeclaration = ({ name, about, code }: Declaration) =>
  `### ${name}\n\n${about === "" ? "" : `${about}\n\n`}\`\`\`ts\n${code}\n\`\`\`\n`;

/** What a source file exports, in its order, overloads of a function together. */
function declarationsOf(path: string): Declaration[] {
  const text = readFileSync(path, "utf8");
  const own = ownDeclarations(text);
  const others = [...text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from "([^"]+)")?;/gm)].flatMap(
    ([, names = "", from]) => {
      const found = from === undefined ? [] : declarationsOf(join(dirname(path), from));
      return names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
        .map((name) => {
          const values = CONTRACT_TYPES[name];
          if (values)
            return {
              name,
              about: "",
              code: `type ${name} = ${values.map((one) => JSON.stringify(one)).join(" | ")};`,
            };
          const declaration = found.find((one) => one.name === name);
          if (!declaration) throw new Error(`${path} exports ${name}, which is not found`);
          return declaration;
        });
    },
  );
  return [...own, ...others];
}

function ownDeclarations(text: string): Declaration[] {
  const found = [
    ...text.matchAll(
      /^(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?(function|const|interface|type) (\w+)/gm,
    ),
  ].map(({ 1: comment = "", 2: kind = "", 3: name = "", index }) => {
    const code = codeAt(text.slice(index + comment.length), kind);
    return {
      name,
      about: commentText(comment),
      code: shownCode(code, kind),
      isImplementation: code.endsWith(" {"),
    };
  });
  return [...Map.groupBy(found, ({ name }) => name)].map(([name, all]) => ({
    name,
    about: all.map(({ about }) => about).find((about) => about !== "") ?? "",
    code: all
      .filter(({ isImplementation }) => all.length === 1 || !isImplementation)
      .map(({ code }) => code)
      .join("\n"),
  }));
}

/** Where a declaration ends, in sources as the formatter writes them: a function before its body, a constant before its arrow. */
const ENDS: Readonly<Record<string, RegExp>> = {
  interface: /^(?:export interface .*\{\}|\})$/m,
  type: /;$(?=\n(?:\n|export|\/\*\*)|\n*$(?![\s\S]))/m,
  function: /^(?:export.*(?: \{|;)|\).*(?: \{|;))$/m,
  const: / =>/,
};

function codeAt(text: string, kind: string): string {
  const end = ENDS[kind]?.exec(text);
  if (!end) throw new Error(`No end of ${text.slice(0, 60)}`);
  return text.slice(0, end.index + end[0].length);
}

const shownCode = (code: string, kind: string) =>
  code
    .replace(/^export (?:async )?/, "")
    .replace(/^const (\w+) = (?:async )?/, "function $1")
    .replace(/ (?:\{|=>)$/, kind === "interface" ? "$&" : ";");

const commentText = (comment: string) =>
  comment
    .replaceAll(/^\/\*\*|\*\/$/gm, "")
    .split("\n")
    .map((line) => line.replace(/^ \* ?/, "").trim())
    .join(" ")
    .trim();

if (import.meta.main)
  for (const [path, page] of Object.entries(referencePages())) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), page);
  }
