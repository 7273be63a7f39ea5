import { RunRecorder } from "../run-recorder.ts";
import type { World } from "../world.ts";
import { callWithNoise, mix, perhaps, some } from "./choices.ts";

/** Agents that work with tables and databases. */
export const DATA_WORK: World[] = [
  /*
   * A data agent imports at the start; the CSV import sometimes leaves duplicate keys, which nobody meets until `reconcile`, eight to
   * sixteen turns later. `reconcile` is tried three times and carries the errors.
   * Truth: `import_csv`. No confounder.
   */
  {
    name: "unseen: bad state much later",
    plants: "`import_csv` leaves duplicates (25-40 %) at which `reconcile` fails 8-16 turns later",
    draw(random) {
      const harm = random.uniform(0.25, 0.4);
      const steps = ["classify", "enrich", "join", "plot", "note", "ask_model"];
      return {
        tools: ["import_csv", "import_api", "import_sheet", ...steps, "reconcile", "report"],
        guilty: ["chose import_csv"],
        alsoTrue: ["left out import_api", "left out import_sheet"],
        run() {
          const run = new RunRecorder(random);
          const source = random.oneOf(["import_csv", "import_api", "import_sheet"]);
          callWithNoise(random, run, source, 0.03);
          const culprit = source === "import_csv" && random.chance(harm) ? run.lastTurn : -1;
          for (let left = random.between(8, 16); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(steps), 0.02);
          if (culprit >= 0 || random.chance(0.07)) {
            for (let tries = 0; tries < 3; tries += 1) run.call("reconcile", "totals do not match");
            return run.end("ERROR", { culprits: some(culprit) });
          }
          run.call("reconcile");
          run.call("report");
          return run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * A database agent: `lock_table` alone is fine, `bulk_update` alone is fine; together, in any order, they may deadlock, and a
   * later call times out.
   * Truth: the pair; to name either is right. No confounder.
   */
  {
    name: "unseen: only together",
    plants:
      "`lock_table` and `bulk_update` in one run deadlock (40-60 %) a later call; each alone does nothing",
    draw(random) {
      const harm = random.uniform(0.4, 0.6);
      const steps = ["select", "explain", "vacuum", "insert", "count", "describe"];
      return {
        tools: [...steps, "lock_table", "bulk_update", "commit"],
        guilty: ["chose lock_table", "chose bulk_update"],
        run() {
          const run = new RunRecorder(random);
          const length = random.between(8, 14);
          const at = new Map<number, string>();
          for (const tool of ["lock_table", "bulk_update"]) {
            const chosen = perhaps(random, tool, 0.45);
            let turn = random.between(1, length - 3);
            while (at.has(turn)) turn = turn === 1 ? length - 3 : turn - 1;
            if (chosen) at.set(turn, chosen);
          }
          const isDeadlock = at.size === 2 && random.chance(harm);
          const due = isDeadlock ? Math.max(...at.keys()) + random.between(1, 3) : Number.POSITIVE_INFINITY;
          for (let turn = 0; turn < length; turn += 1) {
            const tool = at.get(turn) ?? random.oneOf(steps);
            if (turn >= due) {
              run.call(tool, "canceling statement due to lock timeout");
              return run.end("ERROR", { culprits: [...at.keys()] });
            }
            run.call(tool);
            if (random.chance(0.008)) {
              run.call(random.oneOf(steps), "connection lost");
              return run.end("ERROR");
            }
          }
          run.call("commit");
          return run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * A report agent writes SQL freely or from a template, and half the time verifies it. A wrong query fails in any case: at
   * `verify` if that is called, else at `execute`.
   * Truth: `generate_sql`. `verify` finds the error and does not cause it. No confounder.
   */
  {
    name: "unseen: verification finds the fault",
    plants:
      "`generate_sql` is wrong in 26-36 %, `template_sql` in 8 %; `verify` (half of the runs) and `execute` only tell",
    draw(random) {
      const harm = random.uniform(0.26, 0.36);
      return {
        tools: [
          "describe_table",
          "sample_rows",
          "generate_sql",
          "template_sql",
          "format_sql",
          "verify",
          "execute",
          "chart",
        ],
        guilty: ["chose generate_sql"],
        alsoTrue: ["left out template_sql"],
        run() {
          const run = new RunRecorder(random);
          for (let left = random.between(1, 4); left > 0; left -= 1)
            callWithNoise(random, run, random.oneOf(["describe_table", "sample_rows"]), 0.02);
          const writer = random.oneOf(["generate_sql", "template_sql"]);
          run.call(writer);
          const isWrong = random.chance(writer === "generate_sql" ? harm : 0.08);
          const culprits = isWrong && writer === "generate_sql" ? [run.lastTurn] : [];
          const format = perhaps(random, "format_sql", 0.5);
          if (format) run.call(format);
          const verify = perhaps(random, "verify", 0.5);
          if (verify) {
            run.call(verify, isWrong ? "column does not exist" : null);
            if (isWrong) return run.end("ERROR", { culprits });
          }
          run.call("execute", isWrong ? "column does not exist" : null);
          if (isWrong) return run.end("ERROR", { culprits });
          run.call("chart");
          return run.end("COMPLETED");
        },
      };
    },
  },

  /*
   * The same when a wrong query that is not verified goes unnoticed: the run ends as completed. `verify` then decides what is
   * recorded as failed.
   * Truth: none (all writers are equally wrong); but to the record, `verify` is the cause. No method can see it.
   */
  {
    name: "unseen: verification decides what is recorded",
    plants:
      "nothing: 25 % of queries are wrong, but only runs with `verify` notice it; the others are recorded as completed",
    isHopeless: true,
    draw(random) {
      return {
        tools: [
          "describe_table",
          "sample_rows",
          "generate_sql",
          "template_sql",
          "verify",
          "execute",
          "chart",
        ],
        guilty: [],
        run() {
          const run = new RunRecorder(random);
          for (let left = random.between(1, 4); left > 0; left -= 1)
            run.call(random.oneOf(["describe_table", "sample_rows"]));
          run.call(random.oneOf(["generate_sql", "template_sql"]));
          const isWrong = random.chance(0.25);
          const verify = perhaps(random, "verify", 0.5);
          if (verify) {
            run.call(verify, isWrong ? "totals differ" : null);
            if (isWrong) return run.end("ERROR");
          }
          run.call("execute");
          run.call("chart");
          return run.end(random.chance(0.03) ? "ERROR" : "COMPLETED");
        },
      };
    },
  },

  /*
   * A spreadsheet agent formats a table nearly always after it has converted units, and reads the sheet before. The conversion
   * rounds wrongly; the sums do not match at the end.
   * Truth: `convert_units`. Its usual successor and predecessor are innocent.
   */
  {
    name: "unseen: inseparable companion",
    plants:
      "`convert_units` spoils sums (18-28 % of uses); `format_table` follows it in 85 %, `read_sheet` precedes it; both innocent",
    draw(random) {
      const harm = random.uniform(0.18, 0.28);
      const steps = mix({ lookup: 3, pivot: 2, filter: 3, chart: 2 });
      return {
        tools: [
          "read_sheet",
          "convert_units",
          "format_table",
          "lookup",
          "pivot",
          "filter",
          "chart",
          "check_sums",
        ],
        guilty: ["chose convert_units"],
        run() {
          const run = new RunRecorder(random);
          let culprit = -1;
          for (let left = random.between(2, 5); left > 0; left -= 1) {
            const convert = perhaps(random, "convert_units", 0.25);
            const read = perhaps(random, "read_sheet", convert ? 0.75 : 0.2);
            if (read) run.call(read);
            if (convert) {
              run.call(convert);
              if (culprit < 0 && random.chance(harm)) culprit = run.lastTurn;
            } else callWithNoise(random, run, random.oneOf(steps), 0.03);
            const format = perhaps(random, "format_table", convert ? 0.85 : 0.15);
            if (format) run.call(format);
          }
          const isFailed = culprit >= 0 || random.chance(0.08);
          run.call("check_sums", isFailed ? "sums differ" : null);
          return run.end(isFailed ? "ERROR" : "COMPLETED", { culprits: some(culprit) });
        },
      };
    },
  },

  /*
   * An operations agent reads logs. One dump is fine; from the third on the context window overflows at whatever call comes next.
   * Truth: `dump_log`, by its number. Long runs have more of everything. No confounder.
   */
  {
    name: "unseen: context overflow",
    plants:
      "from the third `dump_log` on each next call may overflow the context (35-50 %); one or two are harmless",
    draw(random) {
      const steps = mix({ grep_log: 4, metrics: 3, ssh: 3, runbook: 2, note: 2 });
      const dumpShare = random.oneOf([0.15, 0.2]);
      const overflow = random.uniform(0.35, 0.5);
      return {
        tools: ["open_incident", "grep_log", "dump_log", "metrics", "ssh", "runbook", "note", "resolve"],
        guilty: ["chose dump_log"],
        run() {
          const run = new RunRecorder(random);
          const dumps: number[] = [];
          run.call("open_incident");
          for (let left = random.between(5, 19); left > 0; left -= 1) {
            const tool = perhaps(random, "dump_log", dumpShare) ?? random.oneOf(steps);
            if (dumps.length >= 3 && random.chance(overflow)) {
              run.call(tool, "context length exceeded");
              return run.end("ERROR", { culprits: dumps });
            }
            if (random.chance(0.01)) {
              run.call(tool, "host unreachable");
              return run.end("ERROR");
            }
            run.call(tool);
            if (tool === "dump_log") dumps.push(run.lastTurn);
          }
          run.call("resolve");
          return run.end("COMPLETED");
        },
      };
    },
  },
];
