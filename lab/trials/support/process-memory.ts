import { readFileSync, writeFileSync } from "node:fs";

const statusMib = (pid: number, name: string) => {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(
    readFileSync(`/proc/${pid}/status`, "utf8"),
  )?.[1];
  return Number(kib) / 1_024;
};

export const rssMib = (pid: number) => statusMib(pid, "VmRSS");

/** The peak since the process started or since `resetPeakRss`. */
export const peakRssMib = (pid: number) => statusMib(pid, "VmHWM");

/** Writing 5 resets the peak to the current value, see proc(5). */
export const resetPeakRss = (pid: number) => writeFileSync(`/proc/${pid}/clear_refs`, "5");
