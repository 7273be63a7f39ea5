import { Api, type ApiResponse, errorText, sessionFrom } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { SessionSignIn } from "../sign-ins.ts";
import { askSecret } from "./ask.ts";

/** Asks for the password, and for a code if the person has a second factor. */
export async function logInByPassword(url: string, email: string): Promise<SessionSignIn> {
  const api = new Api(url);
  const password = await askSecret("Password");
  const first = await api.ask("POST /api/auth/login", { body: { email, password } });
  if (!first.isOk) throw failed(url, first);
  const result = first.body;
  const response = "secondFactor" in result ? await takeSecondStep(api, result.secondFactor) : first;
  const session = sessionFrom(response.headers);
  if (session === undefined) throw failed(url, response);
  const { expiresAt, workspaces } = await new Api(url, { session }).call("GET /api/auth/session");
  const [only, ...more] = workspaces;
  return { email, session, expiresAt, ...(only && more.length === 0 && { workspace: only.slug }) };
}

async function takeSecondStep(
  api: Api,
  { token, methods }: { token: string; methods: string[] },
): Promise<ApiResponse> {
  if (!methods.some((method) => method === "totp" || method === "recovery"))
    throw new CliError("A passkey needs a browser", {
      advice: "Run `whytrace login` without --email.",
      exitCode: EXIT.notSignedIn,
    });
  const code = (await askSecret("Code")).trim();
  const answer = /^\d{6}$/.test(code) ? { code } : { recoveryCode: code };
  const response = await api.ask("POST /api/auth/login/second-factor", { body: { token, ...answer } });
  if (!response.isOk) throw failed(api.url, response);
  return response;
}

const failed = (url: string, response: ApiResponse) =>
  new CliError(`Sign-in to ${url} failed: ${errorText(response)}`, {
    exitCode: response.status === 401 ? EXIT.notSignedIn : EXIT.failed,
  });
