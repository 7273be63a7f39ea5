import { codeOf, stepAt } from "../../../packages/server/src/second-factor/totp/totp-code.ts";
import { Authenticator } from "./authenticator.ts";
import { Client, expectStatus, PASSWORD, SignedInUser } from "./client.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app with this secret shows now, or so many steps from now. */
export const appCode = (secret: string, stepsFromNow = 0) =>
  codeOf(fromBase32(secret), stepAt(Date.now()) + stepsFromNow);

/** Only a person with a verified address may add a factor. */
async function verify(person: Client) {
  if (person instanceof SignedInUser) await person.verify?.();
}

/** Sets up an authenticator app, with the code of the step before: those of later steps stay unused. */
export async function addApp(person: Client): Promise<{ secret: string; recoveryCodes: string[] }> {
  await verify(person);
  const { secret } = expectStatus(await person.post("/api/account/totp", {}), 201).json;
  const confirm = () => person.post("/api/account/totp/confirm", { code: appCode(secret, -1) });
  const first = await confirm();
  // A step that ends on the way makes the code too old.
  const { recoveryCodes } = expectStatus(first.status === 400 ? await confirm() : first, 200).json;
  return { secret, recoveryCodes };
}

/** Adds a passkey that lives in this process. `origin` is the public URL of the server. */
export async function addPasskey(person: Client, origin: string) {
  await verify(person);
  const authenticator = new Authenticator(origin);
  const { options } = expectStatus(await person.post("/api/account/passkeys/options", {}), 200).json;
  const response = authenticator.create(options);
  const added = expectStatus(await person.post("/api/account/passkeys", { name: "Laptop", response }), 201);
  return { authenticator, id: String(added.json.id), recoveryCodes: added.json.recoveryCodes as string[] };
}

export async function newChallenge(client: Client): Promise<{ challenge: string; rpId: string }> {
  return expectStatus(await client.post("/api/auth/passkey/options", {}), 200).json.options;
}

/** The first step of a sign-in with a second factor. */
export async function firstStep(
  { url }: Client,
  email: string,
): Promise<{ token: string; methods: string[] }> {
  const body = { email, password: PASSWORD };
  const response = expectStatus(await new Client(url).post("/api/auth/login", body), 200);
  if (response.headers.getSetCookie().length > 0) throw new Error("The password alone made a session");
  return response.json.secondFactor;
}
