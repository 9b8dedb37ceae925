import { useId, useState } from "react";

/**
 * The place of HTML that a template gives an island: `island(component="Tabs", slots={"first": …})`.
 *
 * The build puts the HTML in, and React leaves it alone. It is not among the props, so a page has it once. A slot stays in
 * the tree: what is removed and rendered again is empty.
 */
export function Slot({ name = "default" }: { name?: string }) {
  const id = useId();
  const [html] = useState(() =>
    typeof document === "undefined" ? `<!--slot:${name}-->` : (document.getElementById(id)?.innerHTML ?? ""),
  );
  return <div id={id} data-slot={name} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}
