import { useEffect, useState } from "react";

/**
 * A flag that clears itself after `seconds` and calls `onEnd` then. Raising it while it is up changes nothing: there is one
 * timer, and none outlives the component.
 */
export function usePending(seconds: number, onEnd: () => void): [pending: boolean, raise: () => void] {
  const [pending, setPending] = useState(false);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => {
      setPending(false);
      onEnd();
    }, seconds * 1000);
    return () => clearTimeout(timer);
    // `onEnd` is a new function at every render; it must not start the timer again.
  }, [pending, seconds]);
  return [pending, () => setPending(true)];
}
