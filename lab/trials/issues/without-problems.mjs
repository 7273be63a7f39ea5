// Replaces, in a built server that is started with `--import` of this file, what writes the rows of bad runs: it stores runs as if there were no issues.
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url.endsWith("/outcomes/problems-of-run.js"))
      return { ...loaded, source: withoutBody(loaded.source, "export function problemsOfRun(", "[]") };
    if (url.endsWith("/problems/write-problems.js"))
      return {
        ...loaded,
        source: withoutBody(loaded.source, "export async function writeProblems(", "undefined"),
      };
    return loaded;
  },
});

function withoutBody(source, head, result) {
  const text = String(source);
  const at = text.indexOf("{\n", text.indexOf(head));
  if (!text.includes(head) || at === -1) throw new Error(`${head} is not there`);
  return `${text.slice(0, at + 1)} return ${result};${text.slice(at + 1)}`;
}
