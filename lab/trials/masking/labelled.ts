// Masks labelled texts that somebody else wrote, at the level secrets, without a server: `--file texts.jsonl`, one object a line,
// {"text": "…", "secrets": [{"value": "…", "type": "…"}]}. Prints by type how many of the secrets are gone, and how many texts without secrets
// stay as they are. Without a file it masks three texts of its own. It prints no text unless `--show` says how many of the mistakes.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { runTrial } from "@whytrace/testing/trial.ts";
import { compileRules } from "../../../packages/server/src/masking/compile-rules.ts";
import { Masker } from "../../../packages/server/src/masking/masker.ts";

const { values } = parseArgs({
  options: { file: { type: "string" }, show: { type: "string", default: "0" } },
});
const OWN = [
  { text: "password=hunter2-Sup3r!", secrets: [{ value: "hunter2-Sup3r!", type: "password" }] },
  { text: `{"api_key":"0a1b2c3d4e5f"}`, secrets: [{ value: "0a1b2c3d4e5f", type: "key" }] },
  { text: "The password must have eight characters.", secrets: [] },
];
interface Labelled {
  text: string;
  secrets: { value: string; type: string }[];
}

await runTrial(async () => {
  const key = new Uint8Array(32);
  const masking = compileRules({ version: 1, level: "secrets", floor: "off", rules: [], key });
  const input =
    values.file === undefined
      ? Readable.from(OWN.map((one) => `${JSON.stringify(one)}\n`))
      : createReadStream(values.file);
  const found = new Map<string, { gone: number; stay: number }>();
  const plain = { unchanged: 0, changed: 0 };
  const mistakes: string[] = [];
  for await (const line of createInterface({ input })) {
    if (line.trim() === "") continue;
    const { text, secrets }: Labelled = JSON.parse(line);
    // As a payload, because what the first pass leaves out is not looked at.
    const sent = Buffer.from(JSON.stringify(text));
    const masked: string = JSON.parse(Buffer.from(new Masker(masking).json(sent, "input")).toString());
    if (secrets.length === 0) plain[masked === text ? "unchanged" : "changed"] += 1;
    if (secrets.length === 0 && masked !== text) mistakes.push(`changed: ${text}`);
    for (const { value, type } of secrets) {
      const count = found.get(type) ?? { gone: 0, stay: 0 };
      found.set(type, count);
      const stays = masked.includes(value);
      count[stays ? "stay" : "gone"] += 1;
      if (stays) mistakes.push(`${type}: ${text}`);
    }
  }
  const percent = (part: number, rest: number) => `${((100 * part) / (part + rest)).toFixed(1)} %`;
  for (const [type, { gone, stay }] of [...found].sort())
    console.log(`${type.padEnd(32)} recall ${percent(gone, stay)} of ${gone + stay}`);
  const all = [...found.values()];
  const sum = (of: "gone" | "stay") => all.reduce((total, count) => total + count[of], 0);
  console.log(
    `${"all".padEnd(32)} recall ${percent(sum("gone"), sum("stay"))} of ${sum("gone") + sum("stay")}`,
  );
  const { unchanged, changed } = plain;
  console.log(
    `texts without secrets that stay as they are: ${percent(unchanged, changed)} of ${unchanged + changed}`,
  );
  for (const mistake of mistakes.slice(0, Number(values.show))) console.log(mistake);
  return values.file !== undefined || sum("stay") + changed === 0;
});
