import { charactersWhere, type RunCharacters } from "./find-in-runs.ts";

export interface VendorKey {
  prefix: string;
  /** What follows the prefix, and how many characters of it. */
  characters: RunCharacters;
  min: number;
  max: number;
}

/** How keys of vendors look. Each prefix has a length that texts with the same beginning do not reach. */
const KEYS: readonly [vendor: string, prefix: string, rest: string][] = [
  ["OpenAI", "sk-proj-", "[\\w-]{20,}"],
  ["OpenAI", "sk-svcacct-", "[\\w-]{20,}"],
  ["OpenAI", "sk-admin-", "[\\w-]{20,}"],
  ["Anthropic", "sk-ant-", "[\\w-]{20,}"],
  ["OpenRouter", "sk-or-", "[\\w-]{20,}"],
  ["OpenAI", "sk-", "[A-Za-z\\d]{32,}"],
  ["Stripe", "sk_live_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "sk_test_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "rk_live_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "rk_test_", "[A-Za-z\\d]{16,}"],
  ["Stripe", "whsec_", "[A-Za-z\\d]{24,}"],
  ["GitHub", "ghp_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "gho_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "ghu_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "ghs_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "ghr_", "[A-Za-z\\d]{36,}"],
  ["GitHub", "github_pat_", "\\w{40,}"],
  ["GitLab", "glpat-", "[\\w-]{20,}"],
  ["Slack", "xoxa-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxb-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxe-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxp-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxr-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xoxs-", "[A-Za-z\\d-]{12,}"],
  ["Slack", "xapp-", "[A-Za-z\\d-]{20,}"],
  ["AWS", "AKIA", "[A-Z\\d]{16}"],
  ["AWS", "ASIA", "[A-Z\\d]{16}"],
  ["Google", "AIza", "[\\w-]{35}"],
  ["Google", "GOCSPX-", "[\\w-]{28}"],
  ["Hugging Face", "hf_", "[A-Za-z\\d]{30,}"],
  ["npm", "npm_", "[A-Za-z\\d]{36}"],
  ["PyPI", "pypi-", "[\\w-]{50,}"],
  ["DigitalOcean", "dop_v1_", "[a-f\\d]{64}"],
  ["DigitalOcean", "doo_v1_", "[a-f\\d]{64}"],
  ["DigitalOcean", "dor_v1_", "[a-f\\d]{64}"],
  ["Whytrace", "wt_", "[A-Za-z\\d]{36}"],
];

/** By their first three letters. */
const BY_BEGINNING: ReadonlyMap<number, readonly VendorKey[]> = Map.groupBy(
  KEYS.map(([, prefix, rest]) => {
    const [, set = "", min, isOpen] = /^(.+)\{(\d+)(,?)\}$/.exec(rest) ?? [];
    const inSet = new RegExp(set);
    return {
      prefix,
      characters: charactersWhere((code) => inSet.test(String.fromCharCode(code))),
      min: Number(min),
      max: isOpen ? Number.POSITIVE_INFINITY : Number(min),
    };
  }),
  ({ prefix }) => beginningOf(prefix.charCodeAt(0), prefix.charCodeAt(1), prefix.charCodeAt(2)),
);
const NO_KEYS: readonly VendorKey[] = [];

/** The kinds of keys that begin with three characters. */
export const vendorKeys = (first: number, second: number, third: number): readonly VendorKey[] =>
  BY_BEGINNING.get(beginningOf(first, second, third)) ?? NO_KEYS;

function beginningOf(first: number, second: number, third: number): number {
  return (first << 16) | (second << 8) | third;
}

/** The prefixes by the code of their first letter, with that of a JWT. */
export const VENDOR_PREFIXES: readonly (readonly string[] | undefined)[] = Array.from(
  { length: 256 },
  (_, code) => {
    const prefixes = [...KEYS.map(([, prefix]) => prefix), "eyJ"].filter(
      (prefix) => prefix.charCodeAt(0) === code,
    );
    return prefixes.length > 0 ? prefixes : undefined;
  },
);
