import { expect, it } from "vitest";
import { ByteBudget, type ByteHold } from "./byte-budget.ts";

const budget = (options = {}) =>
  new ByteBudget({ maxBytes: 100, maxBytesPerWorkspace: 50, maxWaitMs: 20, ...options });

/** Whether the hold gets room at once. */
async function hasRoom(hold: ByteHold): Promise<boolean> {
  return Promise.race([
    hold.waitForRoom().then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => setImmediate(resolve, false)),
  ]);
}

it("makes a user who holds their share wait, and nobody else", async () => {
  const bytes = budget();
  bytes.open("a").resize(50);
  expect(await hasRoom(bytes.open("a"))).toBe(false);
  expect(await hasRoom(bytes.open("b"))).toBe(true);
});

it("lets a waiting request go on when another one gives its bytes back", async () => {
  const bytes = budget();
  const first = bytes.open("a");
  first.resize(50);
  const waiting = bytes.open("a").waitForRoom();
  first.close();
  await waiting;
});

it("lets only as many waiting requests go on as there is room for, however many wait", async () => {
  const bytes = budget({ maxWaitMs: 10_000 });
  const first = bytes.open("a");
  first.resize(100);
  let most = 0;
  const waiting = Array.from({ length: 40 }, (_, index) => bytes.open(`user ${index}`)).map(async (hold) => {
    await hold.reserve(30);
    most = Math.max(most, bytes.heldBytes);
    await new Promise(setImmediate);
    hold.close();
  });
  first.close();
  await Promise.all(waiting);
  expect(most).toBeGreaterThan(30);
  expect(most).toBeLessThanOrEqual(100);
  expect(bytes.heldBytes).toBe(0);
});

it("lets the oldest request of a user grow, so that requests never wait for each other for ever", async () => {
  const bytes = budget();
  const [oldest, second] = [bytes.open("a"), bytes.open("a")];
  for (const hold of [oldest, second]) hold.resize(25);
  expect(await hasRoom(second)).toBe(false);
  expect(await hasRoom(oldest)).toBe(true);
});

it("lets the oldest request of all grow when the users together hold everything", async () => {
  const bytes = budget({ maxBytes: 60 });
  const [oldest, other] = [bytes.open("a"), bytes.open("b")];
  for (const hold of [oldest, other]) hold.resize(30);
  expect(await hasRoom(other)).toBe(false);
  expect(await hasRoom(oldest)).toBe(true);
});

it("refuses a request that waits for too long, and says whose bytes it waited for", async () => {
  const bytes = budget();
  bytes.open("a").resize(50);
  await expect(bytes.open("a").waitForRoom()).rejects.toMatchObject({ isOwnShare: true });
  bytes.open("b").resize(50);
  await expect(bytes.open("c").waitForRoom()).rejects.toMatchObject({ isOwnShare: false });
});

it("counts a closed hold no more, even if it is resized or closed again", () => {
  const bytes = budget();
  const hold = bytes.open("a");
  hold.resize(40);
  hold.close();
  hold.resize(10);
  hold.close();
  expect(bytes.heldBytes).toBe(0);
});
