const closings: (() => Promise<unknown>)[] = [];

/** Closes something after the test file that is running. An `afterAll` is ignored inside of tests and hooks. */
export const afterFile = (close: () => Promise<unknown>): void => {
  closings.push(close);
};

export async function closeAll(): Promise<void> {
  await Promise.all(closings.splice(0).map((close) => close()));
}
