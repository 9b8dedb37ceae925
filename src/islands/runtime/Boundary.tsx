import { Component, type ReactNode } from "react";

interface BoundaryState {
  failed: boolean;
}

/**
 * Surrounds every island, so that an error in one, now or later, leaves the rest of the page alone. Prerendering uses it
 * too, because hydration must find the same tree.
 */
export class Boundary extends Component<{ children: ReactNode }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <p className="island-failure" role="alert">
        Unexpected Application Error!
      </p>
    );
  }
}
