import { deleteCliCodes } from "./accounts/cli/cli-codes.ts";
import { endPassword, type TakeBack } from "./accounts/prove-address.ts";
import { deleteTokens, EMAIL_VERIFICATION, PASSWORD_RESET, SIGN_IN } from "./accounts/tokens.ts";
import { revokeKeysOf } from "./api-keys/revoke-api-key.ts";
import { forgetDevices } from "./auth/devices.ts";
import { endSessions } from "./auth/sessions.ts";
import type { UserId } from "./auth/user-id.ts";
import { deleteChannelsOf } from "./channels/save-channel.ts";
import type { Database } from "./db/database.ts";
import { endInvitationsOf } from "./members/end-invitations.ts";
import { unlinkAll } from "./oidc/identities.ts";
import { deletePasskeys } from "./second-factor/passkeys/stored-passkeys.ts";
import { deleteRecoveryCodes } from "./second-factor/recovery-codes.ts";
import { deleteSteps } from "./second-factor/sign-in-steps.ts";
import { deleteTotp } from "./second-factor/totp/totp-secrets.ts";
import { revokeSharesOf } from "./shares/revoke-share.ts";

/** Deletes what a person has in a table. Returns how much it was, if somebody may miss it. */
type TakeBackTable = (trx: Database, userId: UserId) => Promise<number | boolean | undefined>;

/**
 * The tables with what opens an account, reads its data or sends from it, and how to take that back from whoever set it up
 * without having proved the address. Sessions come first: what a session is just adding is then committed, or refused.
 */
export const TAKEN_BACK: Readonly<Record<string, TakeBackTable>> = {
  sessions: async (trx, userId) => void (await endSessions(trx, userId)),
  users: endPassword,
  devices: async (trx, userId) => void (await forgetDevices(trx, userId)),
  cli_codes: async (trx, userId) => void (await deleteCliCodes(trx, userId)),
  email_verification_tokens: async (trx, userId) =>
    void (await deleteTokens(trx, EMAIL_VERIFICATION, userId)),
  password_reset_tokens: async (trx, userId) => void (await deleteTokens(trx, PASSWORD_RESET, userId)),
  sign_in_tokens: async (trx, userId) => void (await deleteTokens(trx, SIGN_IN, userId)),
  sign_in_steps: async (trx, userId) => void (await deleteSteps(trx, userId)),
  passkeys: deletePasskeys,
  totp_secrets: deleteTotp,
  recovery_codes: async (trx, userId) => void (await deleteRecoveryCodes(trx, userId)),
  user_identities: unlinkAll,
  invitations: endInvitationsOf,
  trace_shares: revokeSharesOf,
  // These lock rows of workspaces.
  api_keys: revokeKeysOf,
  alert_channels: deleteChannelsOf,
};

const OF_SESSION = "ends with the session";
const OF_CHANNEL = "is sent to channels alone, and deleted with them";
const OF_RUNS = "what was recorded of runs, or computed of them";
const OF_BILLING = "money; says nothing about who may sign in";
const OF_SERVER = "work of the servers, of nobody's account";
const OF_VERIFIED = "only a verified person adds a row";
const SETTING = "a setting of the workspace; opens nothing and goes nowhere";
const MAIL_TO_VERIFIED = "about mail to verified members alone";

/** All other tables, and why nothing of them is taken back. */
export const KEPT: Readonly<Record<string, string>> = {
  webauthn_challenges: OF_SESSION,
  oidc_flows: OF_SESSION,
  alert_events: OF_CHANNEL,
  alert_deliveries: OF_CHANNEL,
  delivery_attempts: OF_CHANNEL,
  alert_rules: "says when something is sent; alert_channels says where to",
  alert_incidents: SETTING,
  alert_maintenance: SETTING,
  alert_cursors: OF_SERVER,
  workspace_domains: OF_VERIFIED,
  memberships: "nobody joins a workspace without a verified address but its owner",
  workspaces:
    "whoever proves the address owns them; what they demand of a sign-in, a sign-in must meet first",
  notification_settings: MAIL_TO_VERIFIED,
  member_notices: MAIL_TO_VERIFIED,
  mail_notices: MAIL_TO_VERIFIED,
  unsubscribe_tokens: MAIL_TO_VERIFIED,
  mail_outbox: "goes to the mailbox of the address",
  audit_events: "what was done stays on record",
  audit_positions: "what was done stays on record",
  masking: SETTING,
  masking_jobs: SETTING,
  masking_log: OF_RUNS,
  price_rules: SETTING,
  saved_views: SETTING,
  saved_view_defaults: SETTING,
  outcome_definitions: SETTING,
  outcome_jobs: OF_RUNS,
  decision_rules: SETTING,
  decisions_set_aside: SETTING,
  situation_keys: SETTING,
  subscriptions: OF_BILLING,
  billing_customers: OF_BILLING,
  billing_checkouts: OF_BILLING,
  billing_events: OF_BILLING,
  billing_cancellations: OF_BILLING,
  agent_releases: OF_RUNS,
  agent_sessions: OF_RUNS,
  decision_days: OF_RUNS,
  decision_points: OF_RUNS,
  events: OF_RUNS,
  issue_cursors: OF_RUNS,
  issue_problems: OF_RUNS,
  issue_timeline: OF_RUNS,
  issues: OF_RUNS,
  likely_jobs: OF_RUNS,
  otlp_parts: OF_RUNS,
  problem_runs: OF_RUNS,
  scores: OF_RUNS,
  spans: OF_RUNS,
  trace_changes: OF_RUNS,
  trace_manifests: OF_RUNS,
  trace_owners: OF_RUNS,
  trace_payloads: OF_RUNS,
  trace_totals: OF_RUNS,
  traces: OF_RUNS,
  verdicts: OF_RUNS,
  why_findings: OF_RUNS,
  rate_limit_hits: OF_SERVER,
  worker_leases: OF_SERVER,
  workspace_deletions: OF_SERVER,
};

/** Takes back all of it from one account, in the transaction that proves its address. */
export const takeBack: TakeBack = async (trx, userId) => {
  const taken = new Map<string, number>();
  for (const [table, takeBackTable] of Object.entries(TAKEN_BACK))
    taken.set(table, Number((await takeBackTable(trx, userId)) ?? 0));
  return taken;
};
