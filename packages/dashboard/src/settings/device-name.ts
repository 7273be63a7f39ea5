/** In this order: browsers also name those that they are compatible with. */
const BROWSERS: [name: string, pattern: RegExp][] = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|HeadlessChrome|CriOS|Chromium)\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];
const MAX_LENGTH = 60;

/** `Chrome on Linux` for a browser's User-Agent. Of another program it is the first word, for example `curl/8.5.0`. */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return "Unknown device";
  const nameIn = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const browser = nameIn(BROWSERS);
  const system = nameIn(SYSTEMS);
  if (browser && system) return `${browser} on ${system}`;
  return (browser ?? userAgent.trim().split(/\s/)[0] ?? "").slice(0, MAX_LENGTH) || "Unknown device";
}
