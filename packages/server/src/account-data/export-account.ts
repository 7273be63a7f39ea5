import { type CurrentSession, listSignIns } from "../auth/sessions.ts";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { FairDatabase } from "../db/fair-database.ts";
import { readMailSettings } from "../notifications/notification-settings.ts";
import { listIdentities } from "../oidc/identities.ts";
import { listPasskeys } from "../second-factor/passkeys/stored-passkeys.ts";
import { listMembers } from "../workspaces/list-members.ts";
import { listWorkspaces } from "../workspaces/list-workspaces.ts";
import { exportWorkspace, toNdjsonLine } from "./export-workspace.ts";

/**
 * Yields all data of a person as NDJSON, and of the workspaces in which nobody else is. The last line has the kind `end`.
 */
export async function* exportAccount(
  { db, reads, config }: { db: Database; reads: FairDatabase; config: Pick<Config, "providers"> },
  session: CurrentSession,
): AsyncGenerator<Buffer[]> {
  const { user } = session;
  yield toNdjsonLine("user", user);
  for (const signIn of await listSignIns(db, session)) yield toNdjsonLine("session", signIn);
  for (const passkey of await listPasskeys(db, user.id)) yield toNdjsonLine("passkey", passkey);
  for (const identity of await listIdentities(db, config, user.id)) yield toNdjsonLine("identity", identity);
  let traces = 0;
  for (const { blockedBy: _, ...workspace } of await listWorkspaces(db, session)) {
    yield toNdjsonLine("membership", workspace);
    yield toNdjsonLine("notifications", { mail: await readMailSettings(db, workspace.id, user.id) });
    const members = await listMembers(db, workspace.id);
    if (members.length === 1) traces += yield* exportWorkspace({ db, reads }, workspace.id);
  }
  yield toNdjsonLine("end", { traces });
}
