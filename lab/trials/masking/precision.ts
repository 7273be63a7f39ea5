// Looks for values of each type in texts of a generator that knows where they are, without a server. Prints precision and recall by type.
// Passes if each is at least 99 %.
import { parseArgs } from "node:util";
import { Random } from "@whytrace/demo";
import { labelledText, nationalPhone } from "@whytrace/testing/masking/labelled-texts.ts";
import { runTrial } from "@whytrace/testing/trial.ts";
import { compileRules } from "../../../packages/server/src/masking/compile-rules.ts";
import { findMatches } from "../../../packages/server/src/masking/find-matches.ts";

const { values } = parseArgs({
  options: { texts: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
});
const MIN_SHARE = 0.99;
const SHOWN_MISTAKES = 3;

await runTrial(async () => {
  const masking = compileRules({
    version: 1,
    level: "personal",
    floor: "off",
    rules: [],
    key: new Uint8Array(32),
  });
  const { texts } = masking.scopeOf("input");
  const random = new Random(Number(values.seed));
  const counts = new Map<string, { right: number; missed: string[]; wrong: string[] }>();
  const countOf = (type: string) => {
    const count = counts.get(type) ?? { right: 0, missed: [], wrong: [] };
    counts.set(type, count);
    return count;
  };
  let otherNames = 0;
  for (let index = 0; index < Number(values.texts); index += 1) {
    const { text, labels } = labelledText(random);
    const left = new Map(labels.map((label) => [`${label.start} ${label.end}`, label]));
    for (const { start, end, rule } of findMatches(text, texts)) {
      const label = left.get(`${start} ${end}`);
      left.delete(`${start} ${end}`);
      if (!label) countOf(rule.type).wrong.push(text.slice(start, end));
      else countOf(label.type).right += 1;
      // Where types overlap, the first one names the token: an account number may contain a card's.
      if (label && label.type !== rule.type) otherNames += 1;
    }
    for (const { type, start, end } of left.values()) countOf(type).missed.push(text.slice(start, end));
  }
  let hasPassed = true;
  for (const [type, { right, missed, wrong }] of [...counts].sort()) {
    const precision = right / (right + wrong.length);
    const recall = right / (right + missed.length);
    const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
    console.log(
      `${type.padEnd(8)} precision ${percent(precision)}, recall ${percent(recall)}, of ${right + missed.length}`,
    );
    for (const [what, mistakes] of Object.entries({ missed, wrong }))
      for (const mistake of mistakes.slice(0, SHOWN_MISTAKES)) console.log(`  ${what}: ${mistake}`);
    hasPassed &&= precision >= MIN_SHARE && recall >= MIN_SHARE;
  }
  console.log(`masked as a whole, with the name of another type: ${otherNames}`);
  const national = Array.from({ length: 10_000 }, () => nationalPhone(random));
  const found = national.filter((number) => findMatches(number, texts).length > 0);
  console.log(
    `national telephone numbers, which are not looked for: ${found.length} of ${national.length} found`,
  );
  return hasPassed;
});
