import { useEffect, useState } from "react";

/**
 * A flag that clears itself after `seconds` and then calls `onEnd`. Setting it again meanwhile changes nothing: there is
 * one timer, and it ends with the component.
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
