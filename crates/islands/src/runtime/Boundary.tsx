import { Component, type ReactNode } from "react";

interface BoundaryState {
  failed: boolean;
}

/**
 * Surrounds every island, so that an error in one, now or later, leaves the rest of the page alone. Prerendering uses it
 * too, because hydration must find the same tree. The other properties are the `data-` attributes of the island's element;
 * `failure` is what visitors read in the place of an island that failed.
 */
export class Boundary extends Component<{ children: ReactNode; failure?: string }, BoundaryState> {
  override state: BoundaryState = { failed: false };

  static getDerivedStateFromError(): BoundaryState {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <p className="island-failure" role="alert">
        {this.props.failure}
      </p>
    );
  }
}
