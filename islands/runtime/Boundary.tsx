import { Component, type ReactNode } from "react";

interface BoundaryState {
  failed: boolean;
}

/**
 * Surrounds every island, so that one which cannot be rendered, now or later, leaves the rest of the page alone. When it is
 * prerendered too: hydration must find the tree that was rendered.
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
