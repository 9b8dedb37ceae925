import {
  Component,
  createContext,
  lazy,
  Suspense,
  use,
  useActionState,
  useContext,
  useEffect,
  useState,
  type ReactNode,
} from "react";
import { createPortal } from "react-dom";

const Details = lazy(() => import("./parts/Details"));
const price = Promise.resolve(4.8);
const Loaf = createContext("none");
const picture = new URL("./parts/loaf.svg", import.meta.url);

class Guard extends Component<{ children: ReactNode }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render = () => (this.state.failed ? <p id="caught">caught</p> : this.props.children);
}

function Order() {
  const loaf = useContext(Loaf);
  const [count, order] = useActionState(
    async (count: number, data: FormData) => count + Number(data.get("loaves")),
    0,
  );
  return (
    <form action={order}>
      <input name="loaves" aria-label="Loaves" defaultValue="2" />
      <button>Order</button>
      <output id="ordered">
        {count} {loaf} for {use(price)}
      </output>
    </form>
  );
}

function Oven() {
  const [isBurnt, setBurnt] = useState(false);
  if (isBurnt) throw new Error("burnt");
  return (
    <button type="button" onClick={() => setBurnt(true)}>
      Burn
    </button>
  );
}

export default function Features({ loaf }: { loaf: string }) {
  const [isMounted, setMounted] = useState(false);
  const [isRenamed, setRenamed] = useState(false);
  useEffect(() => setMounted(true), []);
  return (
    <Loaf value={loaf}>
      {isMounted && createPortal(<p id="portal">{loaf} in a portal</p>, document.body)}
      {isRenamed && <title>Renamed</title>}
      <button type="button" onClick={() => setRenamed(true)}>
        Rename
      </button>
      <img id="picture" src={picture.href} alt="A loaf" width="10" height="10" />
      <Suspense fallback={<p>Loading</p>}>
        <Details />
        <Order />
      </Suspense>
      <Guard>
        <Oven />
      </Guard>
    </Loaf>
  );
}
