const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The first signal asks to stop; once stopping has begun, another does not wait for it. */
export function untilSignal() {
  let isStopping = false;
  let receive = () => {};
  const received = new Promise<void>((resolve) => {
    receive = resolve;
  });
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      receive();
    });
  return {
    received,
    nowInsist() {
      isStopping = true;
    },
  };
}
