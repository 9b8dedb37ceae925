import { useMachine } from "@xstate/react";
import { createMachine } from "xstate";

const machine = createMachine({ initial: "closed", states: { closed: { on: { KNOCK: "open" } }, open: {} } });

export default function XState() {
  const [state, send] = useMachine(machine);
  return (
    <>
      <button type="button" data-act onClick={() => send({ type: "KNOCK" })}>
        {String(state.value)}
      </button>
      {state.matches("open") && <p data-done>open</p>}
    </>
  );
}
