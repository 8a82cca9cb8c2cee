// Letting other tasks run. Hidden tabs get their timers late, message tasks on time.

/** Yields to the event loop once. */
export function tick(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

/** At least this many milliseconds, hardly more, also in a hidden tab. */
export async function pause(ms: number): Promise<void> {
  const end = performance.now() + ms;
  if (!document.hidden) await new Promise((resolve) => setTimeout(resolve, ms));
  while (performance.now() < end) await tick();
}

/** Lets the microtasks run that are due, and those they make due; no task runs meanwhile. */
export async function drainMicrotasks(): Promise<void> {
  for (let i = 0; i < 40; i++) await Promise.resolve();
}
