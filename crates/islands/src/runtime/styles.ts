// Inlined before the loader into pages whose islands have `style` attributes. Because of the page's policy browsers
// ignore those in HTML, so a rule of a stylesheet replaces each. The policy does not restrict the CSSOM, which sets what React
// has rendered.
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
