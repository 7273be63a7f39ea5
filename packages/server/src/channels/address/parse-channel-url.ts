import { HttpError } from "../../http/http-error.ts";
import { type AddressRules, checkAddress } from "./check-address.ts";

const MAX_URL_LENGTH = 2_000;
const MIN_FREE_PORT = 1_024;

/** In the order in which they are checked. */
export const URL_ERRORS = {
  notUrl: `url must be an http or https URL of at most ${MAX_URL_LENGTH} characters`,
  hasUser: "url must not contain a user name or password",
  port: "url must use port 80, 443 or one from 1024",
  notPublic: "url must point to a public address",
  notHttps: "url must use https",
};

/**
 * Checks the URL of a channel when it is saved, so that whoever enters it learns at once what is wrong. What counts is the check at
 * each attempt (sending/post-message.ts).
 */
export async function parseChannelUrl(text: unknown, rules: AddressRules): Promise<URL> {
  const refuse = (fault: keyof typeof URL_ERRORS): never => {
    throw new HttpError(400, URL_ERRORS[fault]);
  };
  if (typeof text !== "string" || text.length > MAX_URL_LENGTH || !URL.canParse(text))
    return refuse("notUrl");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("notUrl");
  if (url.username !== "" || url.password !== "") return refuse("hasUser");
  const port = Number(url.port);
  if (url.port !== "" && port !== 80 && port !== 443 && port < MIN_FREE_PORT) return refuse("port");
  const checked = await checkAddress(url, rules);
  if (checked.error === undefined) return url;
  // A name without an address is refused by the same text, so that nobody learns which names exist in our network.
  const isHttpOnly = checked.isPublic && url.protocol === "http:";
  return refuse(isHttpOnly ? "notHttps" : "notPublic");
}
