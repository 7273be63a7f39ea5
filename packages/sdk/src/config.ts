import type { InitOptions } from "./types.ts";

/* The only module that reads the environment. Edge runtimes may have no `process` at all. */

const DEFAULT_URL = "http://127.0.0.1:3000";

export interface Settings extends Omit<InitOptions, "apiKey" | "url" | "enabled" | "debug"> {
  /** Without a key nothing is recorded. */
  apiKey: string | undefined;
  /** URL of the server, without a slash at its end. */
  baseUrl: string;
  isEnabled: boolean;
  isDebug: boolean;
  sampleRate: number;
  keepErrors: boolean;
  /** Messages about invalid options and environment variables. */
  errors: string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

function readEnvironment(): Environment {
  try {
    return (globalThis as { process?: { env?: Environment } }).process?.env ?? {};
  } catch {
    return {};
  }
}

export function readSettings(options: InitOptions = {}, env: Environment = readEnvironment()): Settings {
  const errors: string[] = [];
  const apiKey = (options.apiKey ?? env.WHYTRACE_API_KEY ?? "").trim() || undefined;
  const baseUrl = parseBaseUrl(options.url ?? (env.WHYTRACE_URL?.trim() || DEFAULT_URL));
  if (baseUrl === undefined)
    errors.push(`${options.url === undefined ? "WHYTRACE_URL" : "url"} must be an http or https URL`);
  const sampleRate = options.sampleRate ?? 1;
  const isRateValid = sampleRate >= 0 && sampleRate <= 1;
  if (!isRateValid) errors.push("sampleRate must be a number from 0 to 1: every trace is sent");
  return {
    ...options,
    apiKey,
    baseUrl: baseUrl ?? "",
    isEnabled: baseUrl !== undefined && (options.enabled ?? isTrue(env.WHYTRACE_ENABLED, true)),
    isDebug: options.debug ?? isTrue(env.WHYTRACE_DEBUG, false),
    sampleRate: isRateValid ? sampleRate : 1,
    keepErrors: options.keepErrors ?? true,
    errors,
  };
}

/** For the child process that sends at exit. NODE_OPTIONS could make it load the user's modules. */
export function childEnvironment(): Record<string, string | undefined> {
  return { ...readEnvironment(), NODE_OPTIONS: "" };
}

function parseBaseUrl(address: string): string | undefined {
  try {
    const url = new URL(address);
    return /^https?:$/.test(url.protocol) ? url.origin + url.pathname.replace(/\/+$/, "") : undefined;
  } catch {
    return undefined;
  }
}

const isTrue = (text: string | undefined, fallback: boolean) =>
  text === undefined || text.trim() === "" ? fallback : !/^(0|false|no|off)$/i.test(text.trim());
