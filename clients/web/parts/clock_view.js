/** Things that follow the time. */

const STEP_MS = 250;

/**
 * Calls a function now and then four times a second, so that a clock it shows turns on time.
 * @param {() => void} step
 * @returns {() => void} call it to stop
 */
export function tick(step) {
  step();
  const timer = setInterval(step, STEP_MS);
  return () => clearInterval(timer);
}
