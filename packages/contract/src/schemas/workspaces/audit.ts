import { z } from "zod";
import { instant } from "../values.ts";

/** Everything that the audit log names. */
export const AUDIT_ACTIONS = [
  "workspace.created",
  "workspace.renamed",
  "workspace.policy-changed",
  "workspace.retention-changed",
  "workspace.exported",
  "domain.added",
  "domain.verified",
  "domain.removed",
  "invitation.created",
  "invitation.resent",
  "invitation.revoked",
  "member.joined",
  "member.role-changed",
  "member.removed",
  "member.left",
  "sign-in.succeeded",
  "sign-in.failed",
  "second-factor.added",
  "second-factor.removed",
  "recovery-codes.created",
  "identity.linked",
  "identity.unlinked",
  "password.changed",
  "key.created",
  "key.revoked",
  "link.created",
  "link.revoked",
  "trace.deleted",
  "traces.exported",
  "verdicts.exported",
  "audit.exported",
  "rule.created",
  "rule.deleted",
  "price.changed",
  "price.deleted",
  "masking.changed",
  "webhook.changed",
  "alert-rule.changed",
  "view.deleted",
  "plan.changed",
  "checkout.started",
] as const;

const auditActor = z.object({
  kind: z.enum(["user", "key", "operator", "system"]),
  id: z.string().nullable(),
  name: z.string().describe("The address or name at that time"),
});
const auditTarget = z.object({
  kind: z.string(),
  id: z.string().nullable(),
  name: z.string().nullable(),
});

const auditEvent = z.object({
  position: z.number().int().describe("Counts 1, 2, 3 … in each workspace"),
  at: instant,
  action: z.string().meta({ examples: ["member.role-changed"] }),
  actor: auditActor,
  target: auditTarget.nullable(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});
export const auditPage = z.object({
  events: z.array(auditEvent),
  nextCursor: z.string().nullable().describe("Null on the last page"),
});

export type AuditAction = (typeof AUDIT_ACTIONS)[number];
export type AuditActor = z.infer<typeof auditActor>;
export type AuditTarget = z.infer<typeof auditTarget>;
export type AuditEvent = z.infer<typeof auditEvent>;
