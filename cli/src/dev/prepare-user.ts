import { Api } from "../api.ts";
import { withOperator } from "../with-operator.ts";
import { createSignInLink, DEV_EMAIL, ensureApiKey, signIn } from "./sign-in.ts";

export interface PreparedUser {
  session: string;
  key: string;
  signInLink: string;
}

/** Creates the local user if needed, with a session, an API key and a sign-in link at `publicUrl`. */
export async function prepareUser(
  databaseUrl: string,
  { url, publicUrl = url, previousKey }: { url: string; publicUrl?: string; previousKey: string | undefined },
): Promise<PreparedUser> {
  return withOperator(databaseUrl, async (operator) => {
    await operator.addUser(DEV_EMAIL, "You");
    const session = await signIn(operator, url);
    const key = await ensureApiKey(new Api(url, { session }), url, previousKey);
    return { session, key, signInLink: await createSignInLink(operator, publicUrl) };
  });
}
