// Inlined before the loader into pages whose islands have `style` attributes. The page's policy has browsers ignore those in
// HTML, so a rule of a stylesheet stands in for each. The CSSOM is free: it gives the elements what React has rendered.
for (const element of document.querySelectorAll<HTMLElement>("[data-island-style]")) {
  const style = element.dataset.islandStyle!;
  element.style.cssText = style;
  element.removeAttribute("data-island-style");
  // React's development build compares the attribute with what it renders; browsers write it in their own way.
  if (process.env.NODE_ENV !== "production")
    element.getAttribute = (name) => {
      if (name !== "style") return Element.prototype.getAttribute.call(element, name);
      Reflect.deleteProperty(element, "getAttribute");
      return style;
    };
}
