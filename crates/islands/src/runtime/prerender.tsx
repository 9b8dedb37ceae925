import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { Boundary } from "./Boundary";

declare global {
  var prerender: (name: string, propsJson: string, prefix: string) => string;
}

// React gives a form whose action is a function an address that throws, and adds a script that keeps such forms for later.
// The page's policy lets no form be sent, so neither is needed: the form does nothing until React handles it.
const unsent = / (form)?action="javascript:throw new Error\(&#x27;React form unexpectedly submitted\.&#x27;\)"/gi;
const replay = /<script>addEventListener\("submit",function\(.*?\$\$reactFormReplay.*?<\/script>/g;

/** Makes the islands known to the build, which calls `prerender` for each place where a template uses one. */
export function register(islands: Record<string, ComponentType<any>>): void {
  globalThis.prerender = (name, propsJson, prefix) => {
    const Island = islands[name];
    if (!Island) throw new Error(`there is no island \`${name}\``);
    const html = renderToString(
      <Boundary>
        <Island {...JSON.parse(propsJson)} />
      </Boundary>,
      { identifierPrefix: prefix },
    );
    return html.includes("javascript:throw") ? html.replace(unsent, "").replace(replay, "") : html;
  };
}
