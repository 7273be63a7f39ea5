import {
  appliedMaskingSchema,
  MAX_PREVIEWED_TRACES,
  type MaskingJob,
  type MaskingRule,
  type MaskingSettings,
  maskedSampleSchema,
  maskingAfterSaveSchema,
  maskingPreviewLine,
  maskingSchema,
  previewedMaskingSchema,
  savedMaskingSchema,
  stoppedMaskingSchema,
  testedMaskingSchema,
} from "@whytrace/contract/schemas/masking/settings";
import { type CredentialWatch, memberCredential } from "../api-keys/credential-watch.ts";
import { callerOf, type Guards } from "../api-keys/guards.ts";
import { recordEvent } from "../audit/record-event.ts";
import { originOf } from "../auth/origin-of.ts";
import { CONFIRM_ERRORS, requireConfirmed } from "../auth/require-confirmed.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import type { App } from "../http/app-instance.ts";
import { BUSY_ERRORS, HttpError } from "../http/http-error.ts";
import type { ReadBudget } from "../http/read-budget.ts";
import { refuseSlowly } from "../http/refuse-slowly.ts";
import { sendStream } from "../http/send-stream.ts";
import { compileRulesInTimeSlices, higherLevel } from "../masking/compile-rules.ts";
import type { MaskingConfig } from "../masking/masking-config.ts";
import { MAX_PATTERN_MS_HERE } from "../masking/maskings.ts";
import { addMaskingLog, type StoredMasking } from "../masking/stored-masking.ts";
import { tokenKey } from "../masking/token-key.ts";
import { readCurrentMasking } from "../trace-store/masking/current-masking.ts";
import {
  ALREADY_APPLIED,
  readMaskingJob,
  requestMasking,
  stopMasking,
} from "../trace-store/masking/masking-jobs.ts";
import { CHANGED_MEANWHILE, saveMasking } from "../trace-store/masking/save-masking.ts";
import { memberOf } from "../workspaces/require-member.ts";
import { patternsOf } from "./check-patterns.ts";
import { isOwnPattern, judgeCost, measureCost, NO_COST, TOO_SLOW } from "./measure-cost.ts";
import { parseLevel, parseRules, RULE_ERRORS } from "./parse-rules.ts";
import { PatternThread, TOO_LONG } from "./pattern-thread.ts";
import { previewMasking } from "./preview-masking.ts";
import { maskingReportRoutes } from "./report-routes.ts";
import { tellLowered } from "./tell-lowered.ts";
import { TRY_ERRORS, tryMasking } from "./try-masking.ts";

const BELOW_FLOOR = "The operator requires at least the level <level>";
const INVALID_TRACES = `traces must be a whole number from 1 to ${MAX_PREVIEWED_TRACES}`;
const PREVIEW_RUNS = "A preview is already running";
const NO_VERSION = "version must be a whole number";

interface MaskingRoutesOptions {
  reads: FairDatabase;
  writes: FairDatabase;
  budget: ReadBudget;
  guards: Guards;
  credentials: CredentialWatch;
  config: MaskingConfig;
  publicUrl: string;
}

/** What is removed from values before they are stored. */
export function maskingRoutes(
  app: App,
  { reads, writes, budget, guards, credentials, config, publicUrl }: MaskingRoutesOptions,
) {
  const { floor } = config;
  maskingReportRoutes(app, { reads, guards, floor });
  const tags = ["Masking"];
  const patternThread = new PatternThread();
  app.addHook("onClose", () => patternThread.stop());
  /** The first read of a workspace creates its key, so it needs a connection that may write. */
  const read = (workspaceId: WorkspaceId) =>
    writes.transaction(workspaceId, (_client, trx) => readCurrentMasking(trx, workspaceId, config));
  const shown = (
    { version, level, rules, changedAt, changedBy }: StoredMasking,
    job: MaskingJob | null,
  ): MaskingSettings => ({
    version,
    level,
    floor,
    rules,
    job,
    changedAt,
    changedBy,
  });

  app.get(
    "/api/masking",
    {
      onRequest: guards.read,
      schema: {
        tags,
        summary: "Get what is masked before it is stored",
        response: { 200: maskingSchema },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const { workspaceId } = callerOf(request);
      return writes.transaction(workspaceId, async (_client, trx) =>
        shown(await readCurrentMasking(trx, workspaceId, config), await readMaskingJob(trx, workspaceId)),
      );
    },
  );

  app.put(
    "/api/masking",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Change what is masked",
        description:
          "When the response is sent, nothing that was masked by older rules is stored any more. What is stored already " +
          "stays as it is. Whoever lowers the level confirms that it is them, and the owners of the workspace get a mail. Own patterns are " +
          "measured on 1 MiB of the newest stored traces, and refused if they are too slow.",
        describedBody: savedMaskingSchema,
        response: { 200: maskingAfterSaveSchema },
        errors: {
          400: [...RULE_ERRORS, BELOW_FLOOR, NO_VERSION, TOO_SLOW, TOO_LONG],
          ...CONFIRM_ERRORS,
          409: [CHANGED_MEANWHILE],
          ...BUSY_ERRORS,
        },
      },
    },
    async (request) => {
      const sent = bodyOf(request.body);
      const level = parseLevel(sent.level);
      const rules = parseRules(sent.rules);
      if (higherLevel(level, floor) !== level)
        throw new HttpError(400, BELOW_FLOOR.replace("<level>", floor));
      const { version } = sent;
      if (typeof version !== "number" || !Number.isSafeInteger(version)) throw new HttpError(400, NO_VERSION);
      const { workspaceId, user } = memberOf(request);
      const before = await read(workspaceId);
      await patternThread.check(workspaceId, patternsOf(rules), false);
      // Of another version, it is refused below.
      const isLowered = before.version === version && higherLevel(before.level, level) !== level;
      if (isLowered) await requireConfirmed(request);
      const { isTooSlow, ...cost } = judgeCost(
        before.version === version ? await measureCost(reads, workspaceId, rules) : NO_COST,
      );
      if (isTooSlow && hasNewPattern(rules, before.rules)) throw new HttpError(400, cost.warning ?? TOO_SLOW);
      // Those that are fast in what is stored may be slow in other texts.
      if (hasNewPattern(rules, before.rules)) await patternThread.check(workspaceId, patternsOf(rules), true);
      const change = { version, level, rules, userId: user.id, config };
      return writes.transaction(workspaceId, async (_client, trx) => {
        const saved = await saveMasking(trx, workspaceId, change);
        const job = await readMaskingJob(trx, workspaceId);
        // Last: what is written to the directory may stay if the transaction fails.
        const levels = { before: before.level, after: level };
        if (isLowered)
          await tellLowered(trx.directory, workspaceId, { ...levels, by: user.email, publicUrl });
        await recordEvent(trx.directory, workspaceId, originOf(request), {
          action: "masking.changed",
          details: { version: saved.version, ...levels, rules: rules.length },
        });
        return { ...shown(saved, job), ...cost };
      });
    },
  );

  app.post(
    "/api/masking/test",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Try how a text would be masked",
        description:
          "Stores and logs nothing. It also tells which token an address has, so that the traces of a person can be found " +
          "without storing the address.",
        describedBody: testedMaskingSchema,
        response: { 200: maskedSampleSchema },
        errors: { 400: [...RULE_ERRORS, ...TRY_ERRORS, TOO_LONG], ...BUSY_ERRORS },
      },
    },
    async (request) => {
      const sent = bodyOf(request.body);
      const level = sent.level === undefined ? undefined : parseLevel(sent.level);
      const rules = sent.rules === undefined ? undefined : parseRules(sent.rules);
      const { workspaceId } = memberOf(request);
      const stored = await read(workspaceId);
      const { text, json, source } = sent;
      const trial = { text, json, source, level: level ?? stored.level, rules: rules ?? stored.rules };
      if (patternsOf(trial.rules).length === 0) return tryMasking(trial, stored, config);
      if (rules) await patternThread.check(workspaceId, patternsOf(rules), false);
      return patternThread.try(workspaceId, { trial, stored, config });
    },
  );

  const previewing = new Set<WorkspaceId>();
  app.post(
    "/api/masking/preview",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Count what would be masked in stored traces",
        description:
          "Looks at the newest traces and answers lines of JSON: progress, and at the end places and numbers, never content. " +
          "What is stored was masked by the rules in force already, so the preview shows what would be masked in addition.",
        describedBody: previewedMaskingSchema,
        response: {
          200: {
            description: "NDJSON, each line with a `kind`",
            content: { "application/x-ndjson": { schema: maskingPreviewLine } },
          },
        },
        errors: { 400: [...RULE_ERRORS, INVALID_TRACES, TOO_LONG], 429: [PREVIEW_RUNS, ...BUSY_ERRORS[429]] },
      },
    },
    async (request, reply) => {
      const sent = bodyOf(request.body);
      const level = parseLevel(sent.level);
      const rules = parseRules(sent.rules);
      const { traces = MAX_PREVIEWED_TRACES } = sent;
      if (
        typeof traces !== "number" ||
        !(Number.isInteger(traces) && traces >= 1 && traces <= MAX_PREVIEWED_TRACES)
      )
        throw new HttpError(400, INVALID_TRACES);
      const member = memberOf(request);
      const { workspaceId, user } = member;
      await patternThread.check(workspaceId, patternsOf(rules), false);
      if (previewing.has(workspaceId)) await refuseSlowly(PREVIEW_RUNS, 10);
      previewing.add(workspaceId);
      try {
        const { version, key } = await writes.transaction(workspaceId, async (_client, trx) => {
          const stored = await readCurrentMasking(trx, workspaceId, config);
          const detail = { level, rules, traces };
          const entry = { version: stored.version, userId: user.id, action: "previewed", detail } as const;
          await addMaskingLog(trx, workspaceId, entry);
          return stored;
        });
        const masking = await compileRulesInTimeSlices({
          version,
          level,
          floor,
          rules,
          key: tokenKey(key, config.secret),
          maxPatternMsPerText: MAX_PATTERN_MS_HERE,
        });
        return await sendStream(reply, {
          contentType: "application/x-ndjson",
          budget,
          caller: workspaceId,
          permission: credentials.permission(memberCredential(member)),
          chunks: previewMasking(reads, workspaceId, { masking, rules, maxTraces: traces }),
        });
      } finally {
        previewing.delete(workspaceId);
      }
    },
  );

  app.post(
    "/api/masking/apply",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Apply the rules to what is stored",
        description:
          "A job masks stored traces, scores and notes by the rules in force, the newest traces first. `GET /api/masking` tells how far " +
          "it is. Tokens are not undone: a lower level changes nothing that is stored.",
        response: { 202: appliedMaskingSchema },
        errors: { 409: [ALREADY_APPLIED], ...BUSY_ERRORS },
      },
    },
    async (request, reply) => {
      const { workspaceId, user } = memberOf(request);
      const job = await writes.transaction(workspaceId, async (_client, trx) => {
        const { version } = await readCurrentMasking(trx, workspaceId, config);
        return requestMasking(trx, workspaceId, { version, userId: user.id });
      });
      if (!job) throw new HttpError(409, ALREADY_APPLIED);
      return reply.status(202).send({ job });
    },
  );

  app.delete(
    "/api/masking/apply",
    {
      onRequest: guards.session,
      schema: {
        tags,
        summary: "Stop applying the rules",
        description: "What was masked until then stays masked. The next job looks at all traces again.",
        response: { 200: stoppedMaskingSchema },
        errors: BUSY_ERRORS,
      },
    },
    async (request) => {
      const { workspaceId, user } = memberOf(request);
      return {
        job: await writes.transaction(workspaceId, (_client, trx) => stopMasking(trx, workspaceId, user.id)),
      };
    },
  );
}

/** Stored traces may have changed since patterns were saved: those that were saved before do not keep a level from being changed. */
function hasNewPattern(rules: readonly MaskingRule[], before: readonly MaskingRule[]): boolean {
  const known = new Set(before.filter(isOwnPattern).map(({ pattern, source }) => `${source} ${pattern}`));
  return rules.some((rule) => isOwnPattern(rule) && !known.has(`${rule.source} ${rule.pattern}`));
}

/** Fields of a body that is checked by hand; a body that is no object has none. */
const bodyOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null ? { ...body } : {};
