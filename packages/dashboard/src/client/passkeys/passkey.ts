import type { RouteBody } from "@whytrace/contract";

/*
 * Creates and uses passkeys. Newer browsers convert the server's JSON themselves; for the others it is done here.
 */

type NewPasskey = RouteBody<"POST /api/account/passkeys">["response"];
type UsedPasskey = RouteBody<"POST /api/auth/passkey">["response"];

interface CreationOptions {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials: { id: string; type: "public-key" }[];
}

interface RequestOptions {
  challenge: string;
}

export const hasPasskeys = () => typeof PublicKeyCredential !== "undefined";

/** Has the browser create a passkey; returns what the server verifies. */
export async function createPasskey(options: object): Promise<NewPasskey> {
  const publicKey = readCreationOptions(options as CreationOptions);
  const credential = await navigator.credentials.create({ publicKey });
  return toJson(credential);
}

/** Has the browser find a passkey and sign the challenge. If conditional, the browser offers it in the address field. */
export async function getPasskey(
  options: object,
  { isConditional = false, signal }: { isConditional?: boolean; signal?: AbortSignal } = {},
): Promise<UsedPasskey> {
  const credential = await navigator.credentials.get({
    publicKey: readRequestOptions(options as RequestOptions),
    ...(isConditional && { mediation: "conditional" as const }),
    ...(signal && { signal }),
  });
  return toJson(credential);
}

/** Whether the browser can offer passkeys in a field, before anybody asks for one. */
export async function canOfferInField(): Promise<boolean> {
  return hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;
}

/** What to tell a person when the browser did not give a passkey; undefined if they cancelled. */
export function passkeyError(error: unknown): Error | undefined {
  if (!(error instanceof DOMException)) return error instanceof Error ? error : undefined;
  if (error.name === "NotAllowedError" || error.name === "AbortError") return undefined;
  if (error.name === "InvalidStateError") return new Error("This device has a passkey of yours already.");
  return new Error(`The browser refused the passkey: ${error.message}`);
}

function readCreationOptions(options: CreationOptions): PublicKeyCredentialCreationOptions {
  if ("parseCreationOptionsFromJSON" in PublicKeyCredential)
    return PublicKeyCredential.parseCreationOptionsFromJSON(
      options as unknown as PublicKeyCredentialCreationOptionsJSON,
    );
  return {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((known) => ({ ...known, id: toBytes(known.id) })),
  } as unknown as PublicKeyCredentialCreationOptions;
}

function readRequestOptions(options: RequestOptions): PublicKeyCredentialRequestOptions {
  if ("parseRequestOptionsFromJSON" in PublicKeyCredential)
    return PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return { ...(options as object), challenge: toBytes(options.challenge), allowCredentials: [] };
}

function toJson<Json>(credential: Credential | null): Json {
  if (!(credential instanceof PublicKeyCredential)) throw new Error("The browser gave no passkey.");
  if ("toJSON" in credential) return credential.toJSON() as Json;
  const { id, type, rawId, response } = credential as PublicKeyCredential;
  const fields = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const binary = fields.flatMap((name) => {
    const value: unknown = Reflect.get(response, name);
    return value instanceof ArrayBuffer ? [[name, toText(value)]] : [];
  });
  return { id, type, rawId: toText(rawId), response: Object.fromEntries(binary) } as Json;
}

const toBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const toText = (bytes: ArrayBuffer) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
