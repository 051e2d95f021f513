// Runs a function at once and then at most once per interval, however often it is called.

/** `ask()` calls `run` now, or once at the end of the current interval; `stop()` cancels a pending call. */
export function createThrottle(
  run: () => void,
  intervalMs: number,
): { request: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWaiting = false;
  const rest = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!isWaiting) return;
      isWaiting = false;
      run();
      rest();
    }, intervalMs);
  };
  return {
    request() {
      if (timer !== undefined) {
        isWaiting = true;
        return;
      }
      run();
      rest();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
      isWaiting = false;
    },
  };
}
