import type { AuditEvent } from "@whytrace/contract";
import { expect, it } from "vitest";
import { auditSentence } from "./audit-sentence.ts";

const event = (action: string, details: AuditEvent["details"], name: string | null = null): AuditEvent => ({
  position: 1,
  at: "2026-11-18T10:00:00.000Z",
  action,
  actor: { kind: "user", id: "1", name: "ada@example.com" },
  target: name === null ? null : { kind: "channel", id: "2", name },
  ip: null,
  userAgent: null,
  details,
});

it.each([
  [event("plan.changed", { from: "FREE", to: "PRO" }), "changed the plan from FREE to PRO"],
  [event("sign-in.failed", { method: "password" }), "failed to sign in by password"],
  [event("sign-in.failed", { method: "totp", purpose: "confirm" }), "failed to confirm who they are by totp"],
  [event("masking.changed", { before: "personal", after: "off" }), "changed masking from personal to off"],
  [event("masking.changed", { before: "off", after: "off" }), "changed the rules of masking"],
  [event("webhook.changed", { change: "secret-rotated" }, "pager"), "gave the channel pager a new secret"],
  [event("alert-rule.changed", { change: "muted" }, "support fails"), "muted the alert rule support fails"],
  [
    event("domain.added", { role: "viewer" }, "acme.example"),
    "added the domain acme.example, whose people join as viewer",
  ],
  [event("an.unknown-action", {}), "an.unknown-action"],
])("an event names who did what: %#", (one, words) => {
  expect(auditSentence(one)).toBe(`ada@example.com ${words}`);
});
