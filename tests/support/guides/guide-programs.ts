/** A program that a guide shows, with the files that it needs. */
interface GuideProgram {
  files: Record<string, string>;
  /** Of Node.js, which the guide says to start it with. */
  args: string[];
}

const CODE = /^```(?:js|ts)\n(.*?)^```/gms;
/** Packages that start tracing. A block of code without them is a part of a program. */
const STARTS_TRACING =
  /"(@opentelemetry\/sdk-(node|trace-node|trace-base)|@traceloop\/node-server-sdk|langsmith\/.*|\.\/tracing\.js)"/;

/** The server of the guides that pass it in code. */
const SERVER = '"http://127.0.0.1:3000/v1/traces"';
const ENDPOINT = 'process.env.OTEL_EXPORTER_OTLP_ENDPOINT + "/v1/traces"';

/** The programs of a page of docs/opentelemetry that start tracing and end. */
export function guidePrograms(page: string): GuideProgram[] {
  const blocks = [...page.matchAll(CODE)].map(([, code = ""]) => code.replaceAll(SERVER, ENDPOINT));
  const shared = blocks.find((code) => code.includes("export const sdk"));
  return blocks.flatMap((code) => {
    if (code === shared || !STARTS_TRACING.test(code)) return [];
    const [, preloaded, flag] = /^\/\/ (tracing\.\w+), loaded with node (--\w+)/.exec(code) ?? [];
    if (preloaded && flag)
      return { files: { [preloaded]: code, "agent.mjs": "" }, args: [flag, `./${preloaded}`, "agent.mjs"] };
    const name = code.includes("require(") ? "agent.cjs" : "agent.mjs";
    return { files: { [name]: code, ...(shared && { "tracing.js": shared }) }, args: [name] };
  });
}
