import type { Random } from "@whytrace/demo";
import { generateProse } from "./generate-prose.ts";
import { zipfWord } from "./lexicon.ts";
import { atLeastOne, capitalized, generateIdentifier, type Topic } from "./topic.ts";

const LOCAL_NAMES = 48;
const MAX_DEPTH = 4;

/** Writes lines of source code of about this many characters: nested blocks, identifiers that recur, comments. */
export function generateCode(random: Random, topic: Topic, characters: number): string {
  const names = atLeastOne(LOCAL_NAMES, () => generateName(random, topic));
  const name = () => names[Math.floor(names.length * random.next() ** 1.4)] ?? names[0];
  const lines: string[] = [];
  let depth = 0;
  let isBlockEmpty = false;
  for (let length = 0; length < characters; ) {
    const opens = depth === 0 || (depth < MAX_DEPTH && random.chance(0.22));
    const closes = depth > 0 && !opens && !isBlockEmpty && random.chance(0.25);
    if (closes) depth -= 1;
    const text = closes ? "}" : opens ? openBlock(random, depth, name) : writeStatement(random, topic, name);
    const line = "  ".repeat(depth) + text;
    if (opens) depth += 1;
    isBlockEmpty = opens;
    lines.push(line);
    if (closes && depth === 0) lines.push("");
    length += line.length + 1;
  }
  return lines.join("\n");
}

const generateName = (random: Random, topic: Topic) =>
  random.chance(0.25)
    ? random.pick(topic.identifiers)
    : random.chance(0.5)
      ? generateIdentifier(random)
      : zipfWord(random);

function openBlock(random: Random, depth: number, name: () => string): string {
  if (depth === 0)
    return random.chance(0.7)
      ? `${random.chance(0.5) ? "export " : ""}${random.chance(0.4) ? "async " : ""}function ${name()}(${name()}: ${capitalized(name())}, ${name()}: ${random.pick(["string", "number", "boolean"])}) {`
      : `export class ${capitalized(name())} {`;
  return random.pick([
    `if (${name()}.${name()} ${random.pick(["===", "!==", ">", "<"])} ${random.pick([name(), "undefined", "null", String(random.between(0, 200))])}) {`,
    `for (const ${name()} of ${name()}.${name()}()) {`,
    `while (${name()}(${name()})) {`,
    `return ${name()}.map((${name()}) => {`,
  ]);
}

function writeStatement(random: Random, topic: Topic, name: () => string): string {
  return random.pick([
    `const ${name()} = await ${name()}(${name()}, ${name()}.${name()});`,
    `const { ${name()}, ${name()} } = ${name()};`,
    `${name()}.${name()} = ${name()}[${random.between(0, 64)}] ?? ${name()};`,
    `return ${name()}(${name()}, "${zipfWord(random)}-${zipfWord(random)}");`,
    `${name()}.push({ ${name()}: ${random.between(0, 9_999)}, ${name()} });`,
    `if (!${name()}) throw new Error(\`${capitalized(zipfWord(random))} ${zipfWord(random)} ${zipfWord(random)} \${${name()}}\`);`,
    `// ${generateProse(random, topic, random.between(30, 90))}`.replaceAll("\n", " "),
    `const ${name()} = "${generateProse(random, topic, random.between(10, 60)).replaceAll(/["\n]/g, " ")}";`,
    `export const ${zipfWord(random).toUpperCase()}_${zipfWord(random).toUpperCase()} = ${random.between(1, 1e6)};`,
    `logger.${random.pick(["info", "warn", "debug"])}("${zipfWord(random)} ${zipfWord(random)} ${zipfWord(random)}", { ${name()} });`,
  ]);
}
