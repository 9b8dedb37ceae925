import { Component, createContext, lazy, Suspense, use, useActionState, useContext, useId, type ReactNode } from "react";

const Details = lazy(() => import("./parts/Details"));
const price = Promise.resolve(4.8);
const Language = createContext("en");

class Guard extends Component<{ children: ReactNode }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render = () => (this.state.failed ? "failed" : this.props.children);
}

function Price() {
  const language = useContext(Language);
  return (
    <p lang={language}>
      {use(price)} <Suspense fallback="soon">{use(Language)}</Suspense>
    </p>
  );
}

export default function Order() {
  const id = useId();
  const [count, add] = useActionState(async (count: number) => count + 1, 0);
  return (
    <Guard>
      <form action={add}>
        <label htmlFor={id}>Loaves</label> <input id={id} name="loaves" />
        <button formAction={add}>{count}</button>
      </form>
      <Suspense fallback="Loading">
        <Details />
        <Language value="de">
          <Price />
        </Language>
      </Suspense>
    </Guard>
  );
}
