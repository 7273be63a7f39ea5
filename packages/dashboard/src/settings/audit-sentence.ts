import type { AuditAction, AuditEvent } from "@whytrace/contract";

type Words = (target: string, details: AuditEvent["details"]) => string;

const CHANNEL_WORDS: ReadonlyMap<string, (target: string) => string> = new Map([
  ["created", (target) => `added the channel ${target}`],
  ["changed", (target) => `changed the channel ${target}`],
  ["secret-rotated", (target) => `gave the channel ${target} a new secret`],
  ["previous-secret-ended", (target) => `ended the previous secret of the channel ${target}`],
  ["deleted", (target) => `deleted the channel ${target}`],
]);

const ALERT_RULE_WORDS: ReadonlyMap<string, (target: string) => string> = new Map([
  ["created", (target) => `created the alert rule ${target}`],
  ["changed", (target) => `changed the alert rule ${target}`],
  ["muted", (target) => `muted the alert rule ${target}`],
  ["unmuted", (target) => `ended the mute of the alert rule ${target}`],
  ["deleted", (target) => `deleted the alert rule ${target}`],
]);

/** What was done, after the name of who did it. */
const WORDS: Readonly<Record<AuditAction, Words>> = {
  "workspace.created": () => "created the workspace",
  "workspace.renamed": (_, { to }) => `renamed the workspace to ${to}`,
  "workspace.retention-changed": (_, { days }) =>
    days === null ? "keeps traces as long as the plan allows" : `keeps traces for ${days} days`,
  "workspace.exported": () => "exported the workspace",
  "workspace.policy-changed": () => "changed the sign-in policy",
  "domain.added": (target, { role }) => `added the domain ${target}, whose people join as ${role}`,
  "domain.verified": (target) => `proved that the domain ${target} is ours`,
  "domain.removed": (target) => `removed the domain ${target}`,
  "invitation.created": (target, { role }) => `invited ${target} as ${role}`,
  "invitation.resent": (target) => `sent the invitation of ${target} again`,
  "invitation.revoked": (target) => `revoked the invitation of ${target}`,
  "member.joined": (_, { role }) => `joined as ${role}`,
  "member.role-changed": (target, { from, to }) => `changed ${target} from ${from} to ${to}`,
  "member.removed": (target) => `removed ${target}`,
  "member.left": () => "left",
  "sign-in.succeeded": (_, { method }) => `signed in by ${method}`,
  "sign-in.failed": (_, { method, purpose }) =>
    `failed to ${purpose === "confirm" ? "confirm who they are" : "sign in"} by ${method}`,
  "second-factor.added": () => "added a second factor",
  "second-factor.removed": () => "removed a second factor",
  "recovery-codes.created": () => "made new recovery codes",
  "identity.linked": () => "linked a sign-in provider",
  "identity.unlinked": () => "unlinked a sign-in provider",
  "password.changed": () => "changed the password",
  "key.created": (target, { scope }) => `created the key ${target} (${scope})`,
  "key.revoked": (target) => `revoked the key ${target}`,
  "link.created": () => "created a link to a trace",
  "link.revoked": () => "revoked a link to a trace",
  "trace.deleted": () => "deleted a trace",
  "traces.exported": () => "exported traces",
  "verdicts.exported": () => "exported verdicts",
  "audit.exported": () => "exported the audit log",
  "rule.created": () => "created a rule for decisions",
  "rule.deleted": () => "deleted a rule for decisions",
  "checkout.started": (_, { tier }) => `started to pay for ${tier}`,
  "plan.changed": (_, { from, to }) => `changed the plan from ${from} to ${to}`,
  "masking.changed": (_, { before, after }) =>
    before === after ? "changed the rules of masking" : `changed masking from ${before} to ${after}`,
  "webhook.changed": (target, { change }) =>
    CHANNEL_WORDS.get(String(change))?.(target) ?? `changed ${target}`,
  "alert-rule.changed": (target, { change }) =>
    ALERT_RULE_WORDS.get(String(change))?.(target) ?? `changed the alert rule ${target}`,
  "price.changed": (target) => `changed the price of ${target}`,
  "price.deleted": (target) => `deleted the price of ${target}`,
  "view.deleted": (target) => `deleted the view ${target}`,
};

/** Everything that can be done. */
export const AUDITED_ACTIONS: readonly string[] = Object.keys(WORDS);

/** A newer server may name an action that this page does not know. */
const WORDS_BY_ACTION: ReadonlyMap<string, Words> = new Map(Object.entries(WORDS));

/** An event as a sentence: "ada@example.com changed grace@example.com from member to admin". */
export function auditSentence({ actor, action, target, details }: AuditEvent): string {
  const words = WORDS_BY_ACTION.get(action)?.(target?.name ?? target?.id ?? "", details) ?? action;
  return `${actor.name} ${words}`;
}
