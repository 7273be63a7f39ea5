import { createRoot } from "react-dom/client";
import { afterEach, expect, it, vi } from "vitest";
import { type LiveUpdate, useLiveState, useLiveUpdates } from "./live.ts";

class Stream extends EventTarget {
  static opened: Stream;
  constructor() {
    super();
    Stream.opened = this;
  }
  close() {}
  send(type: string, data: object) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data), lastEventId: "1" }));
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function Shell() {
  return useLiveState();
}

function Page({ updates }: { updates: LiveUpdate[] }) {
  useLiveUpdates((update) => updates.push(update));
  return null;
}

it("tells a page that opens what changed while its data was on the way, and nothing older", async () => {
  vi.stubGlobal("EventSource", Stream);
  const now = vi.spyOn(Date, "now");
  const root = createRoot(document.createElement("div"));
  const early: LiveUpdate[] = [];
  const late: LiveUpdate[] = [];
  root.render([<Shell key="shell" />]);
  await vi.waitUntil(() => Stream.opened);
  const sendAt = (ms: number, id: string) => {
    now.mockReturnValue(ms);
    Stream.opened.send("changes", { traces: [{ id, change: "replaced", status: "COMPLETED" }] });
  };
  sendAt(1_000, "old");
  sendAt(20_000, "new");
  root.render([<Shell key="shell" />, <Page key="early" updates={early} />]);
  await vi.waitUntil(() => early.length > 0);
  expect(early).toEqual([[{ id: "new", change: "replaced", status: "COMPLETED" }]]);
  sendAt(21_000, "newer");
  expect(early).toHaveLength(2);
  now.mockReturnValue(60_000);
  root.render([<Shell key="shell" />, <Page key="late" updates={late} />]);
  Stream.opened.send("changes", { traces: [{ id: "newest", change: "new", status: "RUNNING" }] });
  await vi.waitUntil(() => late.length > 0);
  expect(late).toEqual([[{ id: "newest", change: "new", status: "RUNNING" }]]);
  root.unmount();
});
