import { createContext, useContext, useEffect, useId, useMemo, useReducer, useRef, useState } from "react";

const Loaf = createContext("rye");

function Field({ name, onChange }: { name: string; onChange: (value: string) => void }) {
  const id = useId();
  const loaf = useContext(Loaf);
  return (
    <p style={{ "--width": "2px", borderWidth: "var(--width)" } as object}>
      <label htmlFor={id}>Name for the {loaf}</label>
      <input id={id} value={name} onChange={(event) => onChange(event.target.value)} />
    </p>
  );
}

export default function ReactAlone() {
  const [name, setName] = useState("");
  const [count, add] = useReducer((count: number) => count + 1, 0);
  const [isMounted, setMounted] = useState(false);
  const renders = useRef(0);
  const loaves = useMemo(() => Array.from({ length: count }, (_, index) => index), [count]);
  useEffect(() => {
    renders.current++;
    setMounted(true);
  }, []);
  return (
    <Loaf.Provider value="spelt">
      <Field name={name} onChange={setName} />
      <button type="button" data-act onClick={add} disabled={!isMounted}>
        Order {count}
      </button>
      <ul>
        {loaves.map((loaf) => (
          <li key={loaf} data-done>
            Loaf {loaf} {name}
          </li>
        ))}
      </ul>
    </Loaf.Provider>
  );
}
