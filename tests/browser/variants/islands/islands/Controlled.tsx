import { useState } from "react";

/** Every kind of control, in the style that hydration is hardest on: React owns the values. */
export default function Controlled() {
  const [state, setState] = useState({
    text: "",
    email: "",
    long: "start",
    choice: "one",
    checked: false,
    radio: "a",
    files: 0,
  });
  const set = (change: Partial<typeof state>) => setState((before) => ({ ...before, ...change }));
  return (
    <form method="dialog">
      <input aria-label="text" value={state.text} onChange={(event) => set({ text: event.target.value })} />
      <input
        aria-label="email"
        type="email"
        value={state.email}
        onChange={(event) => set({ email: event.target.value })}
      />
      <textarea aria-label="long" value={state.long} onChange={(event) => set({ long: event.target.value })} />
      <select aria-label="choice" value={state.choice} onChange={(event) => set({ choice: event.target.value })}>
        <option>one</option>
        <option>two</option>
      </select>
      <input
        aria-label="checked"
        type="checkbox"
        checked={state.checked}
        onChange={(event) => set({ checked: event.target.checked })}
      />
      {["a", "b"].map((each) => (
        <input
          key={each}
          aria-label={each}
          type="radio"
          name="radio"
          checked={state.radio === each}
          onChange={() => set({ radio: each })}
        />
      ))}
      <input aria-label="file" type="file" onChange={(event) => set({ files: event.target.files!.length })} />
      <output>{JSON.stringify(state)}</output>
    </form>
  );
}
