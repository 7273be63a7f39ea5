import { userInfo } from "node:os";
import { Api } from "../api.ts";
import { withOperator } from "../with-operator.ts";
import { createSignInLink, DEV_EMAIL, ensureApiKey, signIn } from "./sign-in.ts";

interface PreparedUser {
  session: string;
  /** The slug of the workspace of the key. */
  workspace: string;
  key: string;
  signInLink: string;
}

/** Creates the local user and a workspace if needed, with a session, an API key and a sign-in link at `publicUrl`. */
export async function prepareUser(
  databaseUrl: string,
  { url, publicUrl = url, previousKey }: { url: string; publicUrl?: string; previousKey: string | undefined },
): Promise<PreparedUser> {
  return withOperator(databaseUrl, async (operator) => {
    await operator.addUser(DEV_EMAIL, localName());
    const session = await signIn(operator, url);
    const workspace = await ensureWorkspace(new Api(url, { session }));
    const key = await ensureApiKey(new Api(url, { session, workspace }), url, previousKey);
    return { session, workspace, key, signInLink: await createSignInLink(operator, publicUrl) };
  });
}

/** Pages say it: "ada's workspace". A container may run as a user without a name. */
function localName(): string {
  try {
    return userInfo().username;
  } catch {
    return "dev";
  }
}

/** The oldest workspace of the user; a new one if they deleted or left all. */
async function ensureWorkspace(api: Api): Promise<string> {
  const { workspaces } = await api.call("GET /api/workspaces");
  const owned = workspaces.find(({ role }) => role === "owner");
  const { slug } = owned ?? (await api.call("POST /api/workspaces", { body: { name: "Your workspace" } }));
  return slug;
}
