import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { Boundary } from "./Boundary";

declare global {
  var prerender: (name: string, propsJson: string, prefix: string) => string;
}

/** Makes the islands known to the build, which calls `prerender` for each place where a template uses one. */
export function register(islands: Record<string, ComponentType<any>>): void {
  globalThis.prerender = (name, propsJson, prefix) => {
    const Island = islands[name];
    if (!Island) throw new Error(`there is no island \`${name}\``);
    return renderToString(
      <Boundary>
        <Island {...JSON.parse(propsJson)} />
      </Boundary>,
      { identifierPrefix: prefix },
    );
  };
}
