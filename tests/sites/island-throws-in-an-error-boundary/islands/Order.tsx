import { Component, type ReactNode } from "react";

class Guard extends Component<{ children: ReactNode }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render = () => (this.state.failed ? "failed" : this.props.children);
}

function Oven(): ReactNode {
  throw new Error("the oven is cold");
}

export default function Order() {
  return (
    <Guard>
      <Oven />
    </Guard>
  );
}
